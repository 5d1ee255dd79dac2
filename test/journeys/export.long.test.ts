/** Exports as their users make them: files and pipes, and back in again without a difference. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, serve, start } from './program.ts';

async function exported(data: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['export', '--data', data, ...words]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
}

it('what is exported can be imported: no record is added, changed or removed', async (context) => {
  const data = await importedSample(context);
  const other = temporaryFolder(context);
  const ndjson = join(other, 'all.ndjson');
  assert.match(await exported(data, '--format', 'ndjson', '--output', ndjson), /: wrote 772 org/);
  const bundle = Buffer.from(await exported(data, '--format', 'bundle'));
  const files: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['all.ndjson', readFileSync(ndjson)],
    ['all.ndjson.gz', gzipSync(readFileSync(ndjson))],
    ['bundle.json', bundle],
  ];
  for (const [name, bytes] of files) {
    const file = join(other, name);
    writeFileSync(file, bytes);
    const imported = await runInProcess(['import', file, '--again', '--data', data]);
    // STU3 has no place for a period of the sample that has an end and no start.
    const changed = name === 'all.ndjson' ? 1 : 0;
    const counts = new RegExp(`is now current: 0 added, ${changed} changed, 0 removed\\.\n$`);
    assert.match(imported.stdout, counts, name);
    assert.doesNotMatch(imported.stdout, /Left out|Warnings/);
  }
  assert.equal(await exported(data, '--format', 'ndjson'), readFileSync(ndjson, 'utf8'));
  assert.equal(
    await exported(data, '--format', 'ndjson', '--edition', '3'),
    readFileSync(ndjson, 'utf8'),
  );
});

it('a release that is exported changes nothing when it is imported again', async (context) => {
  const data = await importedSample(context);
  const release = join(temporaryFolder(context), 'release.xml');
  const written = await exported(data, '--format', 'release-xml', '--output', release);
  assert.match(written, /: wrote 7\d\d organisations of edition 1\.\n$/);
  const imported = await runInProcess(['import', release, '--data', data]);
  assert.match(
    imported.stdout,
    /nothing to do\. To publish them again, use --again\. Edition 1 stays current\.\n$/,
  );
  const again = await exported(data, '--format', 'release-xml');
  assert.equal(again, readFileSync(release, 'utf8'));
});

it('relationships are columns of CSV, or the export needs a release', async (context) => {
  const data = await importedSample(context);
  const words = ['--format', 'csv', '--with', 'relationships', '_id=RR8EX'];
  const [names = ''] = (await exported(data, ...words)).split('\r\n');
  assert.match(
    names,
    /,legalEnd,latitude,longitude,easting,northing,nationalGrouping,.*,operatedBy,.*,successors$/,
  );
  const ndjson = await exported(data, '--format', 'ndjson');
  const fhir = await gazetteer(['import', '-', '--data', data], { input: Buffer.from(ndjson) });
  assert.equal(fhir.code, 0, fhir.stderr);
  for (const more of [
    words,
    ['--format', 'release-xml'],
    ['--format', 'sqlite', '--output', 'x'],
  ]) {
    const ended = await runInProcess(['export', '--data', data, ...more]);
    assert.match(
      ended.stderr,
      /^gazetteer: Edition 2 has no relationships, which this format needs\./,
    );
  }
});

it('a page of a server that answers in the legacy form can be imported', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, [
    '--data',
    data,
    '--directory-json',
    'legacy',
    '--threads',
    '1',
  ]);
  const other = temporaryFolder(context);
  for (const format of ['json', 'xml']) {
    const url = `${server.origin}/STU3/Organization?name:contains=leeds&_format=${format}`;
    const page = Buffer.from(await (await fetch(url)).arrayBuffer());
    const imported = await gazetteer(['import', '-', '--data', other, '--allow-shrink'], {
      input: page,
    });
    assert.equal(imported.code, 0, imported.stderr);
    const search = ['--format', 'ndjson', 'name:contains=leeds'];
    const [ours, theirs] = [await exported(other, ...search), await exported(data, ...search)];
    assert.deepEqual(ours.split('\n').slice(0, 20), theirs.split('\n').slice(0, 20));
  }
});

it('searches are given as words or as one', async (context) => {
  const data = await importedSample(context);
  const words = await exported(data, '--format', 'csv', 'name:contains=leeds', 'active=true');
  const one = await exported(data, '--format', 'csv', 'name:contains=leeds&active=true');
  assert.equal(words, one);
  const lines = words.trimEnd().split('\r\n');
  assert.ok(lines.length > 2);
  for (const line of lines.slice(1)) assert.match(line, /leeds.*,Active,/i);
});

it('CSV can have relationships, and the report epraccur needs them', async (context) => {
  const data = await importedSample(context);
  const csv = await exported(data, '--format', 'csv', '--with', 'relationships', 'active=true');
  const [names = '', ...rows] = csv.trimEnd().split('\r\n');
  assert.ok(names.endsWith(',otherRelationships,predecessors,successors'));
  const at = names.split(',').indexOf('commissionedBy') - names.split(',').length;
  assert.ok(rows.some((row) => /^\w+( \w+)*$/.test(row.split(',').at(at) ?? '')));
  const report = (await exported(data, '--format', 'epraccur')).trimEnd().split('\r\n');
  assert.ok(report.length > 20);
  for (const line of report) assert.match(line, /^"[A-Z0-9]+",".+",""$/);
});

it('what cannot be exported is said in one line, and no file is touched', async (context) => {
  const data = await importedSample(context);
  const empty = temporaryFolder(context);
  const file = join(empty, 'there.csv');
  const cases: readonly (readonly [words: string[], message: RegExp])[] = [
    [[], /--format is missing\. Use one of ndjson, bundle, csv/],
    [['--format', 'pdf'], /Unknown value "pdf" of --format\. The values are ndjson, bundle, csv, /],
    [['--format', 'csv', '--with', 'roles'], /--with must be relationships\. Got "roles"/],
    [['--format', 'ndjson', '--with', 'relationships'], /--with relationships needs --format csv/],
    [['--format', 'csv', '--edition', 'x'], /--edition must be the number/],
    [['--format', 'csv', '--edition', '9'], /There is no edition 9/],
    [['--format', 'csv', '--with', 'history'], /--with must be relationships\. Got "history"/],
    [['--format', 'ndjson', '--with', 'relationships'], /needs --format csv/],
    [['--format', 'csv', '_count=5'], /_count is not supported/],
    [
      ['--format', 'csv', 'name=x', 'colour=red'],
      /minimum of 3.* Unknown search parameter "colour"/,
    ],
    [['--format', 'csv', '--output', file], /there\.csv already exists/],
    [['--format', 'sqlite'], /--format sqlite needs --output FILE\./],
    [['--format', 'parquet', '--output', file], /there\.csv already exists/],
    [['--format', 'sqlite', '--output', join(empty, 'none', 'x')], /does not exist\. Create it/],
    [['--format', 'csv', '--output', join(empty, 'none', 'x')], /does not exist\. Create it/],
    [['--format', 'csv', '--output', empty], /already exists/],
  ];
  writeFileSync(file, 'as it was');
  for (const [words, message] of cases) {
    const ended = await runInProcess(['export', '--data', data, ...words]);
    assert.ok(ended.code === 1 || ended.code === 2, words.join(' '));
    assert.match(ended.stderr, /^gazetteer: [^\n]+\n$/);
    assert.match(ended.stderr, message);
    assert.equal(ended.stdout, '');
  }
  assert.equal(readFileSync(file, 'utf8'), 'as it was');
  assert.deepEqual(readdirSync(empty), ['there.csv']);
  const none = await runInProcess(['export', '--format', 'csv', '--data', join(empty, 'data')]);
  assert.match(none.stderr, /^gazetteer: .*data: there is no directory here; /);
});

it('a file that cannot be finished is taken away', async (context) => {
  const data = await importedSample(context);
  const file = join(temporaryFolder(context), 'all.ndjson');
  // The size limit of files stands for a full disk; the signal it sends must be ignored for that.
  const script = `trap '' XFSZ; ulimit -f 200; exec "$@"`;
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', 'src/main.ts'];
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', script, 'bash', ...words, 'export', '--data', data, '--format=ndjson', '--output', file],
    { encoding: 'utf8', cwd: ROOT },
  );
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^gazetteer: [^\n]*all\.ndjson cannot be written[^\n]*\n$/);
  assert.equal(existsSync(file), false);
});

it('a reader that has had enough ends an export quietly', async (context) => {
  const data = await importedSample(context);
  const child = start(['export', '--format', 'ndjson', '--data', data]);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = once(child, 'exit');
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [code] = await exit;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});

it('invalid resources are findings of the report', async (context) => {
  const data = await importedSample(context);
  const folder = temporaryFolder(context);
  const file = join(folder, 'some.ndjson');
  const report = join(folder, 'report.json');
  const lines = (await exported(data, '--format', 'ndjson')).split('\n').slice(0, 4);
  lines[1] = 'not JSON';
  lines[2] = lines[2]?.replace(/"active":(true|false)/, '"active":1') ?? '';
  writeFileSync(file, lines.join('\n'));
  const words = ['--data', join(folder, 'data'), '--report', report, '--quiet'];
  assert.equal((await runInProcess(['import', file, ...words])).code, 0);
  const { read, imported, leftOut } = JSON.parse(readFileSync(report, 'utf8'));
  assert.deepEqual([read, imported], [4, 2]);
  const { count, examples } = leftOut['invalid-resource'];
  assert.equal(count, 2);
  assert.match(examples[0], /^line 2: not JSON: /);
  assert.match(examples[1], /^\w+: line 3: \/f:Organization\/f:active: /);
});
