/** The settings of imports and syncs. */
import { file, whole } from '../setting.ts';

export const IMPORT_SETTINGS = {
  'editions.keep': whole(1, 1000, 3, 'The number of editions to keep on disk for rollback'),
  'import.unpackedMax': whole(
    1,
    Number.MAX_SAFE_INTEGER,
    8 * 1024 ** 3,
    'The most bytes that a file may unpack to',
    { details: 'For a sync: the most bytes that the peer may send.' },
  ),
  'sync.overlapDays': whole(
    1,
    365,
    7,
    'The days before the newest change from which a sync asks for changes',
    {
      details: 'The next sync then also finds changes that the peer publishes late.',
    },
  ),
  'sync.fullDays': whole(1, 3650, 30, 'The days after which a sync fetches everything again'),
  'sync.requestsPerSecond': whole(1, 1000, 5, 'The most requests a second that a sync sends', {
    details: 'The national service allowed 5.',
  }),
  'sync.timeoutSeconds': whole(
    1,
    3600,
    60,
    'The seconds without data after which a fetch or a sync repeats a request',
  ),
  'sync.tokenFile': file('The file with the bearer token that a sync sends to the peer', {
    details: 'The file contains nothing else. The sync sends the token only to the peer.',
  }),
} as const;
