/** A directory with relationships behind a real socket, for tests of the ORD interface. */

import type { Edition } from '../../../src/directory/edition/edition.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { RECORDS } from '../records.ts';

export const ORD_BASE = 'http://directory.test/fhir/ORD/2-0-0';

/** Paths of `get` are below the base of ORD. */
export async function startOrd(edition: Edition = editionOf(RECORDS)): Promise<DirectoryServer> {
  const server = await startDirectory({
    editions: {
      current: () => edition,
      byNumber: (number) => (number === edition.number ? edition : undefined),
    },
  });
  return {
    ...server,
    get: (path, headers, method) => server.get(`/fhir/ORD/2-0-0/${path}`, headers, method),
    post: (path, body, headers) => server.post(`/fhir/ORD/2-0-0/${path}`, body, headers),
  };
}
