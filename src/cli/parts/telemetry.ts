/** Opens the telemetry of a process as its settings say, and closes it when the work ends. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/settings.ts';
import { SOFTWARE } from '../../config/version.ts';
import type { Log } from '../../server/monitoring/log.ts';
import {
  type CollectorOptions,
  type OnExportProblem,
  openSpanExport,
  readHeaders,
} from '../../telemetry/span-export.ts';
import { parseTraceContext, traceHeaders } from '../../telemetry/trace-context.ts';
import { Tracing } from '../../telemetry/tracing.ts';
import type { CommandContext } from './command.ts';

/** Undefined if telemetry is switched off. Throws a `TelemetryError` if the headers cannot be read. */
export function collectorOf(config: Config): CollectorOptions | undefined {
  const endpoint = config['telemetry.endpoint'];
  if (endpoint === undefined) return undefined;
  const file = config['telemetry.headersFile'];
  return {
    endpoint,
    headers: file === undefined ? {} : readHeaders(file),
    serviceName: config['telemetry.serviceName'],
    samplingRatio: config['telemetry.samplingRatio'],
    version: SOFTWARE.version,
    instanceId: randomUUID(),
    failing: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}

export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends the remaining spans, within seconds. Never rejects. */
  close(): Promise<void>;
}

/** Rejects with a `TelemetryError` if the packages of OpenTelemetry are not installed. */
export async function openTracing(
  collector: CollectorOptions | undefined,
  onProblem: OnExportProblem,
): Promise<OpenTracing> {
  const spans = collector && (await openSpanExport(collector, onProblem));
  return { tracing: new Tracing(spans), close: async () => spans?.close() };
}

/** Logs that the collector does not accept spans. */
export function logExportProblems(
  log: Log,
  collector: CollectorOptions | undefined,
): OnExportProblem {
  return (problem) => log.report('GZ601', { endpoint: collector?.endpoint, problem });
}

/** Runs a command as a part of the trace that its environment names, in a new span. */
export async function traceCommand(
  { config, environment, streams }: CommandContext,
  name: string,
  work: (tracing: Tracing) => Promise<void>,
): Promise<void> {
  const { tracing, close } = await openTracing(collectorOf(config), (problem) =>
    streams.errors.write(
      `gazetteer: Cannot send telemetry: ${problem}. Check telemetry.endpoint and the collector.\n`,
    ),
  );
  const run = () => tracing.run({ name, kind: 'internal' }, () => work(tracing));
  const caller = parseTraceContext(environment.TRACEPARENT, environment.TRACESTATE);
  try {
    await (caller === undefined ? run() : tracing.continue(caller, run));
  } finally {
    await close();
  }
}

/**
 * The variables that `traceCommand` of a child process reads.
 * https://opentelemetry.io/docs/specs/otel/context/env-carriers/
 */
export function traceEnvironment({ current }: Tracing): Readonly<Record<string, string>> {
  const headers = current === undefined ? {} : traceHeaders(current);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
}
