/** A clock that tests set, and settings of access with nothing set. */
import type { AuthSettings } from '../../src/auth/settings.ts';

export interface Clock {
  readonly now: () => number;
  pass(seconds: number): void;
}

export function createClock(): Clock {
  let nowMs = Date.UTC(2026, 10, 1, 12);
  return {
    now: () => nowMs,
    pass: (seconds) => {
      nowMs += seconds * 1000;
    },
  };
}

export const NO_SETTINGS: AuthSettings = {
  issuer: undefined,
  audience: undefined,
  jwksUrl: undefined,
  jwksFile: undefined,
  introspectionUrl: undefined,
  introspectionClient: undefined,
  introspectionSecretFile: undefined,
  ownKey: false,
  skewSeconds: 30,
};
