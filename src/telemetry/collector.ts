/** The collector that spans and metrics are sent to, over OTLP with HTTP and JSON. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { ResourcePackage } from './packages.ts';
import { TelemetryError } from './telemetry-error.ts';

export interface CollectorOptions {
  /** The base address, without a slash at the end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** The same in all threads of a process. */
  readonly instanceId: string;
  /** Whether exports fail: a cell for each signal, shared by all threads. */
  readonly failing: Int32Array<SharedArrayBuffer>;
}

/** The signals, by their cell. */
const SIGNALS = ['traces', 'metrics'] as const;
type Signal = (typeof SIGNALS)[number];

export function createFailing(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(SIGNALS.length * Int32Array.BYTES_PER_ELEMENT));
}

/** Called with the reason when an export fails, and no thread has reported it since a success. */
export type OnExportProblem = (problem: string) => void;

/** The longest time of an export, and so the longest delay of a stop by a slow collector. */
export const EXPORT_MS_MAX = 3_000;

/** https://nodejs.org/api/diagnostics_channel.html#http */
const REQUEST_START = 'http.client.request.start';

/** The options of the exporter of a signal. */
export function exporterOptions({ endpoint, headers }: CollectorOptions, signal: Signal) {
  // A thread that exports both signals must not limit each request twice.
  unsubscribe(REQUEST_START, limitExport);
  subscribe(REQUEST_START, limitExport);
  const url = `${endpoint}/v1/${signal}`;
  return { url, headers: { ...headers }, timeoutMillis: EXPORT_MS_MAX };
}

/**
 * Ends an export at its time limit. The limit of the exporter is one of silence: a collector that
 * sends its answer in small pieces would keep the server from ending.
 */
function limitExport(message: unknown): void {
  if (!(message instanceof Object && 'request' in message)) return;
  const { request } = message;
  // An import would load the module without telemetry too.
  const { ClientRequest } = process.getBuiltinModule('node:http');
  if (!(request instanceof ClientRequest)) return;
  if (!String(request.getHeader('user-agent')).includes(EXPORTER)) return;
  const end = () => request.destroy(new Error('Request timed out'));
  const limit = setTimeout(end, EXPORT_MS_MAX);
  request.once('close', () => clearTimeout(limit));
}

/** In the user agent of the exporters. */
const EXPORTER = 'OTel-OTLP-Exporter-JavaScript';

/** The attributes of the server in every export. The settings override `OTEL_RESOURCE_ATTRIBUTES`. */
export function resourceOf(
  { serviceName, version, instanceId }: CollectorOptions,
  { detectResources, resourceAttributesEnvDetector, resourceFromAttributes }: ResourcePackage,
) {
  return detectResources({ detectors: [resourceAttributesEnvDetector] }).merge(
    resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
  );
}

interface ExportResult {
  /** 0: the collector has accepted the data. */
  readonly code: number;
  readonly error?: Error;
}

/**
 * Reports the first failure after a success. `Data` are spans or metrics. Call the function that
 * it returns before the last export, which a collector that failed last does not get: the end of a
 * server would wait for it.
 */
export function reportFailures<Data>(
  exporter: { export(data: Data, done: (result: ExportResult) => void): void },
  { failing }: CollectorOptions,
  signal: Signal,
  onProblem: OnExportProblem,
): () => void {
  const send = exporter.export.bind(exporter);
  let isEnding = false;
  exporter.export = (data, done) => {
    if (isEnding && failing.some((_, cell) => Atomics.load(failing, cell) === 1)) {
      done({ code: FAILED });
      return;
    }
    send(data, (result) => {
      const isFailure = result.code !== 0;
      const wasFailing = Atomics.exchange(failing, SIGNALS.indexOf(signal), Number(isFailure));
      if (isFailure && wasFailing === 0) onProblem(`${signal}: ${problemOf(result.error)}`);
      done(result);
    });
  };
  return () => {
    isEnding = true;
  };
}

const FAILED = 1;

/** The error code and a limited part of the message: the answer of a collector can have any length. */
function problemOf(error: Error | undefined): string {
  if (error === undefined) return 'the export failed';
  const code = 'code' in error && error.code !== undefined ? String(error.code) : '';
  return [code, error.message]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, PROBLEM_LENGTH_MAX);
}

const PROBLEM_LENGTH_MAX = 200;

/** Reads `Name: value` on each line. Empty lines are ignored. */
export function readHeaders(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new TelemetryError(
      'The file of telemetry.headersFile cannot be read. Check its path and permissions. ' +
        String(error instanceof Error ? error.message : error),
    );
  }
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [, name, value] = HEADER.exec(line) ?? [];
        if (name !== undefined && value !== undefined) return [name, value];
        throw new TelemetryError(
          `${file} has a line that is not a header. Write "Name: value" on each line.`,
        );
      }),
  );
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+): *([!-~][ -~]*)$/;
