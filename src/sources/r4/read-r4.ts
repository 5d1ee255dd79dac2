/** Reads a file of resources of the national R4 service into a top-up. */
import { KnownCodeSystems } from '../../directory/import/collector.ts';
import type { TopUp } from '../../directory/import/top-up.ts';
import type { LeftOutReason, Warning } from '../../directory/record/source.ts';
import { R4 } from '../../fhir/definitions/fhir-version.ts';
import type { Resource } from '../../fhir/format/resource.ts';
import { addDisplays, type Coding, type LeftOut } from '../fhir/organization-parts.ts';
import { type FhirForm, type ResourceReading, readResources } from '../fhir/read-resources.ts';
import type { ReleaseDocument } from '../release-file/read-release.ts';
import { partialFromOrganization, relationshipFromAffiliation, removalsIn } from './resources.ts';

/** Throws a SourceError if the file cannot be read to its end. */
export async function readR4(
  document: ReleaseDocument,
  form: FhirForm,
  topUp: TopUp,
): Promise<void> {
  await readResources(document, {
    form,
    kind: {
      definitions: R4.definitions,
      types: ['Organization', 'OrganizationAffiliation', 'List'],
    },
    reading: new R4Reading(topUp),
    progress: (bytes, bytesTotal) => topUp.progress(bytes, bytesTotal),
  });
}

class R4Reading implements ResourceReading {
  readonly #topUp: TopUp;
  readonly #displays = new KnownCodeSystems();

  constructor(topUp: TopUp) {
    this.#topUp = topUp;
  }

  resource(resource: Resource): LeftOut | undefined {
    if (resource.resourceType === 'Organization') return this.#organization(resource);
    if (resource.resourceType === 'List') return this.#list(resource);
    const outcome = relationshipFromAffiliation(resource);
    if ('leftOut' in outcome) return outcome;
    this.#note(outcome.code, outcome);
    this.#topUp.relationship(outcome.code, outcome.relationship);
    return undefined;
  }

  leaveOut(reason: LeftOutReason, name: string, detail?: string): void {
    this.#topUp.leftOut(reason, name, detail);
  }

  end(): void {
    this.#topUp.codeSystems(this.#displays.joined());
  }

  #organization(resource: Resource): LeftOut | undefined {
    const outcome = partialFromOrganization(resource);
    if ('leftOut' in outcome) return outcome;
    const { record } = outcome;
    this.#note(record.code, outcome);
    this.#topUp.patch({ kind: 'partial', record });
    return undefined;
  }

  #list(resource: Resource): LeftOut | undefined {
    const removals = removalsIn(resource);
    if (removals === undefined) {
      return { leftOut: 'invalid-resource', code: '', detail: 'a List without removals' };
    }
    for (const removal of removals) this.#topUp.removal(removal);
    return undefined;
  }

  #note(code: string, read: { warnings: readonly Warning[]; codings: readonly Coding[] }): void {
    for (const { kind, detail } of read.warnings) this.#topUp.warning(kind, code, detail);
    addDisplays(this.#displays, read.codings);
  }
}
