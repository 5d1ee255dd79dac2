/** The directory of organisations as a FHIR service. https://hl7.org/fhir/STU3/organization.html */
import { FhirError } from '../fhir/fhir-error.ts';
import { STU3 } from '../fhir/fhir-version.ts';
import { encodeJson } from '../fhir/format/json.ts';
import { encodeXml } from '../fhir/format/xml.ts';
import { httpDate } from '../fhir/headers.ts';
import type { Form } from '../fhir/negotiate.ts';
import type { Representation, SearchRequest, ServedType, Service } from '../fhir/service.ts';
import { identityOf, searchBundle, writeBundle } from './bundle.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Edition, XML_DECLARATION, XML_ROOT } from './edition.ts';
import { toLegacyOutcome } from './legacy-outcome.ts';
import type { ParameterContext } from './parameters/context.ts';
import { parseSearch, SEARCH_PARAMETERS } from './parameters.ts';
import { roleSystemsOf } from './role-systems.ts';
import type { DirectorySettings } from './settings.ts';

/** The editions that can be read now. */
export interface Editions {
  /** The newest, or nothing before the first import. */
  current(): Edition | undefined;
  /** The current one, or a replaced one during its grace period. */
  byNumber(number: number): Edition | undefined;
}

/** `serverUrl` is the public address of the server, without a slash at the end. */
export function createDirectoryService(
  settings: DirectorySettings,
  serverUrl: string,
  editions: Editions,
): Service {
  const baseUrl = `${serverUrl}/STU3`;
  const context: ParameterContext = { settings, roleSystems: roleSystemsOf(settings, baseUrl) };
  const writer = new ByteWriter();
  const typeUrl = `${baseUrl}/Organization`;

  const current = (): Edition => {
    const edition = editions.current();
    if (edition === undefined) throw NO_EDITION;
    return edition;
  };

  const organization: ServedType = {
    name: 'Organization',
    profile: settings.organizationProfile,
    notFound: 'No record found for supplied ODS code',
    read: (id, form) => {
      const edition = current();
      const row = findRow(edition, id);
      if (row === undefined) return undefined;
      const code = edition.index.codeOf(row);
      return {
        etag: edition.etagOf(row, form.format),
        lastModified: edition.lastModifiedOf(row),
        ...(code === id ? {} : { contentLocation: `${typeUrl}/${code}` }),
        body: () => organizationBody(edition, row, form, writer),
      };
    },
    search: (request) => {
      const newest = current();
      const key = cacheKey(request);
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
      if (edition === newest) newest.results.note(key, representation);
      return representation;
    },
    searchParameters: SEARCH_PARAMETERS,
    searchCombinations: [['ods-org-role', 'ods-org-primaryRole']],
  };

  return {
    name: 'OrganisationDirectory',
    description: 'Directory of organisations: read by code, and search.',
    version: STU3,
    baseUrl,
    defaultFormat: 'json',
    types: [organization],
    ...(settings.json === 'legacy' ? { outcomeJson: toLegacyOutcome } : {}),
    headers: HEADERS,
  };
}

/** Open reference data: any page may read it. */
const HEADERS = [
  'Vary',
  'Accept',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Location, Content-Location, Last-Modified, X-Request-Id, Retry-After',
  'X-Content-Type-Options',
  'nosniff',
];

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
  if (edition === undefined) throw editionGone(understood.edition);
  const { id, etag } = identityOf(understood, edition, form);
  const representation: Representation = {
    etag,
    lastModified: httpDate(Date.parse(edition.publishedAt)),
    ...(understood.hasIgnored ? { preferenceApplied: 'handling=lenient' } : {}),
    body: () => {
      const offset = (understood.page - 1) * understood.count;
      const page = edition.index.search(understood.query, offset, understood.count);
      const result = { search: understood, page, edition, typeUrl };
      const { format, isPretty } = form;
      if (!isPretty) return writeBundle(result, id, format, settings, writer);
      const bundle = searchBundle(result, id, format, settings);
      return format === 'json'
        ? encodeJson(bundle, { pretty: true })
        : encodeXml(bundle, STU3.definitions, { pretty: true });
    },
  };
  return { edition, representation };
}

/** The national service found codes in lower case too; letters beyond ASCII have no such twin. */
function findRow({ index }: Edition, id: string): number | undefined {
  return index.rowOf(id) ?? (ASCII_CODE.test(id) ? index.rowOf(id.toUpperCase()) : undefined);
}

const ASCII_CODE = /^[A-Za-z0-9]+$/;

/** All that an answer depends on besides edition and settings. */
function cacheKey({ query, isLenient, form }: SearchRequest): string {
  return `${form.format}${form.isPretty ? ' pretty' : ''}${isLenient ? ' lenient' : ''}?${query}`;
}

function organizationBody(
  edition: Edition,
  row: number,
  { format, isPretty }: Form,
  writer: ByteWriter,
): Uint8Array | string {
  if (isPretty) {
    const organization = edition.organizationAt(row);
    return format === 'json'
      ? encodeJson(edition.toJson(organization), { pretty: true })
      : encodeXml(organization, STU3.definitions, { pretty: true });
  }
  writer.start();
  if (format === 'xml') writer.text(XML_DECLARATION + XML_ROOT);
  writer.template(edition.templates[format], row);
  return writer.finish();
}

function editionGone(number: number | undefined): FhirError {
  return new FhirError([
    {
      kind: 'edition-gone',
      diagnostics:
        `Edition ${number} of the directory is no longer kept. ` +
        'Repeat the search without _edition and _page.',
      location: 'http._edition',
    },
  ]);
}
