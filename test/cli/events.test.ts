/** What happened between two days, on the command line: the events of HTTP, as CSV and JSON. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { importedSample } from '../imported-sample.ts';
import { serve } from '../journeys/program.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

describe('gazetteer events', () => {
  const owner = ownerOfSuite();
  let data: string[] = [];
  before(async () => {
    data = ['--data', await importedSample(owner)];
  });

  it('writes all events of HTTP, of all its pages', async (context) => {
    const server = await serve(context, data);
    const words = ['events', '--since', '1900-01-01', '--format', 'json', ...data];
    const { code, stdout, stderr } = await runInProcess(words);
    assert.deepEqual([code, stderr], [0, '']);
    const { since, events } = JSON.parse(stdout);
    assert.equal(since, '1900-01-01');
    const found: unknown[] = [];
    for (let next = ''; ; ) {
      const answer = await fetch(`${server.origin}/events?since=1900-01-01${next}`);
      const page = (await answer.json()) as { events: unknown[]; next?: string };
      found.push(...page.events);
      if (page.next === undefined) break;
      next = `&after=${page.next}`;
    }
    assert.ok(found.length > 1000);
    assert.deepEqual(events, found);
    assert.equal(await server.stop(), 0);
  });

  it('names its options in texts about wrong values', async () => {
    const cases: readonly (readonly [words: readonly string[], text: RegExp])[] = [
      [['--since-edition', '99'], /^gazetteer: --since-edition must be the number of an edition\./],
      [['--since-edition', '1', '--known-since', '2026-01-01'], /Give --known-since or --since-ed/],
      [['--since', '2026-01-01', '--of', 'NOPE'], /^gazetteer: --of must be the code/],
      [['--since', '2026-01-01', '--kind', 'changed'], /--kind=changed needs --known-since or --s/],
    ];
    for (const [words, text] of cases) {
      const { code, stderr } = await runInProcess(['events', ...words, ...data]);
      assert.equal(code, 2);
      assert.match(stderr, text);
    }
  });

  it('writes CSV, also to a file', async (context) => {
    const file = join(temporaryFolder(context), 'events.csv');
    const words = ['events', '--since', '2000-01-01', '--kind', 'closed', ...data];
    const { stdout } = await runInProcess(words);
    const [heading, first] = stdout.split('\n');
    assert.equal(
      heading,
      'day,kind,code,name,text,other,otherName,from,fromName,role,by,knownSinceEdition,knownSinceDate',
    );
    assert.match(first ?? '', /^2\d{3}-\d\d-\d\d,closed,\w+,.+,Closed,,,,,,,,$/);
    assert.equal((await runInProcess([...words, '--output', file])).code, 0);
    assert.equal(readFileSync(file, 'utf8'), stdout);
    const none = await runInProcess([
      'events',
      '--since',
      '2100-01-01',
      '--format',
      'json',
      ...data,
    ]);
    const { edition, ...others } = JSON.parse(none.stdout);
    assert.deepEqual(others, { since: '2100-01-01', events: [] });
    assert.equal(edition.number, 1);
  });

  it('makes no files in a folder that has no directory', async (context) => {
    const none = join(temporaryFolder(context), 'none');
    const { code, stderr } = await runInProcess([
      'events',
      '--since',
      '2020-01-01',
      '--data',
      none,
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /there is no directory here/);
    assert.equal(existsSync(none), false);
  });

  it('refuses what is not valid', async () => {
    for (const [words, message] of [
      [[], /--since is missing\. Give the first day, such as 2026-10-01\./],
      [['--since', 'monday'], /--since must be a date YYYY-MM-DD/],
      [['--since', '2026-10-02', '--until', '2026-10-01'], /since must not be after until/],
      [['--since', '2026-10-02', '--of', 'NEVER'], /The directory has no "NEVER"/],
      [['--since', '2026-10-02', '--kind', 'sold'], /Unknown value "sold" of --kind/],
      [['--since', '2026-10-02', '--format', 'xml'], /--format must be csv or json/],
    ] as const) {
      const { code, stderr } = await runInProcess(['events', ...words, ...data]);
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, message);
    }
  });
});
