/** A command of the program as a value: what it takes, and what it does. */
import type { Readable, Writable } from 'node:stream';
import type { Settled } from '../config/load-config.ts';
import type { Config, SettingPath } from '../config/settings.ts';

export interface Command {
  readonly name: string;
  /** What it is for, in one line. */
  readonly summary: string;
  /** The settings that it uses, besides `--config`. */
  readonly settings: readonly SettingPath[];
  /** `<name>` is needed, `[name]` is not, `...` takes several. */
  readonly argument?: { readonly syntax: string; readonly help: string };
  readonly options?: readonly CommandOption[];
  readonly run: (context: CommandContext) => Promise<void>;
}

export interface CommandOption {
  /** As commander has it: `--report <file>`. */
  readonly syntax: string;
  readonly help: string;
  /** Whether it may be given several times; its values are then joined with spaces. */
  readonly isRepeatable?: true;
}

export interface CommandContext {
  readonly config: Config;
  /** Where each setting came from, by path. */
  readonly origins: Settled['origins'];
  readonly arguments: readonly string[];
  /** By camel-case name: text, or true for an option without a value. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly streams: Streams;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  /** From now on a hang-up does not end the process but calls this. */
  readonly onReload: (reload: () => void) => void;
}

/** What a command reads and writes, so that only `main.ts` names the process. */
export interface Streams {
  readonly input: Readable;
  readonly output: Output;
  readonly errors: Output;
}

export interface Output extends Writable {
  /** Whether somebody reads it at a terminal. */
  readonly isTTY?: boolean;
}

/** A wrong argument or option of a command: shown as it is; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that the caller can mend: shown as it is, without a stack; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
