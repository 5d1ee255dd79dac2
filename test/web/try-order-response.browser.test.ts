/** The page that tries order responses in a real browser, with the real server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Server, serve } from '../journeys/program.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_BROWSER, openBrowser, visit } from './browser.ts';
import { holdToAxe, requireFit } from './hold-page.ts';

/** Where a page can leave something behind, as one text. */
const LEFT_BEHIND = `JSON.stringify([
  location.href, document.cookie, Object.entries(localStorage), Object.entries(sessionStorage),
  performance.getEntriesByType('resource').map(({ name }) => name),
])`;

describe('trying order responses in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let server: Server;
  let closed: Server;
  const owner = ownerOfSuite();
  before(async () => {
    const words = () => ['--data', temporaryFolder(owner), '--threads', '1'];
    [browser, server, closed] = await Promise.all([
      openBrowser(),
      serve(owner, [...words(), '--pages-give-tokens']),
      serve(owner, words()),
    ]);
  });
  after(() => browser?.close());

  for (const size of ['desktop', 'phone'] as const) {
    it(`creates the example and reads it, on a ${size}`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { size });
      await page.goto('/try-order-response');
      await holdToAxe(page, 'try');
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByRole('status').getByText('The token is now in the Token box.').waitFor();
      const token = await page.getByLabel('Token').inputValue();
      assert.match(token, /^eyJ/);
      await page.getByRole('button', { name: 'Create the order response' }).click();
      await page.getByRole('status').getByText('The server answered 201 Created.').waitFor();
      await page.getByText('Successfully created resource').waitFor();
      await page.getByText('W/"1"').waitFor();
      await page.getByRole('button', { name: 'Read it', exact: true }).click();
      await page.getByText('"versionId": "1"').waitFor();
      await page.getByRole('button', { name: 'Read its history' }).click();
      await page.getByText('"type": "history"').waitFor();
      await holdToAxe(page, 'tried');
      await requireFit(page, size, 'tried');
      const left = await page.evaluate<string>(LEFT_BEHIND);
      assert.ok(!left.includes(token), left);
      assert.doesNotMatch(JSON.stringify(server.log), new RegExp(token));
      // A page that the browser keeps forgets it too.
      await page.goto('/api');
      await page.goBack();
      assert.equal(await page.getByLabel('Token').inputValue(), '');
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  it('says what is wrong: no token, a broken token, no order response, a resource in XML', async () => {
    const { page, close } = await visit(browser, closed.origin);
    await page.goto('/try-order-response');
    await page.getByText('Ask the operator of this service for a token.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create a token' }).count(), 0);
    const create = page.getByRole('button', { name: 'Create the order response' });
    await create.click();
    await page.getByText('Enter a token first.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'token');
    assert.equal(await page.locator('#answer').isVisible(), false);
    await holdToAxe(page, 'without a token');
    await page.getByLabel('Token').fill('x');
    await create.click();
    await page.getByRole('status').getByText('401 Unauthorized: the token is missing').waitFor();
    assert.equal(await page.getByText('Enter a token first.').count(), 0);
    const top = "document.getElementById('answer').getBoundingClientRect().top < innerHeight";
    assert.ok(await page.evaluate(top));
    await page.getByLabel('Token').fill('\u2192');
    await create.click();
    await page.getByRole('status').getByText('The request could not be sent.').waitFor();
    await page.goto(`${server.origin}/try-order-response`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('status').getByText('The token is now in the Token box.').waitFor();
    await page.getByLabel('Order response').fill('{"resourceType":"OrderResponse"}');
    await create.click();
    await page.getByRole('status').getByText('400 Bad Request').waitFor();
    await page.getByText('orderStatus').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Read it', exact: true }).count(), 0);
    await page.getByLabel('Order response').fill('<OrderResponse xmlns="http://hl7.org/fhir"/>');
    await create.click();
    await page.getByText('<OperationOutcome').waitFor();
    await close();
  });

  it('needs JavaScript, and says so', async () => {
    const { page, close } = await visit(browser, server.origin, { javaScript: false });
    await page.goto('/try-order-response');
    await page.getByText('This page needs JavaScript.').waitFor();
    assert.equal(await page.getByLabel('Token').isVisible(), false);
    await close();
  });
});
