/** The settings of fetches from the national services. */
import { file, flag, secret, serviceUrl } from '../setting.ts';

export const FETCH_SETTINGS = {
  'trud.url': serviceUrl('https://isd.digital.nhs.uk/trud', 'The address of TRUD', {
    details: 'It is https, or an address of this machine, because the key is a part of addresses.',
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
} as const;
