// What the module adds to Foundry's own types.

declare global {
  interface AssumeHookRan {
    ready: never;
  }
  interface FlagConfig {
    Token: { hantei?: { character?: string } };
    Actor: { hantei?: { character?: string } };
  }
}

export {};
