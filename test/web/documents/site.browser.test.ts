/** The static site in a real browser, opened from a folder: its search and its accessibility. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { buildSite } from '../../../scripts/docs/build-site.ts';
import { ownerOfSuite } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { NO_BROWSER, openBrowser, visit } from '../browser.ts';
import { holdToAxe, OPEN_DETAILS, requireFit } from '../hold-page.ts';

describe('the static site', { skip: NO_BROWSER }, () => {
  const owner = ownerOfSuite();
  let browser: Browser;
  let site = '';
  before(async () => {
    const out = join(temporaryFolder(owner), 'site');
    await buildSite(out);
    site = pathToFileURL(out).href;
    browser = await openBrowser();
  });
  after(() => browser?.close());

  it('searches without a server, and shows a chapter', async () => {
    const { page, complaints, close } = await visit(browser, site);
    await page.goto(`${site}/how-to/write-a-client.html`);
    await page.getByLabel('Search the documentation').fill('back up order responses');
    await page.keyboard.press('Enter');
    const first = page.locator('#found a').first();
    assert.equal(await first.textContent(), 'Back up order responses');
    await first.click();
    assert.match(page.url(), /how-to\/back-up-and-restore\.html#back-up-order-responses$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const size of ['desktop', 'phone'] as const) {
    it(`is accessible, and fits on a ${size}`, async () => {
      const { page, close } = await visit(browser, site, { size });
      for (const path of ['index.html', 'tutorial.html', 'search.html?q=back+up']) {
        await page.goto(`${site}/${path}`);
        await page.evaluate(OPEN_DETAILS);
        await holdToAxe(page, path);
        await requireFit(page, size, path);
      }
      await close();
    });
  }
});
