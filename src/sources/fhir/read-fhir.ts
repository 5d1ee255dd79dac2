/** Reads a file of STU3 Organizations into a receiver, without holding it in memory. */

import {
  type LeftOutReason,
  SourceError,
  type SourceReceiver,
} from '../../directory/import/source.ts';
import { type Concept, lastUpdatedMs } from '../../directory/record/record.ts';
import type { Resource } from '../../fhir/format/resource.ts';
import type { Finding } from '../../fhir/rules/finding.ts';
import type { ParseError } from '../release-file/parse-error.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { isCode } from '../release-file/source-text.ts';
import { lastChangeOf } from './organization-dates.ts';
import { addDisplay } from './organization-parts.ts';
import { recordFromOrganization } from './organization-record.ts';
import { type FhirForm, oneLine, type ResourceReading, readResources } from './read-resources.ts';
import { STU3_RESOURCES } from './stu3-resources.ts';
import type { UnderstoodUris } from './understood-uris.ts';

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

/** The state of one file that is being read. */
class FhirReading implements ResourceReading {
  readonly #name: string;
  readonly #options: ReadFhirOptions;
  readonly #roles = new Map<string, Concept>();
  readonly #recordClasses = new Map<string, Concept>();
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

  resource(resource: Resource | undefined, findings: readonly Finding[], place: string): void {
    const [finding] = findings;
    if (resource === undefined) {
      this.leftOut(place, finding?.text ?? 'it is not a resource');
    } else if (resource.resourceType !== 'Organization') {
      this.leftOut(place, `a resource of type ${resource.resourceType}, not Organization`);
    } else if (finding !== undefined) {
      this.#leaveOut('invalid-resource', idOf(resource), place, `${finding.path}: ${finding.text}`);
    } else {
      this.#organization(resource, place);
    }
  }

  leftOut(place: string, detail: string): void {
    this.#leaveOut('invalid-resource', '', place, detail);
  }

  /** After the last resource. */
  end(): void {
    const { receiver } = this.#options;
    if (this.#recordsRead === 0) throw this.#nothing();
    const roles = [...this.#roles.values()];
    const recordClasses = [...this.#recordClasses.values()];
    receiver.codeSystems({ roles, relationships: [], recordClasses });
    receiver.manifest({ publicationDate: dateOf(this.#newestMs), publicationType: 'Full' });
  }

  /** Makes the error for a fault in the file: the position, the fault, and the remedy. */
  fault({ message, remedy }: ParseError, bytesRead: number): SourceError {
    return new SourceError(
      `${this.#name} cannot be read after ${this.#recordsRead + this.#leftOut} resources ` +
        `(byte ${bytesRead} or soon after): ${oneLine(message)}. ${remedy}`,
    );
  }

  #organization(resource: Resource, place: string): void {
    const { receiver, uris } = this.#options;
    const outcome = recordFromOrganization(resource, uris, this.#defaultLastUpdated);
    if ('leftOut' in outcome) {
      this.#leaveOut(outcome.leftOut, outcome.code, place, outcome.detail);
      return;
    }
    const { record, warnings, roleCodings, recordClassCoding } = outcome;
    for (const { kind, detail } of warnings) receiver.warning(kind, record.code, detail);
    for (const coding of roleCodings) addDisplay(this.#roles, coding);
    if (recordClassCoding !== undefined) addDisplay(this.#recordClasses, recordClassCoding);
    this.#newestMs = Math.max(this.#newestMs, lastUpdatedMs(record));
    this.#recordsRead += 1;
    receiver.record(record);
  }

  /** Reports the resource by its code, or by its place if it has no code. */
  #leaveOut(reason: LeftOutReason, code: string, place: string, detail?: string): void {
    const details = [...(code === '' ? [] : [place]), ...(detail === undefined ? [] : [detail])];
    const shown = details.length === 0 ? undefined : oneLine(details.join(': '));
    this.#options.receiver.leftOut(reason, code === '' ? place : code, shown);
    if (this.#leftOut === 0)
      this.#firstLeftOut = `${code === '' ? place : code}: ${shown ?? reason}`;
    this.#leftOut += 1;
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

function idOf({ id }: Resource): string {
  return typeof id === 'string' && isCode(id) ? id : '';
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
