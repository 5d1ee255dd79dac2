/** The settings of imports, of syncs, and of fetches from the national services. */
import { file, flag, matching, optional, serviceUrl, whole } from './setting.ts';

export const IMPORT_SETTINGS = {
  'editions.keep': whole(
    { min: 1, max: 1000, default: 3 },
    'The number of editions to keep on disk for rollback',
  ),
  'import.unpackedMax': whole(
    { min: 1, max: Number.MAX_SAFE_INTEGER, default: 8 * 1024 ** 3 },
    'The most bytes that a file may unpack to',
  ),
  'sync.overlapDays': whole(
    { min: 1, max: 365, default: 7 },
    'The days before the newest change from which a fetch asks R4 or ORD for changes',
  ),
  'sync.timeoutSeconds': whole(
    { min: 1, max: 3600, default: 60 },
    'The seconds without data after which a fetch or a sync repeats a request',
  ),
  'sync.tokenFile': file('The file with the bearer token that a sync sends to the peer'),
} as const;

const trudKey = optional(
  matching(
    /^[A-Za-z0-9_-]{8,128}$/,
    'must be the key of a TRUD account: 8 to 128 letters, digits, hyphens and underscores',
  ),
  'TEXT',
  { isSecret: true },
);

export const FETCH_SETTINGS = {
  'trud.url': serviceUrl('https://isd.digital.nhs.uk/trud', 'The address of TRUD'),
  'trud.key': trudKey('The key of a TRUD account'),
  'trud.keyFile': file('The file with the key of a TRUD account'),
  'trud.includeArchive': flag(false, "Also import the release's archive of closed records"),
  'r4.url': serviceUrl(
    'https://api.service.nhs.uk/organisation-data-terminology-api/fhir',
    'The FHIR base of the national R4 service',
  ),
  'r4.keyFile': file('The file with the API key of the national R4 service'),
  'r4.requestsPerSecond': whole(
    { min: 1, max: 1000, default: 10 },
    'The most requests a second to the R4 service',
  ),
  'ord.url': serviceUrl(
    'https://directory.spineservices.nhs.uk/ORD/2-0-0',
    'The address of the national ORD interface',
  ),
  'ord.requestsPerSecond': whole(
    { min: 1, max: 1000, default: 4 },
    'The most requests a second to ORD',
  ),
} as const;
