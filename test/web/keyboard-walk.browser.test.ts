/**
 * A walk through the pages with the keyboard and a screen reader: the order of the focus, the names
 * that a screen reader says, a focus that can be seen, and what is announced.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { REPORTS } from '../../src/interfaces/reports/csv/report-table.ts';
import { bestKnownFirst } from '../../src/web/reports/reports-page.ts';
import { editionOf } from '../directory/directory-server.ts';
import { NO_BROWSER, openBrowser, visit } from './browser.ts';
import { HISTORY, PAGE_RECORDS } from './records.ts';
import { startWeb, type WebServer } from './web-server.ts';

const BEGINNING = [
  'link "Skip to main content"',
  'link "Gazetteer"',
  'link "Look up"',
  'link "Check a list"',
  'link "What changed"',
  'link "Editions"',
  'link "Reports"',
  'link "API"',
];

const ENDING = ['link "Documentation"', 'link "Accessibility"'];

/** Pages without a chapter in the documents. */
const WITHOUT_HELP: readonly string[] = ['/organizations/NONE', '/accessibility'];

function endingOf(path: string): readonly string[] {
  const help = WITHOUT_HELP.includes(path) ? [] : ['link "Help with this page"'];
  return ['link "Open Government Licence v3.0"', ...help, ...ENDING];
}

const STATISTICS = [
  'Organisations by main role',
  'Active and inactive organisations',
  'Organisations by town',
  'Changes by month',
  'Changes by edition',
];

const SEARCH = ['combobox "Code, postcode, town or name"', 'button "Search"'];

/** Where Tab stops after the menu. */
const WALKS: Readonly<Record<string, readonly string[]>> = {
  '/': [
    ...SEARCH,
    'link "RTG"',
    'link "hospital"',
    'link "LS1"',
    'link "Leeds"',
    'link "pharmacy"',
    'link "filters"',
    'link "Check a list"',
    'link "What changed"',
    'link "Statistics"',
    'link "Reports and downloads"',
    'link "For developers"',
    'radio "Active (43)" [checked]',
    'textbox "Belongs to"',
    'textbox "Town"',
    'checkbox "GP practice (21)"',
    'checkbox "Prescribing cost centre (19)"',
    'checkbox "NHS trust (2)"',
    'checkbox "Non-NHS organisation (1)"',
    'checkbox "NHS trust site (1)"',
    'checkbox "Foundation trust (1)"',
    'checkbox "Role RO999 (1)"',
    'button "Apply filters"',
  ],
  '/?q=leeds': [
    ...SEARCH,
    'link "2 organisations in towns that begin with leeds"',
    'link "LEEDS TEACHING HOSPITALS NHS TRUST"',
    'link "LEEDS DENTAL INSTITUTE"',
    'link "CSV of all results"',
    'link "NDJSON of all results"',
    'radio "Active (2)" [checked]',
    'textbox "Belongs to"',
    'textbox "Town"',
    'checkbox "Non-NHS organisation (1)"',
    'checkbox "NHS trust (1)"',
    'checkbox "NHS trust site (1)"',
    'button "Apply filters"',
  ],
  '/organizations/RR8?q=leeds': [
    'link "Back to results"',
    'button "Copy code"',
    'link "View on a map (another website)"',
    'link "0113 2433144"',
    'link "History, as JSON"',
    'link "edition 2"',
    'link "edition 3"',
    'link "JSON of RR8"',
    'link "XML of RR8"',
    'link "CSV of RR8"',
    'link "ORIGIN/R4/Organization/RR8"',
    'button "Copy address in R4"',
    'link "ORIGIN/STU3/Organization/RR8"',
    'button "Copy address in STU3"',
    'summary "Show as JSON"',
    'summary "Show as XML"',
  ],
  '/organizations/NONE': SEARCH,
  '/accessibility': [],
  '/editions/3': [
    'link "Editions"',
    'link "edition 2"',
    'link "Download the codes of all changes (CSV)"',
    'summary "Added (2)"',
    'summary "Changed (2)"',
    'summary "Removed (1)"',
  ],
  '/statistics': [
    ...STATISTICS.map((title) => `link "${title}"`),
    ...STATISTICS.flatMap((title) => [
      `summary "Show as a table: ${title}"`,
      `link "Download as CSV: ${title}"`,
    ]),
  ],
  '/reports': [
    'link "Reports"',
    'link "Several reports at once"',
    'link "Reports that the release does not have"',
    'link "The whole edition"',
    'link "Load a report in another program"',
    'searchbox "Find a report"',
    'button "Find"',
    ...bestKnownFirst(REPORTS)
      .filter(({ content }) => content !== undefined)
      .flatMap(({ title }) => [
        `link "CSV of ${title}"`,
        `link "with headings of ${title}"`,
        `link "zip of ${title}"`,
      ]),
    'button "Copy address of two reports"',
    'link "NDJSON"',
    'link "XML"',
    'link "SQLite"',
    'link "Parquet"',
    'summary "curl"',
    'button "Copy curl sample"',
    'region "curl sample"',
    'summary "Python (pandas)"',
    'summary "R"',
    'summary "Power Query (Excel, Power BI)"',
  ],
  '/try-order-response': [
    'link "API"',
    'textbox "Token"',
    'textbox "Order response"',
    'button "Create the order response"',
  ],
};

