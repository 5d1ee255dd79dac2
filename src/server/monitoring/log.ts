/**
 * Writes log lines to standard output, as JSON or as text for a terminal, and builds the lines
 * of requests.
 */
import { getSystemErrorName } from 'node:util';
import pino from 'pino';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { printableText } from '../../fhir/service/failure.ts';
import type { Operation, PlainService, Service } from '../../fhir/service/interaction.ts';
import type { LogDetails } from './log-fields.ts';
import { LogOutput } from './log-output.ts';
import { LOG_PROBLEMS, type LogCode } from './log-problems.ts';
import { LossCounter } from './lost-lines.ts';

export interface Log {
  /** Writes a warning or an error. Its code has the level, and the message if none is given. */
  report(code: LogCode, details: LogDetails, message?: string): void;
  info(details: LogDetails, message: string): void;
  /** Writes text that is not a line of the log, for a person at a terminal. */
  print(text: string): void;
  /** Writes the buffered lines. */
  flush(): void;
}

export type LogFormat = 'json' | 'text';

export interface LogOptions {
  readonly level: string;
  readonly format: LogFormat;
  /**
   * Collects lines for a quarter of a second, because there are many lines of requests. Otherwise
   * each line is written before the call returns. Text for a terminal is never buffered.
   */
  readonly isBuffered: boolean;
  /** The memory of `createLossMemory`, for the lines of all threads that cannot be written. */
  readonly losses: SharedArrayBuffer;
}

/** Its calls never throw: a line that cannot be written is dropped and counted in `losses`. */
export function createLog({ level, format, isBuffered, losses }: LogOptions): Log {
  const textOf = (line: string) => (format === 'json' ? line : logText(JSON.parse(line)));
  const output = new LogOutput({
    isBuffered: isBuffered && format === 'json',
    losses: new LossCounter(losses),
    reportOf: ({ count, errno }) =>
      textOf(`${problemLine('GZ108', { lines: count, problem: lossProblem(errno) })}\n`),
  });
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, { write: (line) => output.write(textOf(line)) });
  setInterval(() => output.tick(), FLUSH_MS).unref();
  return {
    report: (code, details, message) => {
      const problem = LOG_PROBLEMS[code];
      logger[problem.level]({ code, ...details }, message ?? problem.message);
    },
    info: (details, message) => logger.info(details, message),
    print: (text) => output.write(text),
    flush: () => output.flush(),
  };
}

/** The line of a problem, in JSON, for what cannot use a `Log`. */
export function problemLine(code: LogCode, details: LogDetails): string {
  const { level, message } = LOG_PROBLEMS[code];
  const time = new Date().toISOString();
  return JSON.stringify({ level: LEVELS[level], time, code, ...details, msg: message });
}

const LEVELS = { warn: 40, error: 50, fatal: 60 } as const;

/** Why lines of the log were lost. */
function lossProblem(errno: number): string {
  if (errno === 0) return 'The program that reads the log was too slow.';
  const code = getSystemErrorName(errno);
  return LOSS_PROBLEMS[code] ?? `The system reported ${code}.`;
}

const LOSS_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'There was no space left for the log.',
  EIO: 'The disk or the terminal of the log reported an error.',
  EPIPE: 'No program read the log.',
};

/** A line for a terminal: the time of day, the level of warnings and errors, the message, the details. */
function logText(line: Readonly<Record<string, unknown>>): string {
  const { level, time, msg, ...details } = line;
  const shown = Object.entries(details).map(([name, value]) => `  ${name}=${detailText(value)}`);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  return `${clock}  ${LEVEL_NAMES[Number(level)] ?? ''}${msg}${shown.join('')}\n`;
}

function detailText(value: unknown): string {
  return typeof value === 'string' && /^[^\s\p{C}]+$/u.test(value) ? value : JSON.stringify(value);
}

const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ' };

const FLUSH_MS = 250;

