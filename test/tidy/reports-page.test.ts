/** The page about reports: its examples of errors get the texts that it shows. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startDirectory } from '../directory/directory-server.ts';
import { itemsUnder, plain, readPage } from './markdown.ts';

const page = readPage('docs/reference/reports-api.md');

it('the errors on the page about reports are those of the server', async (context) => {
  const server = await startDirectory();
  context.after(() => server.close());
  const examples = itemsUnder(page, 'Errors');
  assert.ok(examples.length > 3);
  for (const { name: example, text } of examples) {
    const answer = await server.get(`/fhir/api/getReport?${plain(example)}`);
    assert.ok(answer.status === 400 || answer.status === 404, example);
    assert.deepEqual(JSON.parse(answer.text), { error: plain(text) }, example);
  }
});
