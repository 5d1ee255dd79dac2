/** What people do with the pages in a real browser, with and without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ownerOfSuite } from '../owner.ts';
import { NO_BROWSER, openBrowser, visit } from './browser.ts';
import { startEveryPage } from './every-page.ts';
import { holdToAxe, requireFit } from './hold-page.ts';
import { LONG_NAME } from './records.ts';
import { startWeb, type WebServer } from './web-server.ts';

/** The most that may come over the wire on a first visit, in bytes. */
const FIRST_VISIT_MAX = 100_000;

const HEADER_COLOURS = `[
  getComputedStyle(document.querySelector('.nhsuk-header__service-name')).color,
  getComputedStyle(document.querySelector('.nhsuk-header')).backgroundColor,
]`;

/** Each font of what can be seen in a page. */
const FONTS = `[...new Set(
  [...document.querySelectorAll('body, body *')].map((one) => getComputedStyle(one).fontFamily),
)]`;

/** What is printed behind links. */
const PRINTED_LINKS = `[...document.querySelectorAll('a')]
  .map((link) => getComputedStyle(link, '::after').content)
  .filter((content) => content !== 'none' && content !== 'normal' && content !== '""')
  .join()`;

/** A timer of a second or more ends only when the test runs it. axe needs the shorter ones. */
const HOLD_LONG_TIMERS = `{
  const held = [];
  const start = globalThis.setTimeout.bind(globalThis);
  globalThis.setTimeout = (act, ms = 0, ...values) => {
    if (ms < 1000) return start(act, ms, ...values);
    held.push(act);
    return 0;
  };
  globalThis.runLongTimers = () => held.splice(0).forEach((act) => act());
}`;

