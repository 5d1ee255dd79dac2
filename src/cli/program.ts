/** The command line: gives commands and settings to `commander`, and turns errors into exit codes. */
import { Command as CommanderCommand, CommanderError, Option, type OptionValues } from 'commander';
import { ConfigError, requireSettingFiles, settle } from '../config/load-config.ts';
import type { Setting } from '../config/settings/setting.ts';
import { flagOf, SETTINGS, type SettingPath } from '../config/settings.ts';
import { SOFTWARE } from '../config/version.ts';
import type { FhirError } from '../fhir/request/fhir-error.ts';
import { unknownName } from '../fhir/request/unknown-name.ts';
import { COMMAND_MODULES } from './command-modules.ts';
import {
  type Command,
  CommandError,
  type CommandOption,
  causeOf,
  FatalError,
  isExplained,
  type Streams,
  type Surroundings,
  UsageError,
} from './parts/command.ts';
import { withOptionNames } from './parts/option-names.ts';
import { watchOutput } from './parts/output.ts';
import { settingsFile } from './parts/settings-file.ts';
import { unknownWordText } from './parts/unknown-word.ts';

/** `words` follow the name of the program. Resolves with the exit code. */
export async function runProgram(
  words: readonly string[],
  surroundings: Surroundings,
  given?: readonly Command[],
): Promise<number> {
  const { output, errors } = surroundings.streams;
  const lostOutput = watchOutput(output);
  // There is no place to report the loss of errors. Without this, it would end the process.
  errors.on('error', () => {});
  const { code, line } = await endOf(words, surroundings, given);
  if (line !== undefined) errors.write(`${line}\n`);
  const lost = await lostOutput();
  if (lost === undefined) return code;
  const lostLine = lineOf(lost);
  if (line !== lostLine) errors.write(`${lostLine}\n`);
  return code === EXIT_CODES.succeeded ? EXIT_CODES.failed : code;
}

/** How a command ends: its exit code, and the line about its error. */
interface End {
  readonly code: number;
  readonly line?: string;
}

async function endOf(
  words: readonly string[],
  surroundings: Surroundings,
  given: readonly Command[] | undefined,
): Promise<End> {
  try {
    const commands = given ?? (await commandsFor(words));
    const program = createProgram(surroundings, commands);
    if (words[0] === 'complete' && words[1] === '--') {
      const { completionsOf } = await import('./completion/complete.ts');
      surroundings.streams.output.write(completionsOf(program, words.slice(2)));
    } else await program.parseAsync(withoutHelpCommand(words, commands), { from: 'user' });
    return { code: EXIT_CODES.succeeded };
  } catch (caught) {
    const error = causeOf(caught);
    if (error instanceof CommanderError) {
      return { code: error.exitCode === 0 ? EXIT_CODES.succeeded : EXIT_CODES.misused };
    }
    const code = isMisuse(error) ? EXIT_CODES.misused : EXIT_CODES.failed;
    return { code, line: lineOf(error) };
  }
}

function isMisuse(error: unknown): boolean {
  return error instanceof UsageError || error instanceof ConfigError || isWrongParameter(error);
}

/** By the name of the class, so that the start of a command does not load its module. */
function isWrongParameter(error: unknown): error is FhirError {
  if (!(error instanceof Error) || error.name !== 'FhirError') return false;
  return (error as FhirError).issues[0].kind === 'invalid-parameter';
}

/** Loads only the commands that the first word can mean. */
async function commandsFor([first = '']: readonly string[]): Promise<readonly Command[]> {
  if (VERSION_FLAGS.has(first)) return [];
  const load = COMMAND_MODULES.get(first);
  return load === undefined ? (await import('./commands.ts')).COMMANDS : await load();
}

/** commander prints the version as soon as it reads one of these flags. */
const VERSION_FLAGS: ReadonlySet<string> = new Set(['-V', '--version']);

/**
 * Turns `help orders export` into `orders export --help`, because commander supports only
 * commands of one word. Turns `help serv` into `serv`, which commander refuses with a suggestion.
 */
