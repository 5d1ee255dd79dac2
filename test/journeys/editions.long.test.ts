/** Editions that are published while the server answers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Server, serve } from './program.ts';

interface Bundle {
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly resource: { readonly id: string; readonly name: string } }[];
}

/** Releases of the same organisations, each of which differs from the one before. */
function releaseFiles(context: TestContext, count: number): string[] {
  const folder = temporaryFolder(context);
  return Array.from({ length: count }, (_, revision) => {
    const file = join(folder, `release-${revision}.xml`);
    writeFileSync(
      file,
      [...generateRelease({ ...releaseDefaults, records: 400, revision })].join(''),
    );
    return file;
  });
}

async function importFile(file: string, data: string): Promise<void> {
  const { code, stderr } = await runInProcess(['import', file, '--data', data, '--quiet']);
  assert.equal(code, 0, stderr);
}

/** Resolves when every thread serves the edition with this number. */
async function served(server: Server, number: number): Promise<void> {
  for (let inARow = 0; inARow < 20; ) {
    // A new connection each time, so that every thread is asked.
    const answer = await fetch(`${server.origin}/STU3/Organization?_count=1&_page=2`, {
      headers: { connection: 'close' },
    });
    const { link }: Bundle = JSON.parse(await answer.text());
    const next = link.find(({ relation }) => relation === 'next')?.url ?? '';
    inARow = new URL(next).searchParams.get('_edition') === String(number) ? inARow + 1 : 0;
  }
}

it('ten imports under constant load: no request fails, none mixes editions', async (context) => {
  const data = temporaryFolder(context);
  const files = releaseFiles(context, 3);
  await importFile(files[0]!, data);
  const server = await serve(context, ['--data', data, '--threads', '2', '--log-requests=false']);
  let isLoading = true;
  let answered = 0;

  /** What a search said of an edition, to be the same whenever it is asked again. */
  const known = new Map<string, string>();
  const load = async (): Promise<void> => {
    while (isLoading) {
      const answer = await fetch(`${server.origin}/STU3/Organization?active=true&_count=5`);
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      const { link }: Bundle = JSON.parse(text);
      const next = link.find(({ relation }) => relation === 'next')?.url ?? '';
      const edition = new URL(next).searchParams.get('_edition') ?? '';
      assert.equal(known.get(edition) ?? text, text, `edition ${edition} answers one thing`);
      known.set(edition, text);
      const read = await fetch(`${server.origin}/STU3/Organization/RTG`);
      assert.equal(read.status, 200);
      await read.text();
      answered += 2;
    }
  };
  const loading = Promise.all([load(), load(), load()]);
  for (let time = 1; time <= 10; time++) {
    await Promise.race([importFile(files[time % files.length]!, data), loading]);
    await Promise.race([served(server, time + 1), loading]);
  }
  isLoading = false;
  await loading;
  assert.ok(answered > 100, `${answered} answers`);
  assert.equal(known.size, 11);
  assert.equal(await server.stop(), 0);
});

it('paging through a search while editions change gives every match once', async (context) => {
  const data = temporaryFolder(context);
  const files = releaseFiles(context, 2);
  await importFile(files[0]!, data);
  const server = await serve(context, ['--data', data, '--threads', '2', '--log-requests=false']);
  const whole = async (): Promise<{ id: string; name: string }[]> => {
    const all: { id: string; name: string }[] = [];
    for (let page = 1; ; page++) {
      const answer = await fetch(`${server.origin}/STU3/Organization?active=true&_page=${page}`);
      const { entry = [] }: Bundle = JSON.parse(await answer.text());
      if (entry.length === 0) return all;
      all.push(...entry.map(({ resource: { id, name } }) => ({ id, name })));
    }
  };
  const before = await whole();
  const walked: { id: string; name: string }[] = [];
  const totals = new Set<number>();
  let url: string | undefined = `${server.origin}/STU3/Organization?active=true&_count=20`;
  for (let page = 1; url !== undefined; page++) {
    const answer = await fetch(url.replace(/^http:\/\/localhost:/, 'http://127.0.0.1:'));
    assert.equal(answer.status, 200);
    const { total, link, entry = [] }: Bundle = JSON.parse(await answer.text());
    totals.add(total);
    walked.push(...entry.map(({ resource: { id, name } }) => ({ id, name })));
    url = link.find(({ relation }) => relation === 'next')?.url;
    if (page === 2 || page === 5) {
      await importFile(files[page === 2 ? 1 : 0]!, data);
      await served(server, page === 2 ? 2 : 3);
    }
    if (page === 7) assert.equal((await runInProcess(['rollback', '--data', data])).code, 0);
  }
  assert.deepEqual(walked, before);
  assert.deepEqual([...totals], [before.length]);
  await served(server, 4);
  assert.notDeepEqual(await whole(), before);
  assert.equal(await server.stop(), 0);
});

it('in its grace period an edition can be read, after a restart too, and afterwards it is 410', async (context) => {
  const data = temporaryFolder(context);
  const files = releaseFiles(context, 2);
  for (const file of files) await importFile(file, data);
  const linkTo = ({ origin }: Server, number: number) =>
    `${origin}/STU3/Organization?_page=2&_edition=${number}`;
  const words = ['--data', data, '--threads', '2', '--log-requests=false'];
  const server = await serve(context, words);
  const first = await fetch(linkTo(server, 1));
  assert.equal(first.status, 503);
  assert.equal(first.headers.get('retry-after'), '5');
  assert.match(await first.text(), /Edition 1 of the directory is being read .* Repeat/);
  await server.logged(/^a replaced edition is in memory again$/);
  // The other thread may learn of it a moment later.
  const read = await until200(linkTo(server, 1));
  const { link }: Bundle = JSON.parse(read);
  assert.match(link.find(({ relation }) => relation === 'next')?.url ?? '', /[?&]_edition=1(&|$)/);
  assert.equal((await fetch(linkTo(server, 3))).status, 410);
  await server.stop();
  const without = await serve(context, [...words, '--directory-grace-minutes', '0']);
  assert.equal((await fetch(linkTo(without, 1))).status, 410);
  await without.stop();
});

it('an edition beyond the bound leaves memory, and is read again where a link asks for it', async (context) => {
  const data = temporaryFolder(context);
  const files = releaseFiles(context, 3);
  await importFile(files[0]!, data);
  const words = ['--data', data, '--threads', '1', '--directory-editions-in-memory', '2'];
  const server = await serve(context, words);
  for (const number of [2, 3]) {
    await importFile(files[number - 1]!, data);
    await served(server, number);
  }
  const { edition, reason } = await server.logged(/^edition leaves memory$/);
  assert.deepEqual([edition, reason], [1, 'directory.editionsInMemory']);
  const linkTo = (number: number) => `${server.origin}/STU3/Organization?_edition=${number}`;
  assert.equal((await fetch(linkTo(2))).status, 200);
  assert.equal((await fetch(linkTo(1))).status, 503);
  await until200(linkTo(1));
  assert.equal((await fetch(linkTo(2))).status, 503);
  assert.equal((await fetch(`${server.origin}/STU3/Organization`)).status, 200);
});

/** The body of the first answer that is no longer "repeat the request". */
async function until200(url: string): Promise<string> {
  for (;;) {
    const answer = await fetch(url);
    const text = await answer.text();
    if (answer.status === 200) return text;
    assert.equal(answer.status, 503, text);
    await delay(50);
  }
}