/** Which parts of a request its log line may contain. */
export interface RequestLogging {
  /** The segments of paths and the names of parameters that the server knows. */
  readonly words: ReadonlySet<string>;
  /** Whether the line contains the path and the values of parameters as sent. */
  readonly withValues: boolean;
}

/** What the line of a request says of its answer. */
export interface AnswerFacts {
  readonly status: number;
  readonly durationMs: number;
  /** The address of the client. */
  readonly client: string | undefined;
  readonly traceId?: string | undefined;
}

/**
 * The line has only the names of parameters, unless a setting asks for the values: values can show
 * what a person looks for.
 */
export function requestLine(
  { method, path, query, id }: Pick<FhirRequest, 'method' | 'path' | 'query' | 'id'>,
  { status, durationMs, client, traceId }: AnswerFacts,
  { words, withValues }: RequestLogging,
): LogDetails {
  const isFound = status < 400 && method !== 'OPTIONS';
  return {
    method,
    path: withValues || isFound ? path : knownPath(path, words),
    ...(query !== '' && { parameters: withValues ? masked(query) : namesIn(query, words) }),
    status,
    ms: roundedMs(durationMs),
    ...(client !== undefined && { client }),
    requestId: id,
    ...(traceId !== undefined && { traceId }),
  };
}

/** The path of a refused request may contain anything, such as a name or a token. */
function knownPath(path: string, words: ReadonlySet<string>): string {
  return path
    .split('/')
    .map((segment) => (segment === '' || words.has(segment) ? segment : '…'))
    .join('/');
}

function namesIn(query: string, words: ReadonlySet<string>): string {
  return query
    .split('&', NAMES_MAX)
    .map((pair) => pair.split('=', 1)[0] ?? '')
    .map((name) => (name.split(':').every((word) => words.has(word)) ? name : '?'))
    .join(' ');
}

/** The same number that a search may have. */
const NAMES_MAX = 50;

/** The segments of paths and the names and modifiers of parameters that services know. */
export function knownWordsOf(
  services: readonly Service[],
  plainServices: readonly PlainService[],
): string[] {
  const ownWords = services.flatMap((service) => {
    const { baseUrl, downloads, interactions, types } = service;
    return [
      ...[baseUrl, ...downloads.map(({ url }) => url)].flatMap((url) =>
        new URL(url).pathname.split('/'),
      ),
      ...interactions.flatMap(({ path, describe }) => wordsOf(path, describe(service))),
      ...types.flatMap((type) => [
        type.name,
        ...type.interactions.flatMap(({ path, describe }) =>
          wordsOf(path, describe(service, type)),
        ),
      ]),
    ];
  });
  const plainWords = plainServices.flatMap(({ baseUrl, words }) => [
    ...new URL(baseUrl).pathname.split('/'),
    ...words,
  ]);
  return [...ownWords, ...plainWords].filter((word) => word !== '');
}

/** The segments of the path of an interaction, and its parameters with their modifiers. */
function wordsOf(path: string, { parameters = [] }: Operation): readonly string[] {
  const names = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' && 'name' in parameter
      ? String(parameter.name).split(':')
      : [],
  );
  return [...path.split('/').filter((segment) => !segment.startsWith('[')), ...names];
}

/** Removes a token from a query. Clients must not send tokens there. */
function masked(query: string): string {
  return query.replace(/\b(access_token=)[^&]*/gi, '$1…');
}

/** To the microsecond. */
function roundedMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

/**
 * Describes a fault in a request for the log: its type, code and stack. The message is left out
 * unless `withMessage`, because it may contain data that a client sent.
 */
export function describeFault(error: unknown, withMessage = false): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '' } = error;
  const code = 'code' in error ? String(error.code) : '';
  const start = stack.indexOf(message);
  const frames = start < 0 ? '' : stack.slice(start + message.length);
  return {
    type: name,
    ...(ERROR_CODE.test(code) && { code }),
    ...(withMessage && { message: printableText(message) }),
    stack: frames
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
  };
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]*$/;

/** Describes an error outside of requests for the log. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { type: error.name, message: error.message, stack: error.stack };
}