function withoutHelpCommand(words: readonly string[], commands: readonly Command[]): string[] {
  const [first, ...name] = words;
  if (first !== 'help') return [...words];
  if (commands.some((command) => command.name === name.join(' '))) return [...name, '--help'];
  const [wanted = '', second = ''] = name;
  if (Object.hasOwn(GROUP_SUMMARIES, wanted) && /^[^-]/.test(second)) return name;
  const isUnknown = !commands.some((command) => command.name.split(' ')[0] === wanted);
  return isUnknown && /^[^-]/.test(wanted) ? [wanted] : [...words];
}

/** What the program ends with. Scripts rely on it. */
export const EXIT_CODES = {
  succeeded: 0,
  /** A problem that the caller can solve, a fault, or a search that found nothing. */
  failed: 1,
  /** A wrong command, argument, option or setting. */
  misused: 2,
} as const;

/** The help of each group of commands. */
const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  orders: 'Export, erase and hold order responses',
  subscriptions: 'List, test and turn off subscriptions',
  database: 'Prepare a PostgreSQL database',
};

function lineOf(error: unknown): string {
  if (error instanceof FatalError) return error.message;
  if (!(error instanceof Error)) return `gazetteer: ${String(error)}`;
  // Each line of its message is a problem.
  if (error instanceof ConfigError) return error.message.replaceAll(/^/gm, 'gazetteer: ');
  if (isExplained(error)) return `gazetteer: ${error.message}`;
  return `gazetteer: unexpected error. Please report it with the lines below.\n${error.stack}`;
}

function createProgram(surroundings: Surroundings, commands: readonly Command[]): CommanderCommand {
  const program = new CommanderCommand('gazetteer')
    .description('FHIR server for a directory of organisations and for order responses')
    .version(SOFTWARE.version, ...VERSION_OPTION)
    // An option after a command belongs to the command.
    .enablePositionalOptions()
    .helpOption(...HELP_OPTION)
    .helpCommand('help [command]', 'Print the help of a command')
    .showSuggestionAfterError(false)
    .exitOverride();
  program.configureOutput(outputTo(surroundings.streams, program, 'gazetteer', OPTIONS_LAST));
  const groups = new Map<string, CommanderCommand>();
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    const parent = second === undefined ? program : (groups.get(first) ?? createGroup(first));
    if (parent !== program && !groups.has(first)) {
      groups.set(first, parent);
      program.addCommand(parent);
    }
    parent.addCommand(createCommand(command, surroundings));
  }
  return program;

  /** A group is the first word of commands that have two. */
  function createGroup(name: string): CommanderCommand {
    const group = new CommanderCommand(name)
      .description(GROUP_SUMMARIES[name] ?? '')
      .version(SOFTWARE.version, ...VERSION_OPTION)
      .enablePositionalOptions()
      .helpOption(...HELP_OPTION)
      .helpCommand(false)
      .showSuggestionAfterError(false)
      .exitOverride();
    const words = `gazetteer ${name}`;
    return group.configureOutput(outputTo(surroundings.streams, group, words, OPTIONS_LAST));
  }
}

/**
 * Errors have the same form as those of the commands. `words`: the command as it is called.
 */
function outputTo(
  { output, errors }: Streams,
  command: CommanderCommand,
  words: string,
  remedies: Remedies,
) {
  return {
    writeOut: (text: string) => output.write(text),
    writeErr: (text: string) => errors.write(text),
    outputError: (text: string) => {
      const unknown = unknownWordText(text, command, words);
      errors.write((unknown ?? text.replace(/^error: /, 'gazetteer: ')) + remedyOf(text, remedies));
    },
  };
}

/** The text that follows an error of commander, by the beginning of the error. */
type Remedies = Readonly<Record<string, string>>;

function remedyOf(text: string, remedies: Remedies): string {
  return Object.entries(remedies).find(([start]) => text.startsWith(start))?.[1] ?? '';
}

