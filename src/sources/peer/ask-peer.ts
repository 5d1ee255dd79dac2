/** Finds out how a peer can be read: as pages of searches, or as one document. */
import { SourceError } from '../../directory/import/source.ts';
import { bytesOf } from '../http/answer-body.ts';
import type { HttpClient } from '../http/http-options.ts';
import { ACCEPT } from './fetch-pages.ts';
import type { PeerAddress } from './peer-address.ts';

export type Way = 'document' | 'pages';

/** Reads the capability statement, which is optional. Throws for another FHIR version than STU3. */
export async function askPeer({ baseUrl }: PeerAddress, client: HttpClient): Promise<Way> {
  const url = `${baseUrl}/metadata`;
  return await client.ask(
    { url, accept: ACCEPT, taken: [404, 405, 406] },
    async ({ status, chunks }) => {
      if (status !== 200) return 'pages';
      const statement = parse(await bytesOf(url, chunks, STATEMENT_BYTES_MAX));
      const { fhirVersion, software } = statement;
      if (typeof fhirVersion === 'string' && !/^3\.0\b/.test(fhirVersion)) {
        throw new SourceError(
          `${baseUrl} speaks FHIR ${JSON.stringify(fhirVersion.slice(0, 20))}, not STU3 (3.0): ` +
            'give the base of an STU3 directory.',
        );
      }
      return objectOf(software).name === 'Gazetteer' ? 'document' : 'pages';
    },
  );
}

/** The capability statements of large servers have a few hundred KiB. */
const STATEMENT_BYTES_MAX = 16 * 1024 ** 2;

/** A statement that cannot be read is ignored. */
function parse(body: Buffer): { readonly [name: string]: unknown } {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
