/** Every setting of the program by its path, and the names of its flag and variable. */
import type * as z from 'zod';
import { ASSISTANT_SETTINGS } from './settings/assistants.ts';
import { AUTH_SETTINGS } from './settings/authentication.ts';
import { DATABASE_SETTINGS } from './settings/database.ts';
import { DIRECTORY_SETTINGS } from './settings/directory.ts';
import { FETCH_SETTINGS, IMPORT_SETTINGS } from './settings/import.ts';
import { ORDER_SETTINGS } from './settings/order-response.ts';
import {
  LIMIT_SETTINGS,
  LOG_SETTINGS,
  PAGE_SETTINGS,
  SERVER_SETTINGS,
  TELEMETRY_SETTINGS,
  TLS_SETTINGS,
} from './settings/server.ts';
import { SUBSCRIPTION_SETTINGS } from './settings/subscriptions.ts';

/**
 * By path. `log.requests` is also the flag `--log-requests`, the variable
 * `GAZETTEER_LOG_REQUESTS`, and `{"log": {"requests": …}}` in the file of `--config`.
 */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...DATABASE_SETTINGS,
  ...LOG_SETTINGS,
  ...TELEMETRY_SETTINGS,
  ...LIMIT_SETTINGS,
  ...TLS_SETTINGS,
  ...DIRECTORY_SETTINGS,
  ...ASSISTANT_SETTINGS,
  ...ORDER_SETTINGS,
  ...SUBSCRIPTION_SETTINGS,
  ...AUTH_SETTINGS,
  ...PAGE_SETTINGS,
  ...IMPORT_SETTINGS,
  ...FETCH_SETTINGS,
} as const;

export type SettingPath = keyof typeof SETTINGS;

export type Config = {
  readonly [P in SettingPath]: (typeof SETTINGS)[P] extends { readonly schema: z.ZodType<infer T> }
    ? T
    : never;
};

/** `log.requests` → `--log-requests`. */
export function flagOf(path: string): string {
  return `--${kebab(path)}`;
}

/** `log.requests` → `GAZETTEER_LOG_REQUESTS`. */
export function variableOf(path: string): string {
  return `${VARIABLE_PREFIX}${kebab(path).replaceAll('-', '_').toUpperCase()}`;
}

export const VARIABLE_PREFIX = 'GAZETTEER_';

function kebab(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('.', '-');
}
