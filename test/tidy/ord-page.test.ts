/** The page about the ORD interface: its examples of errors get the texts that it shows. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startOrd } from '../directory/ord/ord-server.ts';
import { itemsUnder, plain, readPage } from './markdown.ts';

const page = readPage('docs/reference/ord-api.md');

it('the errors on the page about ORD are those of the server', async (context) => {
  const server = await startOrd();
  context.after(() => server.close());
  const examples = itemsUnder(page, 'Errors');
  assert.ok(examples.length > 10);
  for (const { name: example, text } of examples) {
    const answer = await server.get(plain(example));
    const { errorCode, errorText } = JSON.parse(answer.text);
    assert.equal(errorCode, answer.status);
    assert.equal(errorText, plain(text), example);
  }
});
