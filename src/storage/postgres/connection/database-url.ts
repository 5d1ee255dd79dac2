/** The address of a PostgreSQL database: what its URL may say, and where the password comes from. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StorageError, withStorageErrors } from '../../files/storage-error.ts';
import type { DatabaseAddress, DatabaseHost, SslMode } from './database-address.ts';

const CONNECT_TIMEOUT_SECONDS = 5;

const SSL_MODES: readonly SslMode[] = ['disable', 'require', 'verify-ca', 'verify-full'];

export interface AddressFiles {
  readonly passwordFile?: string | undefined;
  readonly caFile?: string | undefined;
}

/** No message contains the URL, because it can have a password. */
export function parseDatabaseUrl(url: string, files: AddressFiles = {}): DatabaseAddress {
  const [, userInfoPart, hostPart = '', databasePart = '', query = ''] =
    /^postgres(?:ql)?:\/\/(?:([^@]*)@)?([^@/?]*)(?:\/([^@?]*))?(?:\?([^@]*))?$/s.exec(url) ??
    refuse(
      'must have the form postgres://USER@HOST/DATABASE. Write @ / ? % in a password as %40 %2F %3F %25',
    );
  const [userPart = '', ...passwordParts] = userInfoPart?.split(':') ?? [];
  const user = decoded(userPart, 'the user') || userInfo().username;
  const password = decoded(passwordParts.join(':'), 'the password') || passwordIn(files);
  const hosts = hostPart.split(',').map(hostOf);
  const parameters = parametersIn(query);
  return {
    hosts,
    user,
    ...(password !== '' && { password }),
    database: decoded(databasePart, 'the database') || user,
    sslMode:
      SSL_MODES.find((mode) => mode === parameters.get('sslmode')) ??
      (hosts.every(isLocal) ? 'disable' : 'verify-full'),
    ...(files.caFile !== undefined && { caFile: files.caFile }),
    mustAcceptWrites: parameters.get('target_session_attrs') !== 'any',
    connectTimeoutMs: Number(parameters.get('connect_timeout') ?? CONNECT_TIMEOUT_SECONDS) * 1000,
  };
}

/** `db1:5432`, for messages. */
export function hostText({ name, port }: DatabaseHost): string {
  return name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`;
}

const PORT = 5432;

/** The parameters of the URL, with their forms; others are refused, so that none is ignored by mistake. */
const PARAMETERS = new Map([
  ['sslmode', { form: new RegExp(`^(?:${SSL_MODES.join('|')})$`), allowed: SSL_MODES.join(', ') }],
  ['target_session_attrs', { form: /^(?:read-write|any)$/, allowed: 'read-write or any' }],
  ['connect_timeout', { form: /^[1-9]\d{0,2}$/, allowed: '1 to 999 seconds' }],
]);

function parametersIn(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const { form, allowed } =
      PARAMETERS.get(name) ??
      refuse(`has the unknown parameter ${name}. Use only ${[...PARAMETERS.keys()].join(', ')}`);
    if (!form.test(value)) refuse(`has the ${name} "${value}". Use ${allowed}`);
    parameters.set(name, value);
  }
  return parameters;
}

function hostOf(text: string): DatabaseHost {
  const [, inBrackets, plain = '', port = String(PORT)] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/i.exec(text) ??
    refuse(
      'has a host that is not HOST or HOST:PORT. Write a user and a password before an @, and an ' +
        'IPv6 address in brackets',
    );
  const name = inBrackets ?? decoded(plain, 'a host');
  if (name === '') refuse('names no host');
  if (Number(port) < 1 || Number(port) > 65_535) refuse(`has the port ${port}. Use 1 to 65535`);
  return { name, port: Number(port) };
}

function isLocal({ name }: DatabaseHost): boolean {
  return name.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(name);
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`has a % in ${what} without two hexadecimal digits after it. Write % as %25`);
  }
}

function passwordIn({ passwordFile }: AddressFiles): string {
  if (passwordFile === undefined) return '';
  const text = withStorageErrors(passwordFile, () => readFileSync(passwordFile, 'utf8'));
  return text.replace(/\r?\n$/, '');
}

function refuse(problem: string): never {
  throw new StorageError('unusable', `database.url ${problem}.`);
}