describe('pages in a browser', { skip: NO_BROWSER, concurrency: 2 }, () => {
  const owner = ownerOfSuite();
  let browser: Browser;
  let server: WebServer;
  let empty: WebServer;
  before(async () => {
    [browser, server, empty] = await Promise.all([
      openBrowser(),
      startEveryPage(owner),
      startWeb({ editions: { current: () => undefined, byNumber: () => undefined } }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await empty?.close();
  });

  it('show without an edition what to do', async () => {
    const { page, complaints, close } = await visit(browser, empty.origin);
    for (const path of ['/', '/editions', '/statistics', '/reports']) {
      await page.goto(path);
      await holdToAxe(page, path);
      await page.getByText('gazetteer import FILE').waitFor();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const javaScript of [true, false]) {
    it(`lead from a search to a record and back, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { javaScript });
      await page.goto('/');
      await page.getByLabel('Code, postcode, town or name').fill('teaching hosp');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { name: '1 active organisation' }).waitFor();
      await page.getByRole('link', { name: 'LEEDS TEACHING HOSPITALS NHS TRUST' }).click();
      await page.getByRole('heading', { level: 1, name: /LEEDS TEACHING/ }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/organizations/RR8');
      await page.getByRole('link', { name: 'Back to results' }).click();
      assert.equal(await page.getByLabel('Code, postcode').inputValue(), 'teaching hosp');
      assert.equal(new URL(page.url()).search, '?q=teaching+hosp');
      await page.goBack();
      assert.equal(new URL(page.url()).pathname, '/organizations/RR8');
      await page.goBack();
      await page.goBack();
      await page.getByRole('heading', { name: 'What you can do' }).waitFor();
      await page.goForward();
      await page.goForward();
      assert.equal(new URL(page.url()).pathname, '/organizations/RR8');
      await page.getByText('Show as JSON').click();
      await page.getByText('"resourceType": "Organization"').waitFor();
      // A code goes straight to it.
      await page.goto('/?q=x1');
      assert.equal(new URL(page.url()).pathname, '/organizations/X1');
      assert.deepEqual(complaints, []);
      await close();
    });

    it(`filter, turn pages and keep both in the address, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const { page, close } = await visit(browser, server.origin, { javaScript, size: 'phone' });
      await page.goto('/');
      await page.getByLabel('Prescribing cost centre').check();
      await page.getByRole('button', { name: 'Apply filters' }).click();
      await page.getByRole('heading', { name: '19 active organisations' }).waitFor();
      await page.getByRole('link', { name: 'Also show 5 inactive organisations' }).click();
      await page.getByRole('heading', { name: '24 organisations' }).waitFor();
      await page.getByRole('link', { name: 'remove the filter Active and inactive' }).click();
      await page.getByRole('radio', { name: 'All' }).check();
      await page.getByRole('button', { name: 'Apply filters' }).click();
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByText('Results 21 to 24 of 24 organisations').waitFor();
      const shared = await visit(browser, server.origin, { javaScript });
      await shared.page.goto(page.url());
      await shared.page.getByText('Results 21 to 24 of 24 organisations').waitFor();
      assert.ok(await shared.page.getByLabel('Prescribing cost centre').isChecked());
      await shared.close();
      // The reading that was chosen stays when filters change.
      await page.goto('/?q=leeds&as=town');
      await page.getByRole('button', { name: 'Apply filters' }).click();
      await page.getByText('in towns that begin with leeds').waitFor();
      await close();
    });
  }

  it('can be used with the keyboard alone', async () => {
    const { page, complaints, close } = await visit(browser, server.origin);
    await page.goto('/');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to main content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'q');
    await page.keyboard.type('many', { delay: 10 });
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await list.waitFor();
    const box = page.getByRole('combobox', { name: 'Code, postcode, town or name' });
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await holdToAxe(page, 'suggestions');
    await page.keyboard.press('ArrowUp');
    assert.equal(await box.getAttribute('aria-activedescendant'), 'suggestion-7');
    await page.keyboard.press('ArrowDown');
    assert.equal(await box.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    assert.equal(await box.inputValue(), 'many');
    await page.keyboard.type(' ', { delay: 10 });
    await list.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/organizations\/M0011$/);
    await page.goBack();
    await box.focus();
    await box.fill('many');
    await list.waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '36 active organisations' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  it('suggest what is typed with accents and markup, and run none of it', async () => {
    const { page, complaints, close } = await visit(browser, server.origin, { size: 'phone' });
    await page.goto('/');
    const box = page.getByLabel('Code, postcode, town or name');
    for (const [typed, shown] of [
      ['ogrenci', LONG_NAME],
      ['CAFÉ', 'Café "Quotes" & <Angle> Clinic'],
      ['hostile', 'HOSTILE "><img src=x'],
    ] as const) {
      await box.fill(typed);
      await page.getByRole('option', { name: shown }).waitFor();
      await requireFit(page, 'phone', typed);
    }
    await page.getByRole('option', { name: 'HOSTILE' }).click();
    await page.waitForURL(/ZX1$/);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    assert.deepEqual(complaints, []);
    await close();
  });

  it('have no font but that of the style sheet', async () => {
    const { page, close } = await visit(browser, server.origin);
    for (const path of ['/?q=many', '/organizations/RR8', '/statistics']) {
      await page.goto(path);
      const fonts = await page.evaluate<string[]>(FONTS);
      assert.deepEqual(
        fonts.filter((font) => !/^arial, sans-serif$|monospace$/.test(font)),
        [],
        path,
      );
      assert.ok(fonts.includes('arial, sans-serif'));
    }
    await close();
  });

  it('find the codes of a pasted column', async () => {
    const { page, context, close } = await visit(browser, server.origin);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await page.evaluate("navigator.clipboard.writeText('RTG\\nRR8\\n')");
    await page.getByLabel('Code, postcode, town or name').focus();
    await page.keyboard.press('Control+V');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Showing organisations with the codes RTG, RR8').waitFor();
    await close();
  });

  it('keep the word of a town whole', async () => {
    const { page, close } = await visit(browser, server.origin);
    await page.goto('/?q=leeds&as=town');
    const lines = "document.querySelector('.app-results__town .app-long').getClientRects().length";
    assert.equal(await page.evaluate(lines), 1);
    await close();
  });

  it('copy a code', async () => {
    const { page, context, close } = await visit(browser, server.origin);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(HOLD_LONG_TIMERS);
    await page.goto('/organizations/RR8');
    await page.getByRole('button', { name: 'Copy code' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.getByRole('status').getByText('code copied').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copied code' }).count(), 1);
    await holdToAxe(page, 'copied');
    // The button then offers it again.
    await page.evaluate('runLongTimers()');
    await page.getByRole('button', { name: 'Copy code' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'RR8');
    await close();
    const without = await visit(browser, server.origin, { javaScript: false });
    await without.page.goto('/organizations/RR8');
    assert.equal(await without.page.getByRole('button', { name: 'Copy code' }).isVisible(), false);
    await without.close();
  });

  it('let the API be tried, under the same policy as every page', async () => {
    const { page, complaints, close } = await visit(browser, server.origin);
    await page.goto('/api');
    await openRequests(page, '/STU3/');
    const read = page.locator('.opblock', { hasText: '/STU3/Organization/{id}' }).first();
    await read.locator('.opblock-summary-control').click();
    await holdToAxe(page, '/api');
    await read.getByRole('button', { name: 'Try it out' }).click();
    await read.getByPlaceholder('id').fill('RR8');
    await read.getByRole('button', { name: 'Execute' }).click();
    await read.locator('.live-responses-table').getByText('"id": "RR8"').waitFor();
    await holdToAxe(page, '/api, tried');
    await requireFit(page, 'desktop', '/api');
    assert.deepEqual(complaints, []);
    await close();
  });

  it('show the groups of the API closed, which an anchor opens', async () => {
    const { page, complaints, close } = await visit(browser, server.origin);
    await page.goto('/api');
    const group = page.locator('.app-try__group', { hasText: '/STU3/' });
    await group.waitFor();
    const operation = group.locator('.opblock').first();
    // It is in the page, so that the search of the browser finds it.
    await operation.waitFor({ state: 'attached' });
    assert.equal(await operation.isVisible(), false);
    const [id, anchor] = [await group.getAttribute('id'), await operation.getAttribute('id')];
    for (const target of [id, anchor]) {
      await page.goto('/accessibility');
      await page.goto(`/api#${target}`);
      await operation.waitFor();
    }
    await page.goto('/api');
    await operation.waitFor({ state: 'attached' });
    await page.goto(`/api#${anchor}`);
    await operation.waitFor();
    // An anchor that is no encoded text opens nothing.
    await page.goto('/api#%');
    await operation.waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  it('show an operation of the API on a phone without sticking out', async () => {
    const { page, close } = await visit(browser, server.origin, { size: 'phone' });
    await page.goto('/api');
    await openRequests(page, '/STU3/');
    for (const path of ['/STU3/Organization/{id}', '/STU3/Organization']) {
      const operation = page.locator('.opblock', { hasText: path }).first();
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').first().waitFor();
      await requireFit(page, 'phone', path);
    }
    await holdToAxe(page, '/api on a phone');
    await close();
  });

  it('show every chart, and print without what only a screen needs', async () => {
    const { page, close } = await visit(browser, server.origin);
    await page.goto('/statistics', { waitUntil: 'networkidle' });
    const widths = await page.evaluate(
      "[...document.querySelectorAll('main img')].map((image) => image.naturalWidth)",
    );
    assert.deepEqual(widths, [760, 760, 760, 760, 760]);
    await page.goto('/?q=many');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('button', { name: 'Apply filters' }).isVisible(), false);
    assert.ok(await page.getByText('M0001').isVisible());
    // Of whom and of when what is on the paper is.
    assert.ok(await page.getByText('is not an official NHS service').isVisible());
    assert.ok(await page.getByText(/edition 3, published/).isVisible());
    assert.deepEqual(await page.evaluate(HEADER_COLOURS), ['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    const dated = page.getByText(/Search for “many” on \d+ \w+ \d{4}: http:.*q=many/);
    assert.ok(await dated.isVisible());
    await page.emulateMedia({ media: 'screen' });
    assert.equal(await dated.isVisible(), false);
    await page.getByRole('link', { name: 'Print all 36' }).click();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.app-code').count(), 36);
    await page.goto('/?q=many&status=all');
    assert.equal(await page.getByRole('link', { name: 'remove' }).count(), 0);
    await page.goto('/organizations/RR8');
    assert.equal(await page.getByText('Show as JSON').isVisible(), false);
    assert.equal(await page.getByText('View on a map').isVisible(), false);
    assert.equal(await page.evaluate(PRINTED_LINKS), '');
    await close();
  });

  it(`weigh less than ${FIRST_VISIT_MAX} bytes on a first visit`, async () => {
    for (const path of ['/', '/?q=many', '/organizations/RR8', '/statistics', '/reports']) {
      const { page, context, close } = await visit(browser, server.origin);
      const session = await context.newCDPSession(page);
      let bytes = 0;
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      assert.ok(bytes > 10_000 && bytes < FIRST_VISIT_MAX, `${path}: ${bytes}`);
      await close();
    }
  });
});

/** Opens the group with requests to a path. */
async function openRequests(page: Page, path: string): Promise<void> {
  await page.locator('.app-try__group', { hasText: path }).locator('summary').first().click();
}

/** The id, or else the text, of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.id || document.activeElement.textContent');
}
