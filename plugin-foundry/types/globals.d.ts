// What the module adds to Foundry's own types.

import type { Credential, Kept, Server } from "../scripts/settings.mjs";
import type { Anchor } from "../scripts/present/story.mjs";
import type { BarPaths } from "../scripts/present/bars.mjs";
import type { SceneMap } from "../scripts/present/places.mjs";

declare global {
  interface AssumeHookRan {
    ready: never;
  }
  interface ModuleConfig {
    hantei: {
      api?: {
        /** Takes the offer that a hotbar macro was made from. */
        act?(shortcut: import("../scripts/actions/offers.mjs").Shortcut): Promise<void>;
        /** Opens the window of what a character can do. */
        openActions?(character?: string): void;
        /** Opens a character's sheet. */
        openSheet?(character: string): void;
      };
    };
  }
  interface FlagConfig {
    Token: { hantei?: { character?: string; elsewhere?: boolean } };
    Actor: { hantei?: { character?: string } };
    User: { hantei?: { seat?: string; live?: boolean } };
    ChatMessage: { hantei?: { card?: Anchor } };
    Combat: { hantei?: { table?: string } };
    Combatant: { hantei?: { character?: string } };
    Scene: { hantei?: { map?: Partial<SceneMap> } };
    Wall: { hantei?: { baked?: boolean } };
    Drawing: { hantei?: { baked?: boolean } };
  }
  interface SettingConfig {
    "hantei.server": Server;
    "hantei.table": string;
    "hantei.credentials": Record<string, Credential>;
    "hantei.cursors": Record<string, Kept>;
    "hantei.speed": number;
    "hantei.backlog": number;
    "hantei.written": { table: string; cursor: string };
    "hantei.bars": BarPaths;
  }
}

// Hooks of Foundry that its types lack, and the part of Dice So Nice that is used.
declare module "@league-of-foundry-developers/foundry-vtt-types/configuration" {
  namespace Hooks {
    interface HookConfig {
      moveToken: (token: TokenDocument, movement: TokenDocument.MovementOperation, operation: object, user: User) => void;
    }
  }
}

declare global {
  interface ReadyGame {
    dice3d?: {
      showForRoll(roll: Roll<any>, user: User, synchronize: boolean, users: User[] | null, blind: boolean): Promise<boolean>;
    };
  }
}

export {};
