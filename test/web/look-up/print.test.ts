/** A page for paper has many results: the server answers other requests before it writes the page. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { editionOf } from '../../directory/directory-server.ts';
import { HISTORY, PAGE_RECORDS } from '../records.ts';
import { startWeb } from '../web-server.ts';

it('a page for paper is written in another turn than that of its search', async (context) => {
  const edition = editionOf(PAGE_RECORDS, 3);
  const server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
  });
  context.after(() => server.close());
  const turnsOf = async (query: string) => {
    let isAnswered = false;
    const asked = { method: 'GET', path: '/', query, headers: {}, id: 'test' };
    const answer = server.handle(asked).finally(() => {
      isAnswered = true;
    });
    let turns = 0;
    for (; !isAnswered; turns++) await nextTurn();
    assert.equal((await answer).status, 200);
    return turns;
  };
  assert.equal((await turnsOf('q=many&print=true')) - (await turnsOf('q=many')), 1);
});
