/** A face of the directory: one interface, of one FHIR version, over the rows of an edition. */

import type { PostcodesOf } from '../../directory/ask/near.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { CodeSystems, OrganizationRecord } from '../../directory/record/record.ts';
import type { OperationDefinition } from '../../fhir/interactions/operation.ts';
import type { OperationInput } from '../../fhir/interactions/operation-input.ts';
import type { NameTexts } from '../../fhir/search/name-texts.ts';
import type { SearchParameter, SearchRequest } from '../../fhir/search/parameter.ts';
import type { ServedType, Service, TypeSearch } from '../../fhir/service/interaction.ts';
import type { RequestExamples } from '../../fhir/service/open-api-examples.ts';
import type { Pause } from '../../threads/pauses.ts';
import type { Editions } from '../answer/editions.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import type { DefinitionParameter } from './definition-search.ts';
import type { Search } from './search.ts';

/**
 * The values that differ between faces. All faces share everything else: search, paging, Bundles,
 * validators, caches and downloads. `faces.ts` lists the faces that the program serves.
 */
export interface DirectoryFace
  extends Pick<
    Service,
    'title' | 'description' | 'version' | 'instantiates' | 'errorDetails' | 'outcomeProfile'
  > {
  /** The name of the service in its capability statement, in the OpenAPI description and in metrics. */
  readonly name: string;
  /** The path of its base below the public address of the server: `/STU3`. */
  pathOf(settings: DirectorySettings): string;
  /** The file with the hashes of API keys, if the face needs a key. */
  apiKeysOf?(settings: DirectorySettings): string | undefined;
  /** The path of the download of the whole current edition. Absent: this face has no download. */
  readonly downloadPath?: string;
  /** The path of the same download in the form of the national release, with relationships. */
  readonly releasePath?: string;
  /** The path of the files for analysis, without the end of their names. */
  readonly tablesPath?: string;
  /** The diagnostics of a read of an unknown code. */
  readonly notFound: string;
  /** The class method by which HAPI FHIR clients choose the FHIR version: `forDstu3`. */
  readonly hapiContext: string;
  /** Requests that find something in the national directory and in the sample. */
  readonly examples?: Service['examples'];
  /** The diagnostics of unknown and repeated parameters of all searches, if they are not the usual ones. */
  readonly nameTexts?: NameTexts;
  /** See `SearchDefinition`. */
  readonly ignoresEmpty?: boolean;
  readonly searchParameters: readonly SearchParameter[];
  readonly searchCombinations: TypeSearch['combinations'];
  /** The values of `_revinclude` in a search of organisations. */
  readonly reverseIncludes?: readonly string[];
  /**
   * `baseUrl` is the absolute address of the face, if it is known. `unknownRole`: the text about a
   * role that is not in the current edition.
   */
  createSearchParser(
    settings: DirectorySettings,
    baseUrl: string | undefined,
    postcodesOf?: PostcodesOf,
    unknownRole?: UnknownRole,
  ): ParseSearch;
  /** The profile of its Organizations. */
  profileOf(settings: DirectorySettings): string;
  /**
   * Whether it also shows reference-only records, and its resources have the time of their last
   * change as their version.
   */
  readonly isComplete?: boolean;
  /** Called once for each edition; the result maps each record of that edition. */
  createMapping(settings: DirectorySettings, codeSystems: CodeSystems): ToOrganization;
  /** How JSON differs from the standard form that `createMapping` and the searchset writer make. */
  jsonFormOf(settings: DirectorySettings): JsonForm;
  /** The resources that describe codes and search parameters. */
  definitionTypes(settings: DirectorySettings): readonly DefinitionType[];
  /** Further types that clients read and search. */
  furtherTypes?(context: FaceContext): readonly ServedType[];
}

