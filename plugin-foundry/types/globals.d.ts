// What the module adds to Foundry's own types.

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
    Token: { hantei?: { character?: string } };
    Actor: { hantei?: { character?: string } };
  }
}

export {};
