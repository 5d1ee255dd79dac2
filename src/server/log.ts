/** Log lines as JSON on standard output, and what a request's line says. */
import pino from 'pino';
import type { FhirRequest } from '../fhir/request.ts';

export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  /** Writes out what is held back. */
  flush(): void;
}

/**
 * Lines of requests are many: `isBuffered` gathers them for a quarter of a second. What is not
 * buffered is on its way when the call returns.
 */
export function createLog(level: string, isBuffered: boolean): Log {
  const destination = pino.destination(
    isBuffered ? { fd: 1, sync: false, minLength: BUFFER_BYTES } : { fd: 1, sync: true },
  );
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  if (isBuffered) setInterval(() => destination.flush(), FLUSH_MS).unref();
  return {
    error: (details, message) => logger.error(details, message),
    warn: (details, message) => logger.warn(details, message),
    info: (details, message) => logger.info(details, message),
    flush: () => destination.flushSync(),
  };
}

const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;

/** Values of parameters may tell what a person looks for: only their names, unless asked for. */
export function requestLine(
  request: FhirRequest,
  status: number,
  durationMs: number,
  client: string,
  withValues: boolean,
): object {
  const { method, path, query, id } = request;
  return {
    method,
    path,
    ...(query === '' ? {} : { parameters: withValues ? masked(query) : namesIn(query) }),
    status,
    ms: roundedMs(durationMs),
    client,
    requestId: id,
  };
}

/** What is no name of a parameter may be anything, also a secret in the wrong place. */
function namesIn(query: string): string {
  return query
    .split('&')
    .map((pair) => PARAMETER_NAME.exec(pair)?.[1] ?? '?')
    .join(' ');
}

const PARAMETER_NAME = /^([A-Za-z_][\w:.%-]{0,60})=/;

/** A token has no place in an address; where it is put there it is not written down. */
function masked(query: string): string {
  return query.replace(/\b(access_token=)[^&]*/gi, '$1…');
}

/** To the microsecond. */
export function roundedMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

/** A fault for the log; clients never see it. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { type: error.name, message: error.message, stack: error.stack };
}
