/** The directory of organisations as a FHIR service. https://hl7.org/fhir/STU3/organization.html */
import { hash } from 'node:crypto';
import { EXPOSED_HEADERS } from '../../fhir/answer.ts';
import { FhirError } from '../../fhir/fhir-error.ts';
import { STU3 } from '../../fhir/fhir-version.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import type { Form } from '../../fhir/negotiate.ts';
import type { Representation, SearchRequest, ServedType, Service } from '../../fhir/service.ts';
import { ByteWriter } from '../byte-writer.ts';
import { currentEditionDocument } from '../current-edition.ts';
import { type Edition, XML_DECLARATION, XML_ROOT } from '../edition.ts';
import type { DirectorySettings } from '../settings.ts';
import { identityOf, searchBundle, writeBundle } from './bundle.ts';
import { CODE_SYSTEM_IDS, codeSystemResource, valueSetResource } from './code-systems.ts';
import { toLegacyOutcome } from './legacy-outcome.ts';
import type { ResourceObject } from './organization.ts';
import type { ParameterContext } from './parameters/context.ts';
import { parseSearch } from './parameters.ts';
import { roleSystemsOf } from './role-systems.ts';
import {
  DEFINED_PARAMETERS,
  SEARCH_PARAMETER_IDS,
  searchParameterResource,
} from './search-parameters.ts';

/** The editions that can be read now. */
export interface Editions {
  /** The newest, or nothing before the first import. */
  current(): Edition | undefined;
  /**
   * The current edition, or a replaced one in its grace period. `on disk` for a replaced
   * edition that is not in memory: the server then reads it, and a later request finds it.
   */
  byNumber(number: number): Edition | 'on disk' | undefined;
}

/** `serverUrl` is the public address of the server, without a slash at the end. */
export function createDirectoryService(
  settings: DirectorySettings,
  serverUrl: string,
  editions: Editions,
): Service {
  const baseUrl = `${serverUrl}/STU3`;
  const context: ParameterContext = { settings, roleSystems: roleSystemsOf(settings, baseUrl) };
  const writer = new ByteWriter(SLABS_KEPT);
  const release = (body: Uint8Array) => writer.release(body);
  const typeUrl = `${baseUrl}/Organization`;

  const current = (): Edition => {
    const edition = editions.current();
    if (edition === undefined) throw NO_EDITION;
    return edition;
  };

  const organization: ServedType = {
    name: 'Organization',
    profile: settings.organizationProfile,
    documentation: 'The organisations of the directory, by their codes.',
    notFound: 'No record found for supplied ODS code',
    read: (id, form) => {
      const edition = current();
      const key = `${formKey(form)}/${id}`;
      const known = edition.reads.get(key);
      if (known !== undefined) return known;
      const found = findRow(edition, id);
      if (found === undefined) return undefined;
      const { row, code } = found;
      const representation: Representation = {
        etag: edition.etagOf(row, form.format),
        lastModified: edition.lastModifiedOf(row),
        ...(code === id ? {} : { contentLocation: `${typeUrl}/${code}` }),
        body: () => organizationBody(edition, row, form, writer),
        release,
      };
      return edition.reads.note(key, representation);
    },
    search: (request) => {
      const newest = current();
      const { query, isLenient, form } = request;
      const key = `${formKey(form)}${isLenient ? ' lenient' : ''}?${query}`;
      const known = newest.results.get(key);
      if (known !== undefined) return known;
      const { edition, representation } = search(
        request,
        context,
        editions,
        newest,
        typeUrl,
        writer,
      );
      // An answer of an older edition must end with its grace period, so it is not kept.
      return edition === newest ? newest.results.note(key, representation) : representation;
    },
    searchParameters: DEFINED_PARAMETERS,
    searchCombinations: [['ods-org-role', 'ods-org-primaryRole']],
  };

  return {
    name: 'OrganisationDirectory',
    description: 'Directory of organisations: read by code, and search.',
    version: STU3,
    serverUrl,
    baseUrl,
    defaultFormat: 'json',
    types: [organization, ...definitionTypes(settings, current)],
    ...(settings.json === 'legacy' ? { outcomeJson: toLegacyOutcome } : {}),
    headers: [
      'Vary',
      settings.gzipMinBytes === 0 ? 'Accept' : 'Accept, Accept-Encoding',
      ...OPEN_HEADERS,
    ],
    cacheControl: settings.cacheControl,
    gzipMinBytes: settings.gzipMinBytes,
    documents: [currentEditionDocument(serverUrl, current)],
  };
}

