/** A command of the program as a value: its arguments, options and settings, and what it runs. */
import type { Readable, Writable } from 'node:stream';
import type { Settled } from '../../config/load-config.ts';
import type { Config, SettingPath } from '../../config/settings.ts';

export interface Command {
  readonly name: string;
  /** The purpose, in one line. */
  readonly summary: string;
  /** One or two command lines, without quotes or pipes, without the name of the program. */
  readonly examples: readonly string[];
  /** The settings that it uses, besides `--config`. */
  readonly settings: readonly SettingPath[];
  /** `<name>` is required, `[name]` is optional, `...` accepts several. */
  readonly argument?: {
    readonly syntax: string;
    readonly help: string;
  };
  /** What to do instead of giving words to a command without an argument. */
  readonly argumentRemedy?: string;
  readonly options?: readonly CommandOption[];
  /** Whether the options name a database, so that its settings need no `database.url`. */
  readonly namesDatabase?: (options: CommandContext['options']) => boolean;
  /** Whether the files of its settings must exist with these options. By default they must. */
  readonly needsFiles?: (options: CommandContext['options']) => boolean;
  /** The message in place of a failure after the process was asked to end. */
  readonly whenStopped?: string;
  readonly run: (context: CommandContext) => Promise<void>;
}

export interface CommandOption {
  /** In the syntax of commander: `--report <file>`. */
  readonly syntax: string;
  readonly help: string;
  /** Whether it can be given several times. Its values are then joined with spaces. */
  readonly isRepeatable?: true;
  /** What its value must be, for the message that refuses another. */
  readonly value?: ValueRule;
}

export interface ValueRule {
  readonly is: (text: string) => boolean;
  /** Follows `must be`. */
  readonly name: string;
}

/** What a process gives the program. */
export interface Surroundings {
  /** The file of the program, for processes that it starts. */
  readonly program: string;
  /** The variables of the process, for processes that it starts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  /** From now on a hang-up signal calls this function instead of ending the process. */
  readonly onReload: (reload: () => void) => void;
}

export interface CommandContext extends Surroundings {
  readonly config: Config;
  /** The source of each setting, by path. */
  readonly origins: Settled['origins'];
  readonly arguments: readonly string[];
  /** By name in camel case: text, or true for an option without a value. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The streams of a command, so that only `main.ts` names the process. */
export interface Streams {
  readonly input: Readable;
  readonly output: Output;
  readonly errors: Output;
}

export interface Output extends Writable {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
}

/** A wrong argument or option of a command. Its message is printed; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A problem that the caller can solve. Its message is printed without a stack; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The end of a command that logs in JSON. Its message is a line of the log; exit code 1. */
export class FatalError extends Error {
  override readonly name = 'FatalError';
}

/** The error of the work, or of the first part that failed to close, if others failed to close too. */
export function causeOf(error: unknown): unknown {
  return error instanceof SuppressedError ? causeOf(error.suppressed) : error;
}

/** Whether the message of an error says what to do. Any other error is a fault of the program. */
export function isExplained({ name }: Error): boolean {
  return MEANT_FOR_PEOPLE.has(name);
}

const MEANT_FOR_PEOPLE = new Set([
  'AuthError',
  'CommandError',
  'EditionFormatError',
  'EditionGoneError',
  'FhirError',
  'ServerError',
  'SourceError',
  'StorageError',
  'TableError',
  'TelemetryError',
  'UsageError',
]);
