/** Loads the configuration. A flag overrides a variable, the file and the default, in this order. */

import { accessSync, constants, statSync } from 'node:fs';
import { withoutUsers } from './settings/addresses.ts';
import type { Setting } from './settings/setting.ts';
import {
  type Config,
  flagOf,
  SETTINGS,
  type SettingPath,
  VARIABLE_PREFIX,
  variableOf,
} from './settings.ts';

export interface ConfigSources {
  /** By setting path, as commander gives them: text, or true for a flag without a value. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of the file named by `--config`, and its name for messages. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Whether an argument of the command names a database, for the settings that need one. */
  readonly namesDatabase?: boolean;
  /** The text about a name that does not exist. Absent: it names no similar setting. */
  readonly unknownName?: (unknown: UnknownSetting) => string;
}

interface UnknownSetting {
  readonly kind: string;
  readonly sent: string;
  readonly known: readonly string[];
  readonly listedAt: string;
}

/** The message has one line for each problem, which names the flag, variable or file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The effective settings, and the source of each: a flag, a variable, the file, `default`. */
export interface Settled {
  readonly config: Config;
  readonly origins: Readonly<Record<string, string>>;
}

export function loadConfig(sources: ConfigSources): Config {
  return settle(sources).config;
}

/** Throws a `ConfigError`. */
export function settle(sources: ConfigSources): Settled {
  const problems: string[] = [];
  const fileValues = readFile(sources, problems);
  problems.push(...unknownVariables(sources));
  const origins: Record<string, string> = {};
  const entries = Object.entries(SETTINGS).map(([path, setting]: [string, Setting]) => {
    const found = settingOf(path, setting, sources, fileValues);
    origins[path] = found?.from ?? 'default';
    if (found === undefined) return [path, setting.defaultValue];
    const parsed = setting.schema.safeParse(found.value);
    if (parsed.success) return [path, parsed.data];
    const reason = parsed.error.issues.map(({ message }) => message).join('; ');
    const isHidden = setting.isSecret === true || setting.shown !== undefined;
    const got = isHidden ? '' : ` Got ${withoutUsers(JSON.stringify(found.value))}.`;
    problems.push(`${found.from} ${reason}.${got}`);
    return [path, setting.defaultValue];
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  problems.push(...togetherProblems(config, sources.namesDatabase === true));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { config, origins: Object.freeze(origins) };
}

/** Throws a `ConfigError` that names each setting among `paths` whose file or folder cannot be read. */
export function requireSettingFiles(
  paths: readonly SettingPath[],
  { config, origins }: Settled,
): void {
  const named = (kind: 'isFile' | 'isFolder') =>
    paths.flatMap((path): [string, string][] => {
      const [setting, value]: [Setting, unknown] = [SETTINGS[path], config[path]];
      return setting[kind] && typeof value === 'string' ? [[origins[path] ?? path, value]] : [];
    });
  requireReadableFiles(Object.fromEntries(named('isFile')), Object.fromEntries(named('isFolder')));
}

/** Files and folders are by the name of the flag, variable or setting that names them. */
export function requireReadableFiles(
  files: Readonly<Record<string, string>>,
  folders: Readonly<Record<string, string>> = {},
): void {
  const all = [
    ...Object.entries(files).map(([name, path]) => ({ name, path, kind: 'file' as const })),
    ...Object.entries(folders).map(([name, path]) => ({ name, path, kind: 'folder' as const })),
  ];
  const problems = all.flatMap(({ name, path, kind }) => {
    const problem = problemOf(path, kind);
    const subject = `${name} names ${JSON.stringify(path)}`;
    return problem === undefined ? [] : [`${subject}, which ${problem}, or correct ${name}.`];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

/** The problem, and what to do about it. */
function problemOf(path: string, kind: 'file' | 'folder'): string | undefined {
  try {
    const found = statSync(path).isDirectory() ? 'folder' : 'file';
    if (found !== kind) return `is a ${found}. Put a ${kind} in its place`;
    accessSync(path, kind === 'folder' ? constants.R_OK | constants.X_OK : constants.R_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return `does not exist. Create the ${kind}`;
    if (code === 'EACCES') return 'this user may not read. Change its permissions';
    if (code === 'EIO') return 'cannot be read, because its disk reports an error. Check the disk';
    return 'cannot be read. Check the path';
  }
}

/** Settings that are valid only together. */
const TOGETHER: readonly (readonly SettingPath[])[] = [
  ['tls.certificate', 'tls.key'],
  ['auth.introspectionUrl', 'auth.introspectionClient', 'auth.introspectionSecretFile'],
];

/** Settings that have no effect without another one. */
const NEEDED: readonly (readonly [path: SettingPath, ...oneOf: SettingPath[]])[] = [
  ['telemetry.headersFile', 'telemetry.endpoint'],
  ['subscriptions.webhookSecretFile', 'subscriptions.webhooks', 'subscriptions.webhooksFile'],
  ['database.passwordFile', 'database.url'],
  ['database.caFile', 'database.url'],
  ['orders.auditKeyFile', 'database.url'],
];

function togetherProblems(config: Config, namesDatabase: boolean): string[] {
  const incomplete = TOGETHER.flatMap((paths) => {
    const missing = paths.filter((path) => config[path] === undefined);
    if (missing.length === paths.length) return [];
    return missing.map((path) => `${path} is not set. Set all of ${paths.join(', ')}, or none.`);
  });
  const useless = NEEDED.filter(
    ([path, ...oneOf]) =>
      config[path] !== undefined &&
      oneOf.every((needed) => config[needed] === undefined) &&
      !(namesDatabase && oneOf.includes('database.url')),
  );
  return [
    ...incomplete,
    ...issuerProblems(config),
    ...useless.map(([path, ...oneOf]) => `${path} is set, but ${absenceOf(oneOf)}`),
    ...cacheProblems(config),
    ...pathProblems(config),
  ];
}

function absenceOf(oneOf: readonly SettingPath[]): string {
  if (oneOf.length === 1) return `${oneOf[0]} is not. Set both.`;
  return `neither ${oneOf.join(' nor ')} is. Set one of them.`;
}

/** Two interfaces cannot have the same path. */
function pathProblems(config: Config): string[] {
  const settingOfPath = new Map<unknown, string>();
  return Object.entries(config).flatMap(([setting, path]) => {
    if (!/^directory\..*path$/i.test(setting)) return [];
    const other = settingOfPath.get(path);
    settingOfPath.set(path, setting);
    if (other === undefined) return [];
    return [`${other} and ${setting} are both ${path}. Give each interface its own path.`];
  });
}

/** A shared cache would send the answers of one client to every other client. */
function cacheProblems(config: Config): string[] {
  const value = config['directory.cacheControl'];
  const cause = config['directory.authenticate']
    ? 'directory.authenticate'
    : config['directory.r4.apiKeys'] && 'directory.r4.apiKeys';
  if (cause === undefined || value === undefined) return [];
  const directives = value.split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => FOR_ONE_CLIENT.has(directive))) return [];
  return [
    'directory.cacheControl must contain private, no-store or no-cache, such as ' +
      `"private, max-age=60": with ${cause}, shared caches must not keep answers.`,
  ];
}

/** With one of these directives, a shared cache keeps no answer, or asks the server each time. */
const FOR_ONE_CLIENT: ReadonlySet<string> = new Set(['private', 'no-store', 'no-cache']);

/** Keys need an issuer, and an issuer needs keys or introspection. */
function issuerProblems(config: Config): string[] {
  const isSet = (path: SettingPath) => config[path] !== undefined;
  const keys = (['auth.jwksUrl', 'auth.jwksFile'] as const).filter(isSet);
  const hasIssuer = isSet('auth.issuer');
  if (keys.length === 2) return [`Set ${keys.join(' or ')}, not both.`];
  if (keys.length === 1 && !hasIssuer) {
    return [`auth.issuer is not set. ${keys[0]} requires the issuer of the tokens.`];
  }
  if (isSet('auth.tokenUrl') && !hasIssuer) {
    return ['auth.issuer is not set. auth.tokenUrl requires the issuer of the tokens.'];
  }
  if (hasIssuer && keys.length === 0 && !isSet('auth.introspectionUrl')) {
    return [
      'auth.issuer is set, but nothing checks its tokens. Set auth.jwksUrl, auth.jwksFile or ' +
        'auth.introspectionUrl.',
    ];
  }
  return [];
}

function settingOf(
  path: string,
  setting: Setting,
  { flags, environment, file }: ConfigSources,
  fileValues: ReadonlyMap<string, unknown>,
): { readonly value: unknown; readonly from: string } | undefined {
  const flag = setting.isSecret === true ? undefined : flags[path];
  if (flag !== undefined) return { value: fromText(flag, setting), from: flagOf(path) };
  const variable = environment[variableOf(path)];
  if (variable !== undefined) {
    return { value: fromText(variable, setting), from: variableOf(path) };
  }
  if (!fileValues.has(path)) return undefined;
  return { value: fileValues.get(path), from: `${path} in ${file?.name}` };
}

/** Converts text to a number or boolean if the setting takes one. */
function fromText(text: string | boolean, setting: Setting): unknown {
  if (typeof text === 'boolean') return text;
  if (setting.schema.safeParse(text).success) return text;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

function readFile({ file, unknownName }: ConfigSources, problems: string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (file === undefined) return values;
  let content: unknown;
  try {
    content = JSON.parse(file.text);
  } catch (error) {
    problems.push(`${file.name} is not JSON: ${error instanceof Error ? error.message : error}`);
    return values;
  }
  const visit = (node: unknown, prefix: string): void => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      problems.push(
        `${prefix === '' ? file.name : `${prefix} in ${file.name}`} must be an object.`,
      );
      return;
    }
    for (const [name, value] of Object.entries(node)) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (values.has(path)) {
        problems.push(`${file.name} has ${path} twice. Remove one of them.`);
      } else if (isSettingPath(path)) values.set(path, value);
      else if (SECTIONS.has(path)) visit(value, path);
      else {
        const known = Object.keys(SETTINGS);
        problems.push(unknownSetting(`setting of ${file.name}`, path, known, unknownName));
      }
    }
  };
  visit(content, '');
  return values;
}

const SECTIONS = new Set(
  Object.keys(SETTINGS).flatMap((path) => {
    const names = path.split('.');
    return names.slice(1).map((_, i) => names.slice(0, i + 1).join('.'));
  }),
);

export function isSettingPath(path: string): path is SettingPath {
  return Object.hasOwn(SETTINGS, path);
}

/** Variables that container platforms set for a service named gazetteer. */
const FOREIGN = /^GAZETTEER_(?:SERVICE_|PORT_\d)/;

/** Without this check, a misspelt variable would have no effect. */
function unknownVariables({ environment, unknownName }: ConfigSources): string[] {
  const known = Object.keys(SETTINGS).map(variableOf);
  return Object.keys(environment).flatMap((name) =>
    name.startsWith(VARIABLE_PREFIX) && !known.includes(name) && !FOREIGN.test(name)
      ? [unknownSetting('variable', name, known, unknownName)]
      : [],
  );
}

function unknownSetting(
  kind: string,
  sent: string,
  known: readonly string[],
  textOf: ConfigSources['unknownName'] = () => `Unknown ${kind}: "${sent}".`,
): string {
  return textOf({ kind, sent, known, listedAt: '"gazetteer serve --help"' });
}