/** Whether what has the focus looks different without it, and is on the screen. */
const SHOWS_FOCUS = `(() => {
  const one = document.activeElement;
  const parts = [one, ...(one.labels ?? [])];
  const look = () => JSON.stringify(parts.flatMap((part) => ['', '::before', '::after'].map((pseudo) => {
    const { outline, boxShadow, backgroundColor, border } = getComputedStyle(part, pseudo || null);
    return [outline, boxShadow, backgroundColor, border];
  })));
  const focused = look();
  one.blur();
  const isShown = look() !== focused;
  one.focus();
  const { top, bottom } = parts.at(-1).getBoundingClientRect();
  return isShown && bottom > 0 && top < innerHeight;
})()`;

/** What a screen reader says of each place where Tab stops, until the end of the page. */
async function walk(page: Page): Promise<string[]> {
  const said: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    if (await page.evaluate('document.activeElement === document.body')) return said;
    const line = await nameOf(page);
    said.push(line);
    assert.ok(await page.evaluate(SHOWS_FOCUS), `the focus cannot be seen: ${line}`);
    assert.ok(said.length < 200, 'the focus is trapped');
  }
}

/** The role and the name of what has the focus. */
async function nameOf(page: Page): Promise<string> {
  const focused = page.locator(':focus');
  const isSummary = await page.evaluate("document.activeElement.matches('summary')");
  if (isSummary) return `summary "${await focused.textContent()}"`;
  const [first = ''] = (await focused.ariaSnapshot()).split('\n');
  const [said = ''] = /(?<=^- '?)\w+ "(?:[^"\\]|\\.)*"(?: \[checked\])?/.exec(first) ?? [];
  // Hidden text is a word of its own.
  return said.replace(new URL(page.url()).origin, 'ORIGIN').replace(' :', ':');
}

describe('a walk with the keyboard', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let server: WebServer;
  before(async () => {
    const edition = editionOf(PAGE_RECORDS, 3);
    [browser, server] = await Promise.all([
      openBrowser(),
      startWeb({
        editions: { current: () => edition, byNumber: () => edition },
        history: HISTORY,
        hasOrders: true,
      }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [i, [path, expected]] of Object.entries(WALKS).entries()) {
    it(`goes through ${path} in the order of the page`, async () => {
      const { page, close } = await visit(browser, server.origin);
      await page.emulateMedia({ colorScheme: i % 2 === 0 ? 'dark' : 'light' });
      await page.goto(path);
      assert.deepEqual(await walk(page), [...BEGINNING, ...expected, ...endingOf(path)]);
      await close();
    });
  }

  it('skips the menu, and returns to the results', async () => {
    const { page, close } = await visit(browser, server.origin);
    await page.goto('/organizations/RR8?q=leeds');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'maincontent');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await nameOf(page), 'link "Back to results"');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '2 active organisations' }).waitFor();
    await close();
  });

  it('hears the parts of each page, and what changes on it', async () => {
    const { page, close } = await visit(browser, server.origin);
    for (const path of Object.keys(WALKS)) {
      await page.goto(path);
      for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
        assert.equal(await page.getByRole(landmark).count(), 1, `${landmark} of ${path}`);
      }
      assert.equal(await page.getByRole('navigation', { name: 'Menu' }).count(), 1, path);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
      assert.match(await page.title(), / \u2013 Gazetteer$/, path);
    }
    await page.goto('/');
    await page.getByRole('combobox').pressSequentially('many');
    const status = page.getByRole('status');
    await status.getByText('8 suggestions. Use the arrow keys to choose').waitFor();
    await page.getByRole('combobox').fill('xyzzy');
    await status.getByText('No suggestions').waitFor();
    await page.goto('/organizations/RR8');
    await page.getByRole('button', { name: 'Copy address in STU3' }).press('Enter');
    await status.getByText(/address in STU3 copied|could not copy/).waitFor();
    await close();
  });
});
