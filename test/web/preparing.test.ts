/** The first page, which the server makes before a visitor asks for it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { editionOf } from '../directory/directory-server.ts';
import { organization } from '../directory/records.ts';
import { startWeb } from './web-server.ts';

describe('the page that the server makes in advance', () => {
  it('is no fault if the server stops meanwhile', async () => {
    const { server, fail } = await startPreparing();
    await server.close();
    await fail();
    assert.deepEqual(server.faults, []);
  });

  it('is a fault if the history of editions cannot be read', async () => {
    const { server, fail } = await startPreparing();
    await fail();
    await server.close();
    assert.deepEqual(server.faults.map(String), ['Error: the database is closed']);
  });
});

/** A server whose page in preparation waits for the history. `fail` lets that request fail. */
async function startPreparing() {
  const asked = Promise.withResolvers<void>();
  const list = Promise.withResolvers<never>();
  const edition = editionOf([organization('A1', { name: 'EXAMPLE SURGERY' })]);
  const history = {
    ...NO_HISTORY,
    list: () => {
      asked.resolve();
      return list.promise;
    },
  };
  const server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history,
  });
  await asked.promise;
  const fail = async () => {
    list.reject(new Error('the database is closed'));
    await nextTurn();
  };
  return { server, fail };
}
