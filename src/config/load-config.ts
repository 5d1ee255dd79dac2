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
    problems.push(`${found.from}: ${JSON.stringify(found.value)} does not do: ${reason}`);
    return [path, setting.defaultValue];
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  problems.push(...togetherProblems(config));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return { config, origins: Object.freeze(origins) };
}

/** Settings that mean something only together. */
const TOGETHER = [['tls.certificate', 'tls.key']] as const;

function togetherProblems(config: Config): string[] {
  return TOGETHER.flatMap((pair) => {
    const missing = pair.filter((path) => config[path] === undefined);
    if (missing.length !== 1) return [];
    return [`${missing[0]}: ${pair.join(' and ')} belong together, and this one is not set`];
  });
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
