/** The faces of a thread share one buffer for organisations, so another face needs no more memory. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE } from './directory-server.ts';
import { RECORDS } from './records.ts';

const PATHS = ['/Organization/RTG', '/Organization?active=true'];

/** The bodies of reads and searches in some faces, in turn, with one writer; and where they are. */
async function bodiesOf(faces: typeof DIRECTORY_FACES) {
  const edition = editionOf(RECORDS);
  const editions = { current: () => edition, byNumber: () => edition };
  const services = faces.map((face) =>
    createDirectoryService(serveFace(face, { settings: SETTINGS, serverUrl: BASE }), editions),
  );
  const handle = createHandle({
    services,
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const bodies = new Map<string, Uint8Array>();
  for (const path of PATHS) {
    for (const { baseUrl } of services) {
      const target = new URL(baseUrl + path);
      const { status, body } = await handle({
        method: 'GET',
        path: target.pathname,
        query: target.search.slice(1),
        headers: {},
        id: 'a',
      });
      assert.equal(status, 200, target.href);
      assert.ok(body instanceof Uint8Array, target.href);
      bodies.set(target.href, body);
    }
  }
  return bodies;
}

it('reads and searches of all faces are written into one buffer, and do not mix', async () => {
  const bodies = await bodiesOf(DIRECTORY_FACES);
  assert.equal(bodies.size, 3 * PATHS.length);
  assert.equal(new Set(Array.from(bodies.values(), ({ buffer }) => buffer)).size, 1);
  for (const face of DIRECTORY_FACES) {
    for (const [target, alone] of await bodiesOf([face])) {
      assert.equal(textOf(bodies.get(target)), textOf(alone), target);
    }
  }
});

function textOf(body: Uint8Array | undefined): string {
  return new TextDecoder().decode(body);
}
