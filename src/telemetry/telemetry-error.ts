/** Telemetry does not work with these settings. The program prints the message without a stack. */
export class TelemetryError extends Error {
  override readonly name = 'TelemetryError';
}
