/** The faces of a thread write organisations into one memory, so that each further face takes none. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHandle } from '../../src/fhir/handle.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { BASE, editionOf, SETTINGS, SOFTWARE } from './directory-server.ts';
import { RECORDS } from './records.ts';

it('reads and searches of all faces are written into one memory', async () => {
  const edition = editionOf(RECORDS);
  const editions = { current: () => edition, byNumber: () => edition };
  const services = DIRECTORY_FACES.map((face) =>
    createDirectoryService(serveFace(face, { settings: SETTINGS, serverUrl: BASE }), editions),
  );
  const handle = createHandle({
    services,
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const memories = new Set<ArrayBufferLike>();
  for (const { baseUrl } of services) {
    for (const query of ['', 'active=true']) {
      const path = `${new URL(baseUrl).pathname}/Organization${query === '' ? '/RTG' : ''}`;
      const { status, body } = await handle({ method: 'GET', path, query, headers: {}, id: 'a' });
      assert.equal(status, 200, path);
      assert.ok(body instanceof Uint8Array, path);
      memories.add(body.buffer);
    }
  }
  assert.equal(services.length, 3);
  assert.equal(memories.size, 1);
});
