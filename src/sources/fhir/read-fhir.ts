/**
 * Reads a file of STU3 Organizations into a receiver, without holding it in memory. Their JSON can be
 * that of the retired national service.
 */

import { KnownCodeSystems } from '../../directory/import/collector.ts';
import { lastUpdatedMs } from '../../directory/record/record.ts';
import {
  type LeftOutReason,
  SourceError,
  type SourceReceiver,
} from '../../directory/record/source.ts';
import { STU3 } from '../../fhir/definitions/fhir-version.ts';
import {
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from '../../fhir/format/resource.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { addDisplays, type LeftOut, lastChangeOf } from './organization-parts.ts';
import { recordFromOrganization, type UnderstoodUris } from './organization-record.ts';
import { type FhirForm, type ResourceReading, readResources } from './read-resources.ts';
import type { ResourceKind } from './resource-events.ts';

export interface ReadFhirOptions {
  readonly receiver: SourceReceiver;
  readonly form: FhirForm;
  readonly uris: UnderstoodUris;
  /** The last change of an Organization if neither it nor its Bundle states one. */
  readonly now: Date;
}

/**
 * Pushes the Organizations of one file to the receiver, then their displays as code systems, and
 * then a manifest. It leaves out invalid resources and reports them. Throws a SourceError if the
 * file cannot be read to its end, or has no Organization that can be imported.
 */
export async function readFhir(document: ReleaseDocument, options: ReadFhirOptions): Promise<void> {
  const { receiver, form } = options;
  await readResources(document, {
    form,
    kind: STU3_RESOURCES,
    reading: new FhirReading(document.name, options),
    progress: receiver.progress,
  });
}

const STU3_RESOURCES: ResourceKind = {
  definitions: STU3.definitions,
  types: ['Organization'],
  prepare: (value) => {
    if (value.resourceType === 'Organization') fromLegacyOrganization(value);
  },
};

/** The state of one file that is being read. */
class FhirReading implements ResourceReading {
  readonly #name: string;
  readonly #options: ReadFhirOptions;
  readonly #displays = new KnownCodeSystems();
  readonly #today: string;
  #defaultLastUpdated: string;
  #newestMs = Number.NEGATIVE_INFINITY;
  #recordsRead = 0;
  #leftOut = 0;
  #firstLeftOut = '';

  constructor(name: string, options: ReadFhirOptions) {
    this.#name = name;
    this.#options = options;
    this.#today = dateOf(options.now.getTime());
    this.#defaultLastUpdated = this.#today;
  }

  bundle(lastUpdated: string | undefined): void {
    this.#defaultLastUpdated = lastChangeOf(lastUpdated) ?? this.#today;
  }

  resource(resource: Resource): LeftOut | undefined {
    const { receiver, uris } = this.#options;
    const outcome = recordFromOrganization(resource, uris, this.#defaultLastUpdated);
    if ('leftOut' in outcome) return outcome;
    const { record, warnings, codings } = outcome;
    for (const { kind, detail } of warnings) receiver.warning(kind, record.code, detail);
    addDisplays(this.#displays, codings);
    this.#newestMs = Math.max(this.#newestMs, lastUpdatedMs(record));
    this.#recordsRead += 1;
    receiver.record(record);
    return undefined;
  }

  leaveOut(reason: LeftOutReason, name: string, detail?: string): void {
    this.#options.receiver.leftOut(reason, name, detail);
    if (this.#leftOut === 0) this.#firstLeftOut = `${name}: ${detail ?? reason}`;
    this.#leftOut += 1;
  }

  /** After the last resource. */
  end(): void {
    const { receiver } = this.#options;
    if (this.#recordsRead === 0) throw this.#nothing();
    receiver.codeSystems(this.#displays.joined());
    receiver.manifest({ publicationDate: dateOf(this.#newestMs), publicationType: 'Full' });
  }

  #nothing(): SourceError {
    const reason =
      this.#leftOut === 0
        ? 'it contains no resources'
        : `resources left out: ${this.#leftOut}; ${this.#firstLeftOut}`;
    return new SourceError(
      `${this.#name} holds no Organization that can be imported (${reason}). ` +
        'Give STU3 Organizations as NDJSON or as a Bundle.',
    );
  }
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Makes arrays where FHIR has arrays. Changes the Organization in place, because other data refers to
 * its objects.
 */
function fromLegacyOrganization(organization: FhirObject): void {
  const object: Changeable = organization;
  const { meta, type } = object;
  if (isObject(type)) wrap(type, 'coding');
  for (const name of ['identifier', 'type', 'address']) wrap(object, name);
  if (isObject(meta) && typeof meta.profile === 'string') {
    const changeable: Changeable = meta;
    changeable.profile = [meta.profile];
  }
}

/** An object of the JSON reader, which no other code refers to yet. */
type Changeable = { [name: string]: FhirValue | undefined };

/** A single object becomes an array of one. */
function wrap(object: Changeable, name: string): void {
  const value = object[name];
  if (isObject(value)) object[name] = [value];
}
