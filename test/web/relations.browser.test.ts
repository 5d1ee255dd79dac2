/** The pages about relationships in a real browser, on two sizes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { editionOf } from '../directory/directory-server.ts';
import { organization, role } from '../directory/records.ts';
import { NO_BROWSER, openBrowser, visit } from './browser.ts';
import { holdToAxe, OPEN_DETAILS, requireFit } from './hold-page.ts';
import { HISTORY, HOSTILE, LONG_NAME } from './records.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS, relationship } from './related-records.ts';
import { startWeb, type WebServer } from './web-server.ts';

/** Markup and very long words in the names of related organisations. */
const HOSTILE_RECORDS = [
  organization('ZX1', { name: `HOSTILE ${HOSTILE}`, roles: [role('318', { isPrimary: true })] }),
  {
    ...organization('ZX4', {
      name: LONG_NAME,
      address: { lines: [], city: LONG_NAME.slice(0, 75) },
    }),
    relationships: [relationship('6', 'ZX1', '318')],
  },
  organization('ZX2', { name: LONG_NAME, roles: [role('318', { isPrimary: true })] }),
  {
    ...organization('ZX3', {
      name: 'CLOSED',
      isActive: false,
      periods: [{ kind: 'Operational', start: '2001-04-01', end: '2010-03-31' }],
    }),
    relationships: [relationship('4', 'ZX1', '318'), relationship('6', 'ZX2', '318')],
    successions: [
      { kind: 'Successor', periods: [], target: { code: 'ZX1' } },
      { kind: 'Successor', periods: [], target: { code: 'ZX2' } },
    ],
  } as const,
];

const STATES = [
  '/organizations/A81000',
  '/organizations/15F',
  '/organizations/OLD1',
  '/organizations/MANY1',
  '/organizations/NONE1',
  '/organizations/GONE1',
  '/organizations/REF1',
  '/organizations/ZX1',
  '/organizations/ZX3',
  '/?of=15F&page=2',
  '/?of=leeds',
  '/?of=ZX2&status=all',
  '/?of=ZX1',
  '/?of=nowhere',
] as const;

/** The others have the same parts as these on a phone. */
const LAID_OUT_FOR_PHONES: readonly string[] = ['/organizations/A81000', '/organizations/OLD1'];

describe('pages about relationships in a browser', {
  skip: NO_BROWSER,
  concurrency: 2,
}, () => {
  let browser: Browser;
  let server: WebServer;
  before(async () => {
    const edition = editionOf([...RELATED_RECORDS, ...HOSTILE_RECORDS], 3, RELATED_CODE_SYSTEMS);
    const editions = { current: () => edition, byNumber: () => edition };
    [browser, server] = await Promise.all([
      openBrowser(),
      startWeb({ editions, history: HISTORY }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const size of ['desktop', 'phone'] as const) {
    it(`are accessible, fit and run nothing that records bring, on a ${size}`, async () => {
      const { page, complaints, close } = await visit(browser, server.origin, { size });
      for (const path of STATES) {
        await page.goto(path);
        await page.evaluate(OPEN_DETAILS);
        if (size === 'desktop' || LAID_OUT_FOR_PHONES.includes(path)) await holdToAxe(page, path);
        await requireFit(page, size, path);
        assert.equal(await page.evaluate('globalThis.hacked'), undefined, path);
      }
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  it('lead from a practice to its commissioner and to all that it commissions', async () => {
    const { page, complaints, close } = await visit(browser, server.origin, { javaScript: false });
    await page.goto('/organizations/A81000');
    await page.getByRole('link', { name: 'NHS WEST YORKSHIRE ICB - 15F' }).first().click();
    await page.getByRole('link', { name: 'Prescribing cost centre' }).click();
    await page.getByRole('heading', { name: '29 active organisations' }).waitFor();
    await page.getByLabel('Belongs to').fill('leeds teaching');
    await page.getByLabel('Prescribing cost centre').uncheck();
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByText('No organisation matches').waitFor();
    await page.getByRole('link', { name: /^Show all that belong/ }).click();
    await page.getByRole('heading', { name: '5 active organisations' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
