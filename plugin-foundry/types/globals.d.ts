// What the module adds to Foundry's own types.

import type { Place } from "../scripts/api/client.mjs";
import type { Credential, Kept } from "../scripts/settings.mjs";

declare global {
  interface AssumeHookRan {
    ready: never;
  }
  interface FlagConfig {
    Token: { hantei?: { character?: string } };
    Actor: { hantei?: { character?: string } };
    User: { hantei?: { seat?: string } };
  }
  interface SettingConfig {
    "hantei.url": string;
    "hantei.place": Place;
    "hantei.plain": boolean;
    "hantei.table": string;
    "hantei.credentials": Record<string, Credential>;
    "hantei.cursors": Record<string, Kept>;
  }
}

export {};
