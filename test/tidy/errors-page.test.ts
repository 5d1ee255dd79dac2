/** The page about errors: its requests get the errors that it shows, in the form of each interface. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startDirectory } from '../directory/directory-server.ts';
import { startOrders } from '../order-response/order-server.ts';
import { readPage } from './markdown.ts';

const { codeBlocks } = readPage('docs/reference/errors.md');

it('the errors on the page about errors are those of the interfaces', async (context) => {
  const directory = await startDirectory();
  context.after(() => directory.close());
  const orders = await startOrders();
  context.after(() => orders.close());
  const shown = codeBlocks.flatMap(({ text }, i) => {
    const target = /curl -s 'http:\/\/localhost:8080(\/[^']+)'/.exec(text)?.[1];
    return target === undefined ? [] : [{ target, example: codeBlocks[i + 1]?.text ?? '' }];
  });
  assert.equal(shown.length, 2);
  for (const { target, example } of shown) {
    const answer = target.startsWith('/OrderResponse')
      ? await orders.send('GET', target.slice(1), { authorization: '' })
      : await directory.get(`/fhir${target}`);
    assert.deepEqual(withoutChanging(answer.text), withoutChanging(example), target);
  }
});

/** Without the id of the outcome. The authorisation server of the test has words of its own. */
function withoutChanging(text: string): object {
  const { id: _, ...rest } = JSON.parse(text);
  const [first] = rest.issue ?? [];
  if (first?.code === 'login') delete first.diagnostics;
  return rest;
}
