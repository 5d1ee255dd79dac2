/** A list in a real browser: paste names, choose, download the CSV and read it back. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { NO_BROWSER, openBrowser, SIZES, visit } from '../browser.ts';
import { holdToAxe, requireFit } from '../hold-page.ts';
import { PRACTICES } from '../related-records.ts';
import { startWeb, type WebServer } from '../web-server.ts';
import { LIST_EDITIONS } from './list-records.ts';

/** One of them, the 100th, is the name of two organisations. */
const NAMES = Array.from({ length: 300 }, (_, i) =>
  i === 99 ? 'Park Surgery' : `A81${String(i % PRACTICES).padStart(3, '0')}`,
);

describe('checking a list in a browser', { skip: NO_BROWSER, concurrency: 2 }, () => {
  let browser: Browser;
  let server: WebServer;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), startWeb({ editions: LIST_EDITIONS })]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** The rows of the CSV that a button downloads. */
  async function downloadOf(
    page: Page,
    press: () => Promise<void>,
  ): Promise<readonly Readonly<Record<string, string>>[]> {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    assert.equal(download.suggestedFilename(), 'checked-list.csv');
    return parse(await readFile(await download.path()), { columns: true });
  }

  for (const javaScript of [true, false]) {
    it(`chooses between two of 300 names, ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { javaScript });
      await page.goto('/check-a-list');
      await page.getByLabel('Names, codes or postcodes').fill(NAMES.join('\n'));
      await page.getByRole('button', { name: 'Check the list' }).click();
      await page.getByRole('heading', { name: 'All rows are checked' }).waitFor();
      await page.getByText('Choose one: 1 row').waitFor();
      await page.getByRole('radio', { name: 'PARK SURGERY (Z00002)' }).check();
      const button = page.getByRole('button', { name: 'Download CSV' });
      const rows = await downloadOf(page, () => button.click());
      assert.deepEqual(
        rows.map(({ name }) => name),
        NAMES,
      );
      const { outcome, code, subIcb } = rows[99]!;
      assert.deepEqual([outcome, code, subIcb], ['chosen', 'Z00002', '15F']);
      assert.deepEqual([...new Set(rows.map((row) => row.outcome))], ['certain', 'chosen']);
      await page.getByRole('button', { name: 'Show with my choices' }).click();
      await page.getByText('Chosen: 1 row').waitFor();
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  it('shows the checked list with its choices again after Back from an organisation', async () => {
    const { page, complaints, close } = await visit(browser, server.origin);
    await page.goto('/check-a-list');
    const list = 'Park Surgery\nA81001';
    await page.getByLabel('Names, codes or postcodes').fill(list);
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByRole('heading', { name: 'All rows are checked' }).waitFor();
    await page.getByRole('radio', { name: 'PARK SURGERY (Z00002)' }).check();
    await page.getByRole('link', { name: 'PRACTICE 1', exact: true }).click();
    await page.getByRole('heading', { name: 'PRACTICE 1', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'All rows are checked' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'PARK SURGERY (Z00002)' }).isChecked());
    await page.goBack();
    assert.equal(await page.getByLabel('Names, codes or postcodes').inputValue(), list);
    assert.deepEqual(complaints, []);
    await close();
  });

  it('can be used with the keyboard alone', async () => {
    const { page, close } = await visit(browser, server.origin);
    await page.goto('/check-a-list');
    const tabTo = async (id: string) => {
      for (let pressed = 0; pressed < 40; pressed++) {
        if ((await page.evaluate<string>('document.activeElement.id')) === id) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`Tab does not reach ${id}`);
    };
    await tabTo('list');
    await page.keyboard.type('Park Surgery');
    await tabTo('file');
    for (let pressed = 0; pressed < 6; pressed++) await page.keyboard.press('Tab');
    assert.equal(await focusedText(page), 'Check the list');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'All rows are checked' }).waitFor();
    await tabTo('row1-1');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    assert.equal(await focusedText(page), 'Download CSV');
    const [row] = await downloadOf(page, () => page.keyboard.press('Enter'));
    assert.deepEqual([row?.outcome, row?.code], ['chosen', 'Z00002']);
    await close();
  });

  for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
    it(`is accessible and fits, on a ${size}`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { size });
      await page.goto('/check-a-list');
      await holdToAxe(page, 'the form');
      await requireFit(page, size, 'the form');
      const lists = ['Park Surgery\nOLD1\nQqqq Xyzzy\nPractice', 'LS1 4AP\nYO1 1AA\nZZ9 9ZZ', ' '];
      for (const list of lists) {
        await page.goto('/check-a-list');
        await page.getByLabel('Names, codes or postcodes').fill(list);
        await page.getByRole('button', { name: 'Check the list' }).click();
        await page
          .getByText(/All rows are checked|The list is empty/)
          .first()
          .waitFor();
        await holdToAxe(page, list);
        await requireFit(page, size, list);
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});

function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}
