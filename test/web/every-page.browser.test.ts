/** Every page in a real browser: accessible, not wider than the screen or paper, and harmless. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ownerOfSuite } from '../owner.ts';
import { NO_BROWSER, openBrowser, visit } from './browser.ts';
import { ALL_ADDRESSES, startEveryPage } from './every-page.ts';
import { holdToAxe, OPEN_DETAILS, requireFit } from './hold-page.ts';
import type { WebServer } from './web-server.ts';

/** A sheet of A4 between margins of 1 cm, in pixels. */
const A4 = { width: 718, height: 1047 };

/** On a phone they are laid out as others are that are looked at there. */
const ALIKE_ON_A_PHONE: readonly string[] = [
  '/?q=leeds',
  '/?q=hostile',
  '/?q=LS9+9ZZ',
  '/organizations/ZX1',
  '/organizations/NONE',
  '/practitioners/G0000000',
  '/docs/nothing',
  '/docs/search',
  '/refused',
];

/** What a script adds to a page. */
const MADE_BY_SCRIPTS: Readonly<Record<string, string>> = {
  '/api': '.app-try__group',
  '/try-order-response': '#order-response',
};

describe('every page in a browser', { skip: NO_BROWSER, concurrency: 2 }, () => {
  const owner = ownerOfSuite();
  let browser: Browser;
  let server: WebServer;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startEveryPage(owner)]);
  });
  after(() => browser?.close());

  for (const size of ['desktop', 'phone'] as const) {
    for (const path of ALL_ADDRESSES) {
      it(`${path} is accessible, fits and runs nothing that records bring, on a ${size}`, async () => {
        const { page, complaints, close } = await visit(browser, server.origin, { size });
        await page.goto(path);
        const made = MADE_BY_SCRIPTS[path];
        if (made !== undefined) await page.locator(made).first().waitFor();
        await page.evaluate(OPEN_DETAILS);
        const isAlike = size === 'phone' && ALIKE_ON_A_PHONE.includes(path);
        if (!isAlike) await holdToAxe(page, path);
        await requireFit(page, size, path);
        if (size === 'desktop') await requireFitOnPaper(page, path);
        assert.equal(await page.evaluate('globalThis.hacked'), undefined, path);
        assert.deepEqual(complaints, []);
        await close();
      });
    }
  }

  it('has the columns of tables on paper', async () => {
    const { page, close } = await visit(browser, server.origin);
    await page.setViewportSize(A4);
    await page.emulateMedia({ media: 'print' });
    for (const [path, heading] of [
      ['/?q=many', 'Postcode'],
      ['/reports', 'Code name'],
    ] as const) {
      await page.goto(path);
      assert.ok(await page.getByRole('columnheader', { name: heading }).isVisible(), path);
    }
    await close();
  });
});

async function requireFitOnPaper(page: Page, where: string): Promise<void> {
  await page.setViewportSize(A4);
  await page.emulateMedia({ media: 'print' });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= A4.width, `${where} is ${width} wide on paper`);
}