function createCommand(command: Command, surroundings: Surroundings): CommanderCommand {
  const built = new CommanderCommand(command.name.split(' ').at(-1))
    .description(command.summary)
    .helpOption(...HELP_OPTION)
    .showHelpAfterError(`Run "gazetteer ${command.name} --help" for its options and examples.`)
    .showSuggestionAfterError(false)
    .exitOverride();
  const remedies: Remedies = {
    ...(command.argumentRemedy !== undefined && {
      'error: too many arguments': `${command.argumentRemedy}\n`,
    }),
  };
  built.configureOutput(
    outputTo(surroundings.streams, built, `gazetteer ${command.name}`, remedies),
  );
  const hasVersion = command.options?.some(({ syntax }) => syntax.startsWith('--version '));
  if (hasVersion !== true) built.version(SOFTWARE.version, ...VERSION_OPTION);
  if (command.argument !== undefined) {
    built.argument(command.argument.syntax, command.argument.help);
  }
  for (const option of command.options ?? []) built.addOption(commandOption(option));
  // Other users of the machine can see flags, so a secret has none.
  const withFlag = command.settings.filter((path) => !('isSecret' in SETTINGS[path]));
  const paths = new Map(withFlag.map((path) => [settingOption(path), path]));
  for (const option of paths.keys()) built.addOption(option);
  built.option('--config <file>', 'A JSON file with settings');
  built.addHelpText('after', `\nExamples:\n${examplesOf(command).join('\n')}`);
  built.action(async (...given: unknown[]) => {
    const options = built.opts();
    for (const option of command.options ?? []) requireValue(option, options);
    const flags = Object.fromEntries(
      [...paths].map(([option, path]) => [path, options[option.attributeName()]]),
    );
    const settled = settle({
      unknownName,
      flags,
      environment: surroundings.environment,
      ...(await settingsFile(options.config)),
      namesDatabase: command.namesDatabase?.(options) === true,
    });
    if (command.needsFiles?.(options) !== false) requireSettingFiles(command.settings, settled);
    const [first] = given;
    const words = command.argument === undefined ? [] : [first ?? []].flat().map(String);
    const context = { ...settled, ...surroundings, arguments: words, options };
    await command.run(context).catch((error) => {
      const { whenStopped } = command;
      const isKept = whenStopped === undefined || error instanceof CommandError;
      if (surroundings.stopped.aborted && !isKept) throw new CommandError(whenStopped);
      if (!(error instanceof UsageError || isWrongParameter(error))) throw error;
      throw new UsageError(withOptionNames(error.message, built.options));
    });
  });
  return built;
}

function requireValue({ syntax, value: rule }: CommandOption, options: OptionValues): void {
  const option = new Option(syntax);
  const value = options[option.attributeName()];
  if (rule === undefined || value === undefined || rule.is(value)) return;
  throw new UsageError(`${option.long} must be ${rule.name}. Got "${value}".`);
}

function examplesOf({ examples }: Command): string[] {
  return examples.map((example) => `  gazetteer ${example}`);
}

function commandOption({ syntax, help, isRepeatable }: CommandOption): Option {
  const option = new Option(syntax, help);
  if (isRepeatable === undefined) return option;
  return option.argParser((value, before?: string) =>
    before === undefined ? value : `${before} ${value}`,
  );
}

function settingOption(path: SettingPath): Option {
  const setting: Setting = SETTINGS[path];
  const flag = flagOf(path);
  const isFlag = typeof setting.defaultValue === 'boolean';
  const syntax = isFlag ? `${flag} [${setting.argument}]` : `${flag} <${setting.argument}>`;
  const { defaultValue, unset } = setting;
  const standard = defaultValue === undefined ? unset : JSON.stringify(defaultValue);
  const shown = standard === undefined ? '' : ` (default: ${standard})`;
  const [section, name] = path.split('.');
  const heading = name === undefined ? 'Settings:' : `Settings of ${section}:`;
  return new Option(syntax, `${setting.help}${shown}`).helpGroup(heading);
}

/** A mistake before the command is often an option that belongs after it. */
const OPTIONS_LAST: Remedies = {
  'error: unknown option':
    'Put options after the command, for example: gazetteer serve --port 8081\n',
};

const VERSION_OPTION = ['-V, --version', 'Print the version'] as const;
const HELP_OPTION = ['-h, --help', 'Print this help'] as const;
