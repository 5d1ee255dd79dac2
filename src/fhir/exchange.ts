/** A request to a store of versions on its way: what its interaction knows and has to work with. */
import type { Access } from './access.ts';
import { FhirError } from './fhir-error.ts';
import type { Form } from './negotiate.ts';
import type { FhirRequest } from './request.ts';
import type { VersionRoute, WrittenType } from './route.ts';
import type { Service } from './service.ts';

export interface Exchange<R extends VersionRoute = VersionRoute> {
  readonly request: FhirRequest;
  readonly service: Service;
  readonly route: R;
  readonly form: Form;
  /** Empty for interactions without parameters. */
  readonly body: Uint8Array;
  readonly access: Access;
  /** Milliseconds since the request was taken up. */
  readonly elapsedMs: () => number;
  /**
   * To be called before the store is asked for it: from then on the store writes the access down.
   * What is refused before is written down by whoever runs the interaction.
   */
  readonly handOver: () => void;
}

/** `OrderResponse/{id}/_history/{version}` */
export function versionPath(type: WrittenType, id: string, version: number): string {
  return `${type.name}/${id}/_history/${version}`;
}

export function noRecord(diagnostics: string): FhirError {
  return new FhirError([{ kind: 'no-record', diagnostics }]);
}