/** A face on a server, as its further types see it. */
export interface FaceContext {
  readonly settings: DirectorySettings;
  /** The absolute address of the face, without a slash at the end. */
  readonly baseUrl: string;
  readonly editions: Editions;
  /** The standard form of an organisation, by its row in both sections of the edition. */
  organizationAt(edition: Edition, row: number): ResourceObject;
  /** See `RenderedEdition`. */
  fingerprintOf(edition: Edition): string;
}

/** Undefined without an edition. */
export type UnknownRole = (role: string) => string | undefined;

/** Throws a FhirError with all failures of the request. */
export type ParseSearch = (request: SearchRequest) => Search;

export type ToOrganization = (record: OrganizationRecord, state: RecordState) => ResourceObject;

/** What an edition knows of a record besides its content. */
export interface RecordState {
  readonly isReferenceOnly: boolean;
  /** See `versionIdOf`. */
  readonly versionId: string;
  /** The publication of the edition in which the record changed last, as an ISO instant. */
  readonly lastUpdated: string;
}

/** The form of JSON answers. XML always has FHIR's standard form. */
export interface JsonForm {
  organization(organization: ResourceObject): ResourceObject;
  /** Absent: outcomes have the standard form. */
  readonly outcome?: (outcome: { readonly resourceType: string }) => ResourceObject;
  readonly searchset: SearchsetForm;
}

/** The parts of a searchset Bundle that differ between faces. */
export interface SearchsetForm {
  readonly isTotalText: boolean;
  /** Whether each entry contains `search.mode`. */
  readonly hasSearchMode: boolean;
  /** Whether a page without matches has an empty array of entries. */
  readonly hasEmptyEntry: boolean;
  /** Whether an answer with the total alone contains links. */
  readonly hasLinksWithCount: boolean;
}

export const STANDARD_SEARCHSET: SearchsetForm = {
  isTotalText: false,
  hasSearchMode: true,
  hasEmptyEntry: false,
  hasLinksWithCount: true,
};

export const STANDARD_JSON: JsonForm = {
  organization: (organization) => organization,
  searchset: STANDARD_SEARCHSET,
};

/** A type with a few resources of known ids, which describe the directory itself. */
export type DefinitionType = DescribedType & (FixedResources | EditionResources);

export type DescribedType = Pick<ServedType, 'name' | 'documentation' | 'notFound'>;

export interface FixedResources {
  readonly resources: ReadonlyMap<string, ResourceObject>;
}

/** Resources whose content changes with the edition. */
export interface EditionResources {
  readonly ids: readonly string[];
  /** The parameters of its search. Absent: `_id`, `url` and `name`. */
  readonly searchedBy?: readonly DefinitionParameter[];
  /** Undefined for other ids. */
  resourceOf(id: string, edition: Edition): ResourceObject | undefined;
  /** Why the edition has no resource with one of the ids, and what to do. */
  missing?(id: string, edition: Edition): string | undefined;
  /** See `ServedType`. */
  readonly codeSystems?: readonly string[];
  readonly operations?: readonly EditionOperation[];
}

/** An operation over the current edition. */
export type EditionOperation = Omit<OperationDefinition, 'run'> & (ShortOperation | LongOperation);

interface ShortOperation {
  /** `id` is empty if the client uses the operation for the type. */
  run(input: OperationInput, edition: Edition, id: string): ResourceObject;
}

/** Its results are kept for the same request. */
export interface LongOperation {
  /** What it makes, as messages name it: `expansions`. */
  readonly longKind: string;
  /** The same. The pause is awaited after each piece of the work. */
  runLong(
    input: OperationInput,
    edition: Edition,
    id: string,
    pause: Pause,
  ): Promise<ResourceObject>;
}

/** An NHS trust that is in the national directory and in the sample. */
export const EXAMPLE_CODE = 'RTG';

/** Requests for organisations that all faces have as examples. */
export const ORGANIZATION_EXAMPLES: RequestExamples = {
  readOrganization: { parameters: { id: EXAMPLE_CODE } },
  searchOrganization: { parameters: { 'name:contains': 'leeds', active: 'true', _count: 5 } },
};
