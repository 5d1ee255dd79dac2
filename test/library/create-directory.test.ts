/** The directory as a library: import, read, search and errors, in the process of the caller. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type * as fhir3 from 'fhir/r3.js';
import type * as fhir4 from 'fhir/r4.js';
import {
  createDirectory,
  type Directory,
  DirectoryError,
} from '../../src/library/create-directory.ts';
import { SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('a directory in the process', () => {
  let directory: Directory;
  before(async () => {
    directory = await createDirectory({ release: SAMPLE });
  });

  it('reads an organisation by its code', async () => {
    const organization = await directory.read('RR8');
    assert.equal(organization?.resourceType, 'Organization');
    assert.equal(organization?.id, 'RR8');
    assert.equal(await directory.read('NOBODY'), undefined);
  });

  it('searches, and follows the link to the next page', async () => {
    const first = await directory.search('name:contains=leeds&active=true&_count=5');
    assert.equal(first.total, 8);
    assert.equal(first.entry?.length, 5);
    const next = first.link.find(({ relation }) => relation === 'next')?.url ?? '';
    assert.match(next, /^http:\/\/localhost:8080\/STU3\/Organization\?/);
    const second = await directory.search(next);
    assert.equal(second.entry?.length, 3);
    const ids = [first, second].flatMap(({ entry = [] }) =>
      entry.map(({ resource }) => resource.id),
    );
    assert.equal(new Set(ids).size, 8);
  });

  it('matches names, and lists what happened', async () => {
    const { candidates } = await directory.match({
      name: 'Leeds Teaching Hospitals',
      postcode: 'LS9',
    });
    assert.ok(candidates.some(({ code }) => code === 'RR8'));
    const events = await Array.fromAsync(directory.events({ since: '2025-01-01', role: 'RO177' }));
    assert.ok(events.length > 0);
    assert.ok(events.every(({ day }) => day >= '2025-01-01'));
    await assert.rejects(directory.events({ since: '2025' }).next(), /since must be a date/);
  });

  it('finds what is near, if it has postcodes', async () => {
    await assert.rejects(directory.near('LS1 4AP'), /near needs postcodes/);
    const postcodes = join(SAMPLE, '..', 'postcodes.zip');
    const placed = await createDirectory({ release: SAMPLE, postcodes });
    const { total, organizations } = await placed.near('LS1 4AP', { role: '182', limit: 2 });
    assert.equal(organizations.length, 2);
    assert.ok(total > 2);
    assert.ok(organizations[0]!.kilometres <= organizations[1]!.kilometres);
    const found = await placed.search('near=LS1 4AP|5&ods-org-role=182&active=true');
    assert.equal(found.entry?.[0]?.resource.id, organizations[0]?.code);
    await assert.rejects(placed.near('LS1 4AP', { within: Number.NaN }), /above 0/);
  });

  it('knows which code replaced another, and what an organisation belongs to, on a day', async () => {
    assert.deepEqual(await directory.resolve('rr8', '2026-04-01'), {
      code: 'rr8',
      outcome: 'current',
      now: [{ code: 'RR8', name: 'LEEDS TEACHING HOSPITALS NHS TRUST', via: [] }],
    });
    assert.equal((await directory.resolve('NOBODY')).outcome, 'unknown');
    assert.deepEqual(await directory.hierarchy('NOBODY'), {
      code: 'NOBODY',
      outcome: 'unknown',
      levels: [],
    });
    const [level] = (await directory.hierarchy('A80001')).levels;
    assert.equal(level?.by, 'RE8');
    await assert.rejects(directory.resolve('RR8', '1.4.2026'), /must be a date YYYY-MM-DD/);
  });

  it('gives all matches of a search, one after the other', async () => {
    const names: string[] = [];
    for await (const { id, name } of directory.all('name:contains=leeds&active=true&_count=3')) {
      names.push(`${id} ${name}`);
    }
    assert.equal(new Set(names).size, 8);
    let count = 0;
    for await (const { resourceType } of directory.all()) count += resourceType.length > 0 ? 1 : 0;
    assert.equal(count, (await directory.search('')).total);
    await assert.rejects(directory.all('nome=leeds').next(), DirectoryError);
  });

  it('rejects a search that is not valid, with the outcome of a server', async () => {
    await assert.rejects(directory.search('nome=leeds'), (error) => {
      assert.ok(error instanceof DirectoryError);
      assert.equal(error.status, 400);
      assert.equal(error.outcome.resourceType, 'OperationOutcome');
      assert.match(error.message, /nome/);
      return true;
    });
    await assert.rejects(directory.search('name=leeds&_format=xml'), /Leave out .* _format/);
  });

  it('has no organisation for a text that is not a code', async () => {
    for (const code of ['', '..', '../metadata', '_search', 'RR8?_format=xml', 'a b', '%', 'é']) {
      assert.equal(await directory.read(code), undefined, code);
    }
  });
});

it('a directory in R4 has its own addresses', async () => {
  const serverUrl = 'https://directory.example.org';
  const directory = await createDirectory({
    release: [SAMPLE],
    includeArchive: true,
    fhirVersion: 'R4',
    serverUrl,
  });
  const { link, total } = await directory.search('name:contains=leeds&_count=1');
  assert.ok(total > 0);
  assert.ok(link[0]?.url.startsWith(`${serverUrl}/R4/Organization?`));
  const query = 'name:contains=leeds&_revinclude=OrganizationAffiliation:primary-organization';
  const { entry = [] } = await directory.search(query);
  assert.ok(entry.some(({ resource }) => resource.resourceType === 'OrganizationAffiliation'));
  for await (const { resourceType } of directory.all(query)) {
    assert.equal(resourceType, 'Organization');
  }
});

it('the types of Organizations are those of FHIR', async () => {
  const stu3: fhir3.Organization | undefined = await (
    await createDirectory({ release: SAMPLE })
  ).read('RR8');
  const r4: fhir4.Organization | undefined = await (
    await createDirectory({ release: SAMPLE, fhirVersion: 'R4' })
  ).read('RR8');
  assert.equal(stu3?.name, r4?.name);
  assert.equal(stu3?.address?.[0]?.postalCode, r4?.address?.[0]?.postalCode);
});

it('a file that cannot be imported is refused by its name', async (context) => {
  const missing = join(temporaryFolder(context), 'missing.zip');
  await assert.rejects(createDirectory({ release: missing }), /missing\.zip/);
  const changes = join(temporaryFolder(context), 'changes.json');
  writeFileSync(changes, '{"Organisation": {}}');
  await assert.rejects(createDirectory({ release: changes }), /changes\.json/);
  const empty = join(temporaryFolder(context), 'empty.ndjson');
  writeFileSync(empty, '\n');
  await assert.rejects(createDirectory({ release: empty }), /empty\.ndjson/);
  const none = createDirectory({ release: [] });
  await assert.rejects(none, /no organisation/);
});

it('says which option is missing', async () => {
  for (const options of [undefined, {}]) {
    await assert.rejects(createDirectory(options as never), {
      message: 'createDirectory needs the path of a release file: { release: FILE }.',
    });
  }
});

it('says which Node it needs', () => {
  const url = new URL('../../src/library/create-directory.ts', import.meta.url);
  const older = `Object.defineProperty(process, 'versions', { value: { node: '24.20.1' } })`;
  const code = `${older}; await import('${url}')`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  assert.match(stderr, /Error: gazetteer-fhir needs Node 24\.21 or newer\. This is v/);
});