/** The resources that say what codes and parameters mean: few, and the same in every JSON form. */
function definitionTypes(settings: DirectorySettings, current: () => Edition): ServedType[] {
  const searchParameters = new Map(
    SEARCH_PARAMETER_IDS.map((id) => [id, searchParameterResource(id, settings)]),
  );
  const ofEdition =
    (make: typeof codeSystemResource) =>
    (id: string, form: Form): Representation | undefined => {
      const edition = current();
      const resource = make(id, edition, settings);
      if (resource === undefined) return undefined;
      return {
        etag: `W/"${edition.fingerprint.slice(0, 16)}-${form.format}"`,
        lastModified: edition.publishedDate,
        body: () => encode(resource, form),
      };
    };
  return [
    {
      name: 'CodeSystem',
      documentation: 'The codes that organisations carry, with their displays.',
      ids: CODE_SYSTEM_IDS,
      notFound: `There are the code systems ${CODE_SYSTEM_IDS.join(' and ')}.`,
      read: ofEdition(codeSystemResource),
      ...WITHOUT_SEARCH,
    },
    {
      name: 'ValueSet',
      documentation: 'All codes of each code system.',
      ids: CODE_SYSTEM_IDS,
      notFound: `There are the value sets ${CODE_SYSTEM_IDS.join(' and ')}.`,
      read: ofEdition(valueSetResource),
      ...WITHOUT_SEARCH,
    },
    {
      name: 'SearchParameter',
      documentation: 'The search parameters that FHIR does not define.',
      ids: SEARCH_PARAMETER_IDS,
      notFound: `There are the search parameters ${SEARCH_PARAMETER_IDS.join(' and ')}.`,
      read: (id, form) => {
        const resource = searchParameters.get(id);
        if (resource === undefined) return undefined;
        const body = encode(resource, form);
        return { etag: `W/"${hash('sha256', body).slice(0, 16)}"`, body: () => body };
      },
      ...WITHOUT_SEARCH,
    },
  ];
}

const WITHOUT_SEARCH = { searchParameters: [], searchCombinations: [] };

function encode(resource: ResourceObject, { format, isPretty }: Form): string {
  return format === 'json'
    ? encodeJson(resource, { pretty: isPretty })
    : encodeXml(resource, STU3.definitions, { pretty: isPretty });
}

/** Open reference data: any page may read it. */
const OPEN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
  'X-Content-Type-Options',
  'nosniff',
];

/** For each thread, megabytes: the bodies of the last 800 pages, or of some 18,000 reads. */
const SLABS_KEPT = 32;

const RETRY_AFTER_SECONDS = '5';

const NO_EDITION = new FhirError(
  [
    {
      kind: 'unavailable',
      diagnostics:
        'The directory has no edition yet. Import one with "gazetteer import FILE"; ' +
        'it is served as soon as it is there.',
    },
  ],
  ['Retry-After', RETRY_AFTER_SECONDS],
);

function search(
  request: SearchRequest,
  context: ParameterContext,
  editions: Editions,
  newest: Edition,
  typeUrl: string,
  writer: ByteWriter,
): { edition: Edition; representation: Representation } {
  const { settings } = context;
  const { form } = request;
  const understood = parseSearch(request, context);
  const edition = understood.edition === undefined ? newest : editions.byNumber(understood.edition);
  if (edition === undefined) throw editionGone(understood.edition, newest);
  if (edition === 'on disk') throw editionOnDisk(understood.edition);
  const identity = identityOf(understood, edition, form);
  const representation: Representation = {
    etag: identity.etag,
    lastModified: edition.publishedDate,
    ...(understood.hasIgnored ? { preferenceApplied: 'handling=lenient' } : {}),
    release: (body) => writer.release(body),
    body: () => {
      const offset = (understood.page - 1) * understood.count;
      const page = edition.index.search(understood.query, offset, understood.count);
      const result = { identity, search: understood, page, edition, typeUrl };
      const { format, isPretty } = form;
      if (!isPretty) return writeBundle(result, format, settings, writer);
      return encode(searchBundle(result, format, settings), form);
    },
  };
  return { edition, representation };
}

/** The national service found codes in lower case too; letters beyond ASCII have no such twin. */
function findRow({ index }: Edition, id: string): { row: number; code: string } | undefined {
  const row = index.rowOf(id);
  if (row !== undefined) return { row, code: id };
  if (!ASCII_CODE.test(id)) return undefined;
  const code = id.toUpperCase();
  const other = index.rowOf(code);
  return other === undefined ? undefined : { row: other, code };
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;

/** Begins the keys of answers that are kept: in an edition, what else they depend on is asked for. */
function formKey({ format, isPretty }: Form): string {
  return isPretty ? `${format} pretty` : format;
}

function organizationBody(
  edition: Edition,
  row: number,
  form: Form,
  writer: ByteWriter,
): Uint8Array | string {
  const { format } = form;
  if (form.isPretty) {
    const organization = edition.organizationAt(row);
    return encode(format === 'json' ? edition.toJson(organization) : organization, form);
  }
  if (format === 'json') return writer.wholeBody(edition.templates.json, row);
  writer.start();
  writer.text(XML_DECLARATION + XML_ROOT);
  writer.body(edition.templates.xml, row);
  return writer.finish();
}

function editionGone(number = 0, newest: Edition): FhirError {
  const what =
    number >= 1 && number <= newest.number
      ? `Edition ${number} of the directory is no longer kept.`
      : `The directory has no edition with this number: the newest is ${newest.number}.`;
  return new FhirError([
    {
      kind: 'edition-gone',
      diagnostics: `${what} Repeat the search without _edition and _page.`,
      location: 'http._edition',
    },
  ]);
}

function editionOnDisk(number: number | undefined): FhirError {
  return new FhirError(
    [
      {
        kind: 'unavailable',
        diagnostics: `Edition ${number} of the directory is being read from the disk. Repeat the request.`,
        location: 'http._edition',
      },
    ],
    ['Retry-After', RETRY_AFTER_SECONDS],
  );
}
