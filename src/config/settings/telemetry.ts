/** The settings of telemetry: where the program sends spans. */
import { baseUrl, file, ratio, type Setting, text } from '../setting.ts';

export const TELEMETRY_SETTINGS = {
  'telemetry.endpoint': {
    schema: baseUrl().optional(),
    unset: 'no telemetry',
    argument: 'URL',
    help: 'The base URL of an OpenTelemetry collector, which receives spans over OTLP/HTTP',
    details:
      'Example: `http://127.0.0.1:4318`. See [Send telemetry](../how-to/send-telemetry.md). The URL has the scheme http or https, and no query, fragment or user.',
  } satisfies Setting<string | undefined>,
  'telemetry.headersFile': file('The file with HTTP headers for the collector, such as a token', {
    details:
      'Write each header on its own line, as `Name: value`. No message and no log line contains the headers.',
  }),
  'telemetry.serviceName': text('gazetteer', 'NAME', 'The name of the service in telemetry'),
  'telemetry.samplingRatio': ratio(1, 'The share of traces that are recorded', {
    details:
      'It applies to traces that begin in this program. For the trace of a caller, the caller decides.',
  }),
} as const;
