/** Editions of other versions of the program: without a search column, and in another format. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';
import { openStore, storeUrlOf } from '../../src/storage/open.ts';
import { addRowChecksum, checksumOf } from '../../src/storage/sqlite/migrations/directory.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { importedSample } from '../imported-sample.ts';
import { resourceWith } from '../journeys/orders-load.ts';
import { SAMPLE, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { storeOptions } from '../storage/store-options.ts';

interface ManifestFile {
  readonly name: string;
  readonly checksum: number;
}

/** Changes the files of edition 1, and the manifest and its checksum with them. */
function rewriteEdition(
  data: string,
  rewrite: (file: ManifestFile, path: string) => ManifestFile | undefined,
): void {
  const folder = join(data, 'editions', '000001');
  const path = join(folder, 'manifest.json');
  const manifest: { files: ManifestFile[] } = JSON.parse(readFileSync(path, 'utf8'));
  const files = manifest.files.flatMap(
    (file) => rewrite(file, join(folder, `${file.name}.bin`)) ?? [],
  );
  const text = JSON.stringify({ ...manifest, files });
  writeFileSync(path, text);
  const database = new DatabaseSync(join(data, 'directory.db'));
  addRowChecksum(database);
  database.prepare('UPDATE edition SET manifest_checksum = ?').run(crc32(text));
  database.exec(`UPDATE edition SET checksum = ${checksumOf('edition')}`);
  database.close();
}

/** The arrays of every column that does not identify rows. */
const SEARCH_ARRAY = /^(name|(compact-)?postal-code|city|active|role|changed)\./;

function removeArrays(data: string, names: RegExp): number {
  let removed = 0;
  rewriteEdition(data, (file, path) => {
    if (!names.test(file.name)) return file;
    rmSync(path);
    removed += 1;
    return undefined;
  });
  return removed;
}

function changeFormat(data: string): void {
  rewriteEdition(data, (file, path) => {
    if (file.name !== 'format') return file;
    const bytes = Uint32Array.of(99);
    writeFileSync(path, bytes);
    return { ...file, checksum: crc32(new Uint8Array(bytes.buffer)) };
  });
}

async function loadArrays(data: string) {
  const opened = await openStore(storeUrlOf(data), storeOptions(data));
  const store = await opened.openEditions();
  const arrays = await store.load(1);
  await store.close();
  return arrays;
}

const SEARCHES = [
  'name:contains=surgery',
  'address-postalcode=LS6',
  'address-city=Leeds',
  'active=false',
  'ods-org-role=177',
  'ods-org-primaryRole=true&ods-org-role=177',
  '_lastUpdated=gt2020-01-01',
];

async function searchAll(context: TestContext, data: string) {
  const server = await serve(context, ['--data', data, '--threads', '1', '--orders-enabled=false']);
  const found = [];
  for (const search of SEARCHES) {
    const response = await fetch(`${server.origin}/STU3/Organization?${search}&_format=json`);
    const { total, entry }: SearchResult = JSON.parse(await response.text());
    found.push([search, response.status, total, entry?.map(({ resource }) => resource.id)]);
  }
  assert.equal(await server.stop(), 0);
  return found;
}

interface SearchResult {
  readonly total?: number;
  readonly entry?: readonly { readonly resource: { readonly id: string } }[];
}

it('an edition without the arrays of search columns is searched by them', async (context) => {
  const data = await importedSample(context);
  const expected = await searchAll(context, data);
  for (const [search, status, total] of expected) {
    assert.equal(status, 200, `${search}`);
    assert.ok(Number(total) > 0, `${search} finds something`);
  }
  for (const names of [/^city\./, SEARCH_ARRAY]) {
    assert.ok(removeArrays(data, names) > 0);
    assert.deepEqual(await searchAll(context, data), expected);
  }
  const { code, stdout } = await runInProcess(['verify', '--data', data]);
  assert.equal(code, 0, stdout);
});

it('the missing arrays are built as an import builds them, in memory that threads share', async (context) => {
  const data = await importedSample(context);
  const complete = await loadArrays(data);
  assert.ok(removeArrays(data, SEARCH_ARRAY) > 20);
  const completed = await loadArrays(data);
  assert.deepEqual(completed, complete);
  for (const [name, { buffer }] of Object.entries(completed)) {
    assert.ok(buffer instanceof SharedArrayBuffer, name);
  }
});

it('an edition in another format counts as no edition, and order responses are served', async (context) => {
  const data = await importedSample(context);
  changeFormat(data);
  const token = await tokenFor(data);
  const server = await serve(context, ['--data', data, '--threads', '2']);
  const remedy = /another version of the program\. Import its release file again\./;

  const search = await fetch(`${server.origin}/STU3/Organization?active=true`);
  assert.deepEqual([search.status, search.headers.get('retry-after')], [503, '5']);
  assert.match(await search.text(), remedy);
  const ready = await fetch(`${server.operation}/readyz`);
  assert.equal(ready.status, 200);
  assert.match(await ready.text(), new RegExp(`^ok\ndirectory: .*${remedy.source}\n$`));
  const problems = server.log.filter((line) => remedy.test(JSON.stringify(line)));
  assert.equal(problems.length, 1);

  const created = await fetch(`${server.origin}/OrderResponse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json+fhir' },
    body: JSON.stringify(resourceWith('created')),
  });
  assert.equal(created.status, 201, await created.text());

  const imported = await runInProcess(['import', SAMPLE, '--data', data, '--quiet']);
  assert.equal(imported.code, 0, imported.stderr);
  await server.logged(/serving edition/);
  const isFound = async () =>
    (await fetch(`${server.origin}/STU3/Organization?active=true`)).status === 200;
  while (!(await isFound()));
  assert.equal(await server.stop(), 0);
});
