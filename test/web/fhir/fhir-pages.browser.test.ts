/** FHIR addresses in a real browser, with the real server: a journey by links, and every kind of page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { EXAMPLE_RESPONSE } from '../../../src/orders/order-response/example.ts';
import { importedSample } from '../../imported-sample.ts';
import { type Server, serve } from '../../journeys/program.ts';
import { ownerOfSuite } from '../../owner.ts';
import { NO_BROWSER, openBrowser, visit } from '../browser.ts';
import { holdToAxe, OPEN_DETAILS, requireFit } from '../hold-page.ts';

const STATES = [
  '/R4/Organization/RTG',
  '/STU3/Organization?_count=3',
  '/R4/CodeSystem',
  '/legacy/STU3/metadata',
  '/metadata',
  '/OrderResponse/1',
  '/STU3/nope',
  '/STU3/Organization?active=perhaps&_count=x',
] as const;

describe('FHIR addresses in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let server: Server;
  const owner = ownerOfSuite();
  before(async () => {
    const data = await importedSample(owner);
    [browser, server] = await Promise.all([
      openBrowser(),
      serve(owner, ['--data', data, '--threads', '1', '--pages-give-tokens']),
    ]);
  });
  after(() => browser?.close());

  for (const size of ['desktop', 'phone'] as const) {
    it(`are accessible pages that fit, on a ${size}`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { size });
      for (const path of STATES) {
        await page.goto(path);
        await requireFit(page, size, path);
        await page.evaluate(OPEN_DETAILS);
        await holdToAxe(page, `${path} on a ${size}`);
        await requireFit(page, size, `${path} with its details`);
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  it('lead from one to another, and back to the pages for people', async () => {
    // The public address, which the page about the API names.
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    const { page, complaints, close } = await visit(browser, origin);
    const answer = page.getByRole('region', { name: 'Answer' });
    await page.goto('/api');
    await page.getByRole('link', { name: 'conformance statement' }).click();
    await page.getByRole('heading', { name: 'Conformance' }).waitFor();
    await page.goto('/STU3/Organization?_count=2');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/_page=2/);
    await page.getByRole('link', { name: 'Previous page' }).click();
    await page.waitForURL(/_page=1/);
    await answer
      .getByRole('link', { name: /\/STU3\/Organization\/\w+"/ })
      .first()
      .click();
    await page.getByRole('heading', { name: /^Organization \w+$/ }).waitFor();
    await answer
      .getByRole('link', { name: /CodeSystem\/ODSAPI-OrganizationRole-1/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'CodeSystem ODSAPI-OrganizationRole-1' }).waitFor();
    await page.goto('/R4/Organization/RTG');
    await answer
      .getByRole('link', { name: /^"\d+"$/ })
      .first()
      .click();
    await page.waitForURL(/_history/);
    await page.goBack();
    await page.getByRole('link', { name: 'The page of this organisation' }).click();
    await page.waitForURL(/\/organizations\/RTG$/);
    await page.goBack();
    await page.getByRole('link', { name: 'FHIR R4' }).click();
    await page.getByRole('link', { name: 'page about the API' }).click();
    await page.getByRole('heading', { name: 'API', exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  it('show an order response to who sends a token, without the token', async () => {
    const given = await fetch(`${server.origin}/try-order-response/token`, { method: 'POST' });
    const { token } = (await given.json()) as { token: string };
    const authorization = `Bearer ${token}`;
    const created = await fetch(`${server.origin}/OrderResponse`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json+fhir' },
      body: JSON.stringify(EXAMPLE_RESPONSE),
    });
    const path = new URL(created.headers.get('location') ?? '').pathname;
    const { page, context, complaints, close } = await visit(browser, server.origin);
    await page.goto(path);
    await page.getByRole('link', { name: 'Try an order response' }).click();
    await page.waitForURL(/try-order-response/);
    await context.setExtraHTTPHeaders({ authorization });
    await page.goto(path.replace(/\/_history.*/, ''));
    await page.getByRole('heading', { name: /^OrderResponse / }).waitFor();
    await holdToAxe(page, 'an order response');
    await page.locator('a[href^="#contained-"]').first().click();
    await page.waitForURL(/#contained-/);
    assert.ok(!(await page.content()).includes(token));
    assert.deepEqual(complaints, []);
    await close();
  });

  it('copy the request as a command of curl', async () => {
    const { page, context, close } = await visit(browser, server.origin);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/STU3/Organization?name:contains=surgery');
    await page.getByText('The request with curl').click();
    await page.getByRole('button', { name: 'Copy curl command' }).click();
    await page.getByRole('status').getByText('curl command copied').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(command, /^curl -H 'Accept: application\/fhir\+json' \\\n {2}'http.*surgery'$/);
    await close();
  });

  it('are whole without JavaScript', async () => {
    const { page, close } = await visit(browser, server.origin, { javaScript: false });
    await page.goto('/R4/Organization/RTG');
    assert.equal(await page.getByRole('button').count(), 0);
    await page.getByText('The request with curl').click();
    await page.getByText("-H 'Accept: application/fhir+json'").waitFor();
    await close();
  });
});
