/** Reads a file of resources of the national R4 service into a top-up. */
import { type LeftOutReason, SourceError } from '../../directory/import/source.ts';
import type { TopUpReceiver } from '../../directory/import/top-up.ts';
import type { Concept } from '../../directory/record/record.ts';
import { R4 } from '../../fhir/definitions/fhir-version.ts';
import type { Resource } from '../../fhir/format/resource.ts';
import type { Finding } from '../../fhir/rules/finding.ts';
import { addDisplay } from '../fhir/organization-parts.ts';
import {
  type FhirForm,
  oneLine,
  type ResourceReading,
  readResources,
} from '../fhir/read-resources.ts';
import type { ParseError } from '../release-file/parse-error.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import type { Warning } from '../release-file/warning.ts';
import { relationshipFromAffiliation } from './affiliation.ts';
import { removalsIn } from './deletion-list.ts';
import { partialFromOrganization } from './partial-record.ts';

/** Throws a SourceError if the file cannot be read to its end. */
export async function readR4(
  document: ReleaseDocument,
  form: FhirForm,
  topUp: TopUpReceiver,
): Promise<void> {
  await readResources(document, {
    form,
    kind: { definitions: R4.definitions },
    reading: new R4Reading(document.name, topUp),
    progress: (bytes, bytesTotal) => topUp.progress(bytes, bytesTotal),
  });
}

class R4Reading implements ResourceReading {
  readonly #name: string;
  readonly #topUp: TopUpReceiver;
  readonly #systems = {
    roles: new Map<string, Concept>(),
    relationships: new Map<string, Concept>(),
    recordClasses: new Map<string, Concept>(),
  };
  #resources = 0;

  constructor(name: string, topUp: TopUpReceiver) {
    this.#name = name;
    this.#topUp = topUp;
  }

  bundle(): void {
    // Records state their own last change.
  }

  resource(resource: Resource | undefined, findings: readonly Finding[], place: string): void {
    this.#resources += 1;
    const [finding] = findings;
    if (resource === undefined || finding !== undefined) {
      const text =
        finding === undefined ? 'it is not a resource' : `${finding.path}: ${finding.text}`;
      this.#leaveOut('invalid-resource', idOf(resource), place, text);
      return;
    }
    switch (resource.resourceType) {
      case 'Organization':
        this.#organization(resource, place);
        return;
      case 'OrganizationAffiliation':
        this.#affiliation(resource, place);
        return;
      case 'List': {
        const removals = removalsIn(resource);
        if (removals === undefined) this.leftOut(place, 'a List without removals');
        else for (const removal of removals) this.#topUp.removal(removal);
        return;
      }
      default:
        this.leftOut(place, `a resource of type ${resource.resourceType}`);
    }
  }

  leftOut(place: string, detail: string): void {
    this.#leaveOut('invalid-resource', '', place, detail);
  }

  end(): void {
    const { roles, relationships, recordClasses } = this.#systems;
    this.#topUp.codeSystems({
      roles: [...roles.values()],
      relationships: [...relationships.values()],
      recordClasses: [...recordClasses.values()],
    });
  }

  fault({ message, remedy }: ParseError, bytesRead: number): SourceError {
    return new SourceError(
      `${this.#name} cannot be read beyond its first ${this.#resources} resources ` +
        `(byte ${bytesRead} or soon after): ${oneLine(message)}. ${remedy}`,
    );
  }

  #organization(resource: Resource, place: string): void {
    const outcome = partialFromOrganization(resource);
    if ('leftOut' in outcome) {
      this.#leaveOut(outcome.leftOut, outcome.code, place, outcome.detail);
      return;
    }
    const { record, warnings, roleCodings, recordClassCoding } = outcome;
    for (const coding of roleCodings) addDisplay(this.#systems.roles, coding);
    if (recordClassCoding !== undefined) {
      addDisplay(this.#systems.recordClasses, recordClassCoding);
    }
    this.#warn(record.code, warnings);
    this.#topUp.patch({ kind: 'partial', record });
  }

  #affiliation(resource: Resource, place: string): void {
    const outcome = relationshipFromAffiliation(resource);
    if ('problem' in outcome) {
      this.#leaveOut('invalid-resource', idOf(resource), place, outcome.problem);
      return;
    }
    addDisplay(this.#systems.relationships, outcome.coding);
    this.#warn(outcome.code, outcome.warnings);
    this.#topUp.relationship(outcome.code, outcome.relationship);
  }

  #warn(code: string, warnings: readonly Warning[]): void {
    for (const { kind, detail } of warnings) this.#topUp.warning(kind, code, detail);
  }

  #leaveOut(reason: LeftOutReason, code: string, place: string, detail?: string): void {
    const text = detail === undefined ? place : `${place}: ${detail}`;
    this.#topUp.leftOut(
      reason,
      code === '' ? place : code,
      oneLine(code === '' ? (detail ?? '') : text),
    );
  }
}

function idOf(resource: Resource | undefined): string {
  return typeof resource?.id === 'string' ? resource.id : '';
}
