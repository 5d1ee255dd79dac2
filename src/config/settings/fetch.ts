/** The settings of fetches from the national services. */
import { file, flag, secret, serviceUrl, whole } from '../setting.ts';

export const FETCH_SETTINGS = {
  'trud.url': serviceUrl('https://isd.digital.nhs.uk/trud', 'The address of TRUD', {
    details:
      'It must be https, or an address of this machine, because requests have the key in their path.',
  }),
  'trud.key': secret(
    /^[A-Za-z0-9_-]{8,128}$/,
    'must be the key of a TRUD account: 8 to 128 letters, digits, hyphens and underscores',
    'The key of a TRUD account',
    { details: 'Or put it in the file of `trud.keyFile`. No message and no log line contains it.' },
  ),
  'trud.keyFile': file('The file with the key of a TRUD account', {
    details: 'The file contains nothing else.',
  }),
  'trud.includeArchive': flag(false, "Also import the release's archive of closed records"),
  'r4.url': serviceUrl(
    'https://api.service.nhs.uk/organisation-data-terminology-api/fhir',
    'The FHIR base of the national R4 service',
  ),
  'r4.keyFile': file('The file with the API key of the national R4 service', {
    details: 'The fetch sends it in the header `apikey`, over https or to this machine.',
  }),
  'r4.requestsPerSecond': whole(1, 1000, 10, 'The most requests a second to the R4 service', {
    details: 'The national service allows 5,000 in five minutes.',
  }),
  'ord.url': serviceUrl(
    'https://directory.spineservices.nhs.uk/ORD/2-0-0',
    'The address of the national ORD interface',
  ),
  'ord.requestsPerSecond': whole(1, 1000, 4, 'The most requests a second to ORD'),
} as const;
