/** Somebody who has never seen the product finds what they need, each within two steps. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_BROWSER, openBrowser, visit } from '../web/browser.ts';
import { serve } from './program.ts';

const XML_TYPE = 'application/xml+fhir';

describe('the pages of the program', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  /** The sample, served, and its first page open. */
  async function start(context: TestContext): Promise<{
    readonly page: Page;
    readonly complaints: readonly string[];
    readonly data: string;
  }> {
    const data = await importedSample(context);
    const { origin } = await serve(context, ['--data', data, '--threads', '1']);
    const { page, complaints, close } = await visit(browser, origin);
    context.after(close);
    await page.goto('/');
    return { page, complaints, data };
  }

  it('lead to a code, to the organisations of a postcode, and to a number', async (context) => {
    const { page, complaints } = await start(context);
    // 1. The code of a named organisation.
    const box = page.getByLabel('Code, postcode, town or name');
    await box.fill('university hospitals of derby');
    await page.getByRole('button', { name: 'Search' }).click();
    const row = page.getByRole('row', { name: /UNIVERSITY HOSPITALS OF DERBY AND BURTON/ });
    assert.match(await row.innerText(), /RTG/);
    // 2. The organisations of a postcode.
    await page.goto('/');
    await box.fill('ls6 4jn');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Showing organisations whose postcode begins with LS6 4JN').waitFor();
    assert.match(
      await page.getByRole('heading', { level: 2 }).first().innerText(),
      /^\d+ active org/,
    );
    // 3. How many active organisations have a role.
    await page.goto('/');
    await page.getByRole('radio', { name: 'Active' }).first().check();
    await page.getByRole('checkbox', { name: 'Pharmacy' }).first().check();
    await page.getByRole('button', { name: 'Apply filters' }).click();
    const shown = await page.getByRole('heading', { name: /organisations$/ }).innerText();
    const api = await page.request.get('/STU3/Organization', {
      params: { active: 'true', 'ods-org-role': '182', _summary: 'count' },
    });
    assert.equal(shown, `${(await api.json()).total} active organisations`);
    assert.deepEqual(complaints, []);
  });

  it('show what an edition changed as soon as it is published', async (context) => {
    const { page, data } = await start(context);
    await page.goto('/organizations/RTG');
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Differences' }).count(), 0);
    const changed = await runInProcess(['export', '--data', data, '--format', 'ndjson']);
    const file = join(temporaryFolder(context), 'next.ndjson');
    await writeChanged(file, changed.stdout);
    assert.equal((await runInProcess(['import', file, '--data', data])).code, 0);
    await until(async () => {
      await page.reload();
      return (await page.getByText('Differences between edition 1 and edition 2').count()) > 0;
    });
    await page.getByRole('cell', { name: 'Another Name' }).waitFor();
    await page.goto('/editions/2');
    // STU3 has no place for a period of the sample that has an end and no start.
    await page.getByText('Changed (2)').click();
    await page.getByRole('link', { name: 'Another Name' }).click();
    await page.waitForURL(/\/organizations\/RTG$/);
  });

  it('fill in an order response to be sent, in JSON and in XML', async (context) => {
    const { page } = await start(context);
    await page.goto('/api');
    const create = page.locator('.opblock-post', { hasText: '/OrderResponse' }).first();
    // The requests of a group are in the page while it is closed.
    await page.locator('.app-try__group', { has: create }).locator('summary').first().click();
    await create.locator('.opblock-summary-control').click();
    await create.getByRole('button', { name: 'Try it out' }).click();
    const body = create.locator('textarea');
    assert.equal(JSON.parse(await body.inputValue()).resourceType, 'OrderResponse');
    await create.locator('.opblock-section-request-body select').selectOption(XML_TYPE);
    await page.waitForFunction("document.querySelector('.opblock-post textarea').value[0] === '<'");
    assert.match(await body.inputValue(), /^<\?xml[^>]*>\s*<OrderResponse xmlns="http:\/\/hl7/);
  });

  it('are not there where they are switched off', async (context) => {
    const { origin } = await serve(context, [
      '--data',
      join(temporaryFolder(context), 'data'),
      '--pages-enabled=false',
    ]);
    const answer = await fetch(`${origin}/`, { headers: { accept: 'text/html' } });
    // Order responses offer POST there: transactions and batches.
    assert.equal(answer.status, 405);
    assert.match(answer.headers.get('content-type') ?? '', /fhir/);
  });
});

it('the pages and the command line call the same day the day of publication', async (context) => {
  const data = await importedSample(context);
  const { stdout } = await runInProcess(['editions', '--data', data]);
  assert.match(stdout, /^edition {2}published {3}records {2}imported .*\n +1 {2}2026-08-28 /);
  const { origin } = await serve(context, ['--data', data, '--threads', '1']);
  for (const path of ['/', '/organizations/RTG', '/editions/1', '/statistics']) {
    const page = await (await fetch(origin + path)).text();
    assert.match(page, /published 28 August 2026/, path);
    assert.equal(page.match(/published \d+ (?!August 2026)/g), null, path);
  }
});

it('the parts of a page do not count against the requests per second', async (context) => {
  const data = await importedSample(context);
  const limit = ['--limits-requests-per-second', '3'];
  const { origin } = await serve(context, ['--data', data, '--threads', '1', ...limit]);
  const page = await (await fetch(`${origin}/`)).text();
  const styles = /href="(\/assets\/styles[^"]+)"/.exec(page)?.[1] ?? '';
  const statusesOf = async (path: string) => {
    const ask = async () => {
      const answer = await fetch(origin + path, { headers: { connection: 'close' } });
      await answer.arrayBuffer();
      return answer.status;
    };
    return new Set(await Promise.all(Array.from({ length: 60 }, ask)));
  };
  assert.deepEqual([...(await statusesOf(styles))], [200]);
  // Far more than pass even if the asking took seconds.
  assert.ok((await statusesOf('/assets/none.css')).has(429));
});

async function writeChanged(file: string, lines: string): Promise<void> {
  await writeFile(
    file,
    lines.replace(/"name":"UNIVERSITY HOSPITALS OF DERBY[^"]*"/, '"name":"Another Name"'),
  );
}

/** A server follows within a second, on a machine that is not busy. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}
