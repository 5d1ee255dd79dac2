/** `gazetteer token`: creates a token that is signed with the installation's own key. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasControlCharacters } from '../../auth/claims.ts';
import { openOwnKey, publicKeyOf, signToken } from '../../auth/own-key.ts';
import { parseScope } from '../../auth/scopes.ts';
import { usesOwnKey } from '../../auth/settings.ts';
import { sectionOf } from '../../config/section.ts';
import { AUDIT_EVENT } from '../../fhir/audit/audit-event.ts';
import { unknownName } from '../../fhir/request/unknown-name.ts';
import { SUBSCRIPTION } from '../../orders/subscriptions/subscription.ts';
import { type DataFolder, isMissing, openDataFolder } from '../../storage/files/data-folder.ts';
import { writeKeyFile } from '../../storage/files/key-file.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type Streams,
  UsageError,
} from '../parts/command.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { STORE_SETTINGS } from '../parts/options.ts';
import { reportMade } from '../parts/output.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: "Create a bearer token, signed with the installation's own key",
  examples: ['token', 'token --scope system/OrderResponse.read --expires 7d --client laboratory'],
  settings: [...STORE_SETTINGS, 'auth.ownKey', 'auth.ownKeyFile'],
  options: [
    {
      syntax: '--scope <scope>',
      help: 'A scope of the token, repeatable (default: system/OrderResponse.*)',
      isRepeatable: true,
    },
    {
      syntax: '--expires <time>',
      help: 'How long the token is valid: 90s, 30m, 1h, 7d (default: 1h)',
    },
    { syntax: '--subject <name>', help: 'The subject (`sub`) of the token (default: operator)' },
    { syntax: '--client <id>', help: 'The client (`client_id`) of the token' },
    { syntax: '--make-folder', help: 'Create the data folder if it does not exist' },
  ],
  run: async ({ config, options, streams }) => {
    const scopes = scopesIn(options.scope);
    const expiresInSeconds = secondsIn(textIn(options.expires) ?? EXPIRES_DEFAULT);
    const subject = nameIn(options, 'subject') ?? 'operator';
    const client = nameIn(options, 'client');
    if (!usesOwnKey(sectionOf(config, 'auth'))) {
      throw new CommandError(
        'The server accepts only tokens of the configured issuer. ' +
          'To accept tokens of this command too, set auth.ownKey to true.',
      );
    }
    const keyFile =
      config['auth.ownKeyFile'] ??
      openTokenFolder(config.data, options.makeFolder === true, streams).tokenKey;
    const isNew = !existsSync(keyFile);
    const key = openOwnKey(keyFile, writeKeyFile);
    const store = await openConfiguredServerStore(config);
    await store.tokenKeys?.add(publicKeyOf(key));
    streams.errors.write(
      isNew
        ? `Created the key ${keyFile} and signed the token with it.\n`
        : `Signed with the key ${keyFile}.\n`,
    );
    const request = { scopes, expiresInSeconds, subject, client, now: Date.now };
    streams.output.write(`${await signToken(key, request)}\n`);
  },
};

/** A token is useless if no server uses its data folder, so only --make-folder creates one. */
function openTokenFolder(data: string, mayMake: boolean, streams: Streams): DataFolder {
  if (!mayMake && isMissing(data)) {
    throw new CommandError(
      `The data folder ${resolve(data)} does not exist. Name the folder of the server with --data, ` +
        'or add --make-folder.',
    );
  }
  return openDataFolder(data, { onMade: reportMade(streams) });
}

type Options = CommandContext['options'];

/** The scopes, from several options or separated by spaces in one. */
function scopesIn(option: Options[string]): readonly string[] {
  if (option === undefined) return [SCOPE_DEFAULT];
  const words = String(option).split(/\s+/);
  const scopes = [...new Set(words.filter((word) => word !== ''))];
  const invalid = scopes.length === 0 ? '' : scopes.find((word) => parseScope(word) === undefined);
  if (invalid !== undefined) {
    throw new UsageError(
      `--scope must be system/TYPE.read, system/TYPE.write or system/TYPE.*, with * as TYPE for every type. Got "${invalid}".`,
    );
  }
  for (const scope of scopes) requireKnownType(scope);
  return scopes;
}

/** A scope for another type would give no rights, and the client would learn it from a 403. */
function requireKnownType(scope: string): void {
  const { type = '*' } = parseScope(scope) ?? {};
  if (type === '*' || SCOPE_TYPES.includes(type)) return;
  const kind = `type of the scope ${scope}`;
  const listedAt = 'docs/reference/tokens.md';
  throw new UsageError(unknownName({ kind, sent: type, known: SCOPE_TYPES, listedAt }));
}

/** The types whose interactions need a scope. */
const SCOPE_TYPES: readonly string[] = ['OrderResponse', SUBSCRIPTION, AUDIT_EVENT, 'Organization'];

function secondsIn(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit] ?? Number.NaN);
  if (!(seconds <= EXPIRES_SECONDS_MAX)) {
    throw new UsageError(
      `--expires must be a time such as 90s, 30m, 1h or 7d, up to 366d. Got "${text}".`,
    );
  }
  return seconds;
}

function nameIn(options: Options, name: 'subject' | 'client'): string | undefined {
  const text = textIn(options[name]);
  if (text !== undefined && (!/^.{1,255}$/su.test(text) || hasControlCharacters(text))) {
    throw new UsageError(`--${name} must have 1 to 255 characters, without control characters.`);
  }
  return text;
}

function textIn(option: Options[string]): string | undefined {
  return typeof option === 'string' ? option : undefined;
}

/** The scope of a token without --scope: only what most tokens need. */
const SCOPE_DEFAULT = 'system/OrderResponse.*';

const EXPIRES_DEFAULT = '1h';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Every token expires, because only a new key revokes a token. */
const EXPIRES_SECONDS_MAX = 366 * 86_400;
