/** The configuration: flags before environment before file before defaults, checked and frozen. */
import {
  type Config,
  flagOf,
  SETTINGS,
  type Setting,
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
}

/** One line for each thing that is wrong, naming where it stands. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What holds, and for each setting where that came from: a flag, a variable, the file, `default`. */
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
  const fileValues = readFile(sources.file, problems);
  problems.push(...unknownVariables(sources.environment));
  const origins: Record<string, string> = {};
  const entries = Object.entries(SETTINGS).map(([path, setting]: [string, Setting]) => {
    const found = settingOf(path, setting, sources, fileValues);
    origins[path] = found?.from ?? 'default';
    if (found === undefined) return [path, setting.defaultValue];
    const parsed = setting.schema.safeParse(found.value);
    if (parsed.success) return [path, parsed.data];
    const reason = parsed.error.issues.map(({ message }) => message).join('; ');
    problems.push(`${found.from} ${reason}. Got ${JSON.stringify(found.value)}.`);
    return [path, setting.defaultValue];
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  problems.push(...togetherProblems(config));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { config, origins: Object.freeze(origins) };
}

/** Settings that mean something only together. */
const TOGETHER: readonly (readonly SettingPath[])[] = [
  ['tls.certificate', 'tls.key'],
  ['auth.introspectionUrl', 'auth.introspectionClient', 'auth.introspectionSecretFile'],
];

function togetherProblems(config: Config): string[] {
  const incomplete = TOGETHER.flatMap((paths) => {
    const missing = paths.filter((path) => config[path] === undefined);
    if (missing.length === paths.length) return [];
    return missing.map(
      (path) => `${path}: ${paths.join(' and ')} belong together, and this one is not set`,
    );
  });
  return [...incomplete, ...issuerProblems(config), ...cacheProblems(config)];
}

/** A shared cache would give the answers of one client's token to every client. */
function cacheProblems(config: Config): string[] {
  const value = config['directory.cacheControl'];
  if (!config['directory.authenticate'] || value === undefined) return [];
  const directives = value.split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => FOR_ONE_CLIENT.has(directive))) return [];
  return [
    'directory.cacheControl: shared caches must not keep answers that need a token ' +
      '(directory.authenticate); use private, no-store or no-cache, such as "private, max-age=60"',
  ];
}

/** With one of these directives, a shared cache keeps no answer, or asks the server each time. */
const FOR_ONE_CLIENT: ReadonlySet<string> = new Set(['private', 'no-store', 'no-cache']);

/** Keys count only for tokens of a named issuer, and an issuer only with a way to check. */
function issuerProblems(config: Config): string[] {
  const isSet = (path: SettingPath) => config[path] !== undefined;
  const keys = (['auth.jwksUrl', 'auth.jwksFile'] as const).filter(isSet);
  const hasIssuer = isSet('auth.issuer');
  if (keys.length === 2) return [`${keys.join(' and ')}: set one of them, not both`];
  if (keys.length === 1 && !hasIssuer) {
    return [`auth.issuer: ${keys[0]} needs it too, to know whose tokens to take`];
  }
  if (hasIssuer && keys.length === 0 && !isSet('auth.introspectionUrl')) {
    return [
      'auth.issuer: its tokens cannot be checked without auth.jwksUrl, auth.jwksFile or ' +
        'auth.introspectionUrl',
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
  const flag = flags[path];
  if (flag !== undefined) return { value: fromText(flag, setting), from: flagOf(path) };
  const variable = environment[variableOf(path)];
  if (variable !== undefined) {
    return { value: fromText(variable, setting), from: variableOf(path) };
  }
  if (!fileValues.has(path)) return undefined;
  return { value: fileValues.get(path), from: `${path} in ${file?.name}` };
}

/** Text as what the setting wants: a number or a truth where it takes one. */
function fromText(text: string | boolean, setting: Setting): unknown {
  if (typeof text === 'boolean') return text;
  if (setting.schema.safeParse(text).success) return text;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

function readFile(file: ConfigSources['file'], problems: string[]): Map<string, unknown> {
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
      problems.push(`${file.name}: ${prefix === '' ? 'the whole' : prefix} must be an object`);
      return;
    }
    for (const [name, value] of Object.entries(node)) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (isSettingPath(path)) values.set(path, value);
      else if (SECTIONS.has(path)) visit(value, path);
      else problems.push(`${file.name}: there is no setting "${path}"`);
    }
  };
  visit(content, '');
  return values;
}

const SECTIONS = new Set(
  Object.keys(SETTINGS).flatMap((path) => (path.includes('.') ? [path.split('.')[0]] : [])),
);

function isSettingPath(path: string): path is SettingPath {
  return Object.hasOwn(SETTINGS, path);
}

/** What container platforms set for a service that is called gazetteer. */
const FOREIGN = /^GAZETTEER_(?:SERVICE_|PORT_\d)/;

/** A misspelt variable would otherwise be as not set. */
function unknownVariables(environment: ConfigSources['environment']): string[] {
  const known = new Set(Object.keys(SETTINGS).map(variableOf));
  return Object.keys(environment).flatMap((name) =>
    name.startsWith(VARIABLE_PREFIX) && !known.has(name) && !FOREIGN.test(name)
      ? [`${name}: there is no such setting`]
      : [],
  );
}
