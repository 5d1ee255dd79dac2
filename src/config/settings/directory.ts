/** The settings of the directory: answers, editions in memory, and the URIs of organisations. */
import { isBaseUrl } from './addresses.ts';
import {
  choice,
  file,
  flag,
  folder,
  list,
  matching,
  optional,
  path,
  uri,
  whole,
  withDefault,
} from './setting.ts';

const timeOfDay = withDefault(
  matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as 03:00'),
  'HH:MM',
);

const headerValue = optional(
  matching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be a header value'),
  'VALUE',
);

const URL_BASE = 'https://fhir.nhs.uk/STU3/StructureDefinition';

export const DIRECTORY_SETTINGS = {
  'directory.enabled': flag(true, 'Serve the directory'),
  'directory.source': list(
    (item) => /^(trud|r4|ord)$/.test(item) || isBaseUrl(item),
    'must be trud, r4, ord, or the FHIR base URL of a peer. Separate several sources with commas',
    'The sources from which the server fetches the directory: `trud`, `r4`, `ord`, or the FHIR base URL of a peer',
    'the server fetches nothing',
  ),
  'directory.fetchAt': timeOfDay('03:00', 'The local time at which the server fetches each day'),
  'directory.authenticate': flag(false, 'Require a bearer token for the directory'),
  'directory.json': choice(
    ['fhir', 'legacy'],
    'fhir',
    'The form of JSON at `directory.stu3.path`: as FHIR defines it, or as the retired national service sent it',
  ),
  'directory.stu3.path': path('/STU3', 'The path of the STU3 interface'),
  'directory.legacyPath': path('/legacy/STU3', 'The path of the legacy interface'),
  'directory.ord.path': path('/ORD/2-0-0', 'The path of the ORD interface'),
  'directory.r4.path': path('/R4', 'The path of the R4 interface'),
  'directory.r4.apiKeys': file(
    'The file with the hashes of the API keys for the R4 interface',
    'the server ignores API keys',
  ),
  'directory.reports': folder(
    'The folder with CSV files of reports that the release has no data for',
    'the server answers 404 for these reports',
  ),
  'directory.sharePractitioners': flag(
    false,
    'Let web pages of other origins read answers about practitioners',
  ),
  'directory.countMax': whole(
    { min: 1, max: 1000, default: 20 },
    'The most matches on a page of a search in STU3',
  ),
  'directory.r4.countMax': whole(
    { min: 1, max: 1000, default: 1000 },
    'The most matches on a page of a search in R4',
  ),
  'directory.graceMinutes': whole(
    { min: 0, max: 1440, default: 15 },
    'The minutes for which links to pages of a replaced edition still work',
  ),
  'directory.editionsInMemory': whole(
    { min: 1, max: 100, default: 3 },
    'The most editions in memory, including the current one',
  ),
  'directory.cacheControl': headerValue('The Cache-Control header of answers', 'no such header'),
  'directory.gzipMinBytes': whole(
    { min: 0, max: 1024 ** 3, default: 1024 },
    'The size in bytes from which the server compresses bodies with gzip; 0 for never',
  ),
  'directory.organizationCodeSystem': uri(
    'https://fhir.nhs.uk/Id/ods-organization-code',
    'The system of organisation codes',
  ),
  'directory.organizationProfile': uri(
    `${URL_BASE}/ODSAPI-Organization-1`,
    'The meta.profile of organisations',
  ),
  'directory.activePeriodUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-ActivePeriod-1`,
    'The URL of the extension for a period',
  ),
  'directory.dateTypeUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-DateType-1`,
    'The URL of the extension for the type of a period',
  ),
  'directory.roleUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-OrganizationRole-1`,
    'The URL of the extension for a role',
  ),
  'directory.primaryRoleUrl': uri(
    'primaryRole',
    'The URL of the part of a role extension that marks the primary role',
  ),
  'directory.roleSystem': uri(
    'https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1',
    'The system of role codes',
  ),
  'directory.recordClassSystem': uri(
    'https://fhir.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRecordClass-1',
    'The system of record classes',
  ),
  'directory.uprnUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-UPRN-1`,
    'The URL of the extension for the UPRN',
  ),
} as const;
