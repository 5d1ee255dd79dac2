/**
 * Loads the packages of OpenTelemetry. They take 20 MB and most servers do not use them, so users
 * install them separately.
 */
import { TelemetryError } from './telemetry-error.ts';

/** The packages, and the versions that the tests use. */
export const OPEN_TELEMETRY_PACKAGES: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/exporter-metrics-otlp-http': '0.301.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/sdk-metrics': '3.1.0',
  '@opentelemetry/sdk-trace': '3.1.0',
};

/** Throws a `TelemetryError` if a package is not installed. */
export async function loadTracePackages() {
  return await requireInstalled(async () => {
    const [api, sdk, otlp, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, otlp, resources };
  });
}

/** Throws a `TelemetryError` if a package is not installed. */
export async function loadMetricPackages() {
  return await requireInstalled(async () => {
    const [api, sdk, otlp, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, otlp, resources };
  });
}

export type TracePackages = Awaited<ReturnType<typeof loadTracePackages>>;

/** `collector.ts` uses only the detector of environment variables and `resourceFromAttributes`. */
export type ResourcePackage = TracePackages['resources'];

async function requireInstalled<Packages>(load: () => Promise<Packages>): Promise<Packages> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    const names = Object.entries(OPEN_TELEMETRY_PACKAGES).map((each) => each.join('@'));
    throw new TelemetryError(
      'telemetry.endpoint is set, but the packages of OpenTelemetry are not installed. Run this ' +
        'command in the folder where gazetteer-fhir is installed, with -g if it is installed ' +
        `globally: npm install ${names.join(' ')}`,
    );
  }
}
