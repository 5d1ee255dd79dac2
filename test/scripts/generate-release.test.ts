/** The generated release: the same for the same seed, in the national shape, and read back whole. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  generateArchive,
  generateRelease,
  releaseBytes,
} from '../../scripts/release/generate-release.ts';
import { codeAt, organisationKinds } from '../../scripts/release/kinds.ts';
import {
  archiveOrganisations,
  fullOrganisations,
  type ReleaseOptions,
  releaseDefaults,
} from '../../scripts/release/organisations.ts';
import { releaseRoles } from '../../scripts/release/roles.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { saysInvented } from '../../src/directory/record/source.ts';
import { openRelease } from '../../src/sources/release-file/open-release.ts';
import { readRelease } from '../../src/sources/release-file/read-release.ts';
import { readReleaseFile } from '../../src/sources/release-file/read-release-file.ts';
import { recordingReceiver } from '../sources/release-file/release-fixture.ts';

const samplePath = join(import.meta.dirname, '../../sample/organisations.zip');
const sampleOptions: ReleaseOptions = { ...releaseDefaults, records: 800, archive: 80, seed: 1 };
const options = (changes: Partial<ReleaseOptions>): ReleaseOptions => ({
  ...releaseDefaults,
  ...changes,
});
const textOf = (changes: Partial<ReleaseOptions>): string =>
  [...generateRelease(options(changes))].join('');

let temporaryFolder = '';
before(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'generate-release-'));
});
after(() => rm(temporaryFolder, { recursive: true }));

async function readBack(text: string) {
  const { told, receiver } = recordingReceiver();
  const chunks = [Buffer.from(text)];
  const document = { name: 'generated', chunks, bytesBefore: 0, bytesTotal: () => undefined };
  return { ...told, summary: await readRelease(document, receiver) };
}

describe('generateRelease', () => {
  it('gives the same text for the same options, and another for another seed', () => {
    const text = textOf({ records: 500 });
    assert.equal(textOf({ records: 500 }), text);
    assert.notEqual(textOf({ records: 500, seed: 2 }), text);
    assert.ok(textOf({ records: 501 }).includes(text.slice(-3000, -100)));
  });

  for (const records of [0, 1, 10, 5000]) {
    it(`makes ${records} records that are read back one for one`, async () => {
      const { summary, ...told } = await readBack(textOf({ records }));
      assert.equal(summary.manifest.recordCount, records);
      assert.equal(summary.elementsRead, records);
      const expected = [...fullOrganisations(options({ records }))];
      const references = expected.filter((organisation) => organisation.isReferenceOnly).length;
      const invalid = records >= 100 ? 4 : 0;
      assert.equal(told.leftOut.length, invalid);
      assert.equal(told.records.length, records - invalid);
      assert.equal(told.records.filter((record) => record.isReferenceOnly).length, references);
      const byCode = new Map(told.records.map((record) => [record.code, record]));
      for (const organisation of expected) {
        const record = byCode.get(organisation.code);
        if (record === undefined || organisation.name.startsWith(' ')) continue;
        if (told.records.filter(({ code }) => code === record.code).length > 1) continue;
        if (organisation.isReferenceOnly === true) continue;
        assert.equal(record.name, organisation.name);
        assert.equal(record.roles.length, organisation.roles.length);
        assert.equal(record.address?.city, organisation.town?.trim());
        assert.equal(
          record.telecoms.length,
          (organisation.contacts ?? []).filter(([, v]) => v !== '').length,
        );
      }
    });
  }

  it('has the national mixture: sizes, inactive and referred-to records, repeated codes', async () => {
    const records = 6000;
    const text = textOf({ records });
    const told = await readBack(text);
    const share = (count: number): number => count / records;
    const between = (low: number, value: number, high: number, what: string): void =>
      assert.ok(low <= value && value <= high, `${what}: ${value}`);
    between(1800, Buffer.byteLength(text) / records, 2400, 'bytes a record');
    between(
      0.35,
      share(told.records.filter((record) => !record.isActive).length),
      0.45,
      'inactive',
    );
    const references = told.records.filter((record) => record.isReferenceOnly);
    between(0.02, share(references.length), 0.05, 'reference-only');
    const full = told.records.filter((record) => record.isReferenceOnly !== true);
    const codes = new Set(full.map((record) => record.code));
    between(1, full.length - codes.size, 20, 'repeated codes');
    between(
      0.1,
      share(told.records.filter(({ roles }) => roles.length > 1).length),
      0.4,
      'several roles',
    );
    between(0.4, share(told.records.filter(({ address }) => address?.uprn).length), 0.8, 'UPRN');
    between(
      0.001,
      share(told.records.filter(({ name }) => /[^ -~]/.test(name ?? '')).length),
      0.05,
      'accents',
    );
    const known = new Set(releaseRoles.map(([code]) => code));
    const held = new Set(told.records.flatMap(({ roles }) => roles.map(({ code }) => code)));
    assert.deepEqual(
      [...held].filter((code) => !known.has(code)),
      ['9999'],
    );
  });

  it('refers in the full file to what the archive holds, and the other way round', () => {
    const both = options({ records: 3000, archive: 600 });
    const full = [...fullOrganisations(both)];
    const archive = [...archiveOrganisations(both)];
    assert.equal(archive.length, 600);
    const codesOf = (organisations: typeof full, isReference: boolean): Set<string> =>
      new Set(
        organisations
          .filter((organisation) => (organisation.isReferenceOnly === true) === isReference)
          .map((organisation) => organisation.code),
      );
    const onlyReferredTo = [...codesOf(full, true)].filter(
      (code) => !codesOf(full, false).has(code),
    );
    assert.ok(onlyReferredTo.length > 50);
    assert.deepEqual(
      onlyReferredTo.filter((code) => !codesOf(archive, false).has(code)),
      [],
    );
    const referredTo = [...codesOf(archive, true)];
    assert.ok(referredTo.length > 50);
    assert.deepEqual(
      referredTo.filter((code) => !codesOf(full, false).has(code)),
      [],
    );
  });

  it('makes a later release that differs in about two records of a hundred', () => {
    const first = [...fullOrganisations(options({ records: 5000 }))];
    const later = [...fullOrganisations(options({ records: 5000, revision: 1 }))];
    const differing = later.filter(
      (each, index) => JSON.stringify(each) !== JSON.stringify(first[index]),
    );
    assert.ok(differing.length > 50 && differing.length < 150, `${differing.length}`);
    const codes = new Set(first.map((each) => each.code));
    assert.ok(
      later.some((each) => !codes.has(each.code)),
      'some are new',
    );
  });

  it('says nothing of the future', () => {
    const publicationDate = '2025-01-15';
    for (const each of fullOrganisations(options({ records: 3000, publicationDate }))) {
      const dates = each.dates.flatMap(({ start, end }) => [start, end]);
      for (const date of [...dates, each.lastChangeDate]) {
        assert.ok(date === undefined || date <= publicationDate, `${each.code} ${date}`);
      }
    }
  });
});

describe('organisation codes', () => {
  it('of one kind are all different', () => {
    for (const { code } of organisationKinds) {
      const capacity = code.reduce((product, alphabet) => product * alphabet.length, 1);
      const count = Math.min(capacity, 5000);
      const codes = new Set(Array.from({ length: count }, (_, ordinal) => codeAt(code, ordinal)));
      assert.equal(codes.size, count);
      assert.equal(codes.has(undefined), false);
      assert.equal(codeAt(code, capacity), undefined);
    }
  });

  it('of two kinds differ in length or first character', () => {
    const seen = new Map<string, number>();
    for (const [index, { code }] of organisationKinds.entries()) {
      for (const first of code[0] ?? '') {
        assert.equal(seen.get(`${code.length} ${first}`), undefined, `${first} of kind ${index}`);
        seen.set(`${code.length} ${first}`, index);
      }
    }
  });

  it('are shared out to all of 1,000 shares', () => {
    assert.equal(
      organisationKinds.reduce((sum, kind) => sum + kind.share, 0),
      1000,
    );
  });
});

describe('the sample', () => {
  it('is what its command makes', async () => {
    const { archive } = sampleOptions;
    assert.ok(archive > 0);
    const made = [generateRelease(sampleOptions), generateArchive(sampleOptions)];
    const texts = made.map((pieces) => [...pieces].join(''));
    const opened: string[] = [];
    for await (const document of openRelease({
      file: samplePath,
      includeArchive: true,
      temporaryFolder,
    })) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of document.chunks) chunks.push(chunk);
      opened.push(Buffer.concat(chunks).toString());
    }
    assert.ok(opened.length === 2 && opened.every((text, index) => text === texts[index]));
    const readme = await readFile(join(import.meta.dirname, '../../sample/README.md'), 'utf8');
    assert.match(readme, /--records 800 --archive 80 --seed 1 --out sample\/organisations\.zip/);
  });

  it('is small', async () => {
    assert.ok((await readFile(samplePath)).length < 1_000_000);
  });

  it('says that its organisations are invented', async () => {
    const { told, receiver } = recordingReceiver();
    await readReleaseFile({ file: samplePath, includeArchive: false, temporaryFolder, receiver });
    assert.ok(saysInvented(told.manifests));
  });

  it('brings every warning and every reason to leave a record out that a reader has', async () => {
    const { told, receiver } = recordingReceiver();
    await readReleaseFile({ file: samplePath, includeArchive: false, temporaryFolder, receiver });
    const kinds = (lines: readonly string[]): string[] =>
      [...new Set(lines.map((line) => line.split(' ')[0] ?? ''))].sort();
    assert.deepEqual(kinds(told.warnings), [
      'invalid-date',
      'no-last-change-date',
      'no-status',
      'period-without-start',
      'status-from-role',
      'unknown-contact-type',
      'unknown-role',
    ]);
    assert.deepEqual(kinds(told.leftOut), [
      'invalid-code',
      'no-primary-role',
      'no-role',
      'several-primary-roles',
    ]);
  });
});

const has = (record: OrganizationRecord, ...codes: readonly string[]): boolean =>
  record.roles.some((role) => codes.includes(role.code));
const primary = (record: OrganizationRecord): string | undefined => record.roles[0]?.code;
const nameOf = (record: OrganizationRecord): string => (record.name ?? '').toUpperCase();
const postcodeOf = (record: OrganizationRecord): string => record.address?.postalCode ?? '';
const cityOf = (record: OrganizationRecord): string => (record.address?.city ?? '').toUpperCase();

/** The guide's searches: what answers each, and what nearly does. */
const searches: readonly (readonly [
  search: string,
  isAnswer: (record: OrganizationRecord) => boolean,
  isNear: (record: OrganizationRecord) => boolean,
])[] = [
  ['name=Leeds', (r) => nameOf(r).startsWith('LEEDS'), (r) => nameOf(r).includes('LEEDS')],
  [
    'name:contains=Leeds',
    (r) => nameOf(r).includes('LEEDS'),
    (r) => nameOf(r).replaceAll(' ', '').includes('LEEDS'),
  ],
  [
    'name:exact=LEEDS TEACHING HOSPITALS NHS TRUST',
    (r) => r.name === 'LEEDS TEACHING HOSPITALS NHS TRUST',
    (r) => nameOf(r) === 'LEEDS TEACHING HOSPITALS NHS TRUST',
  ],
  [
    'address-postalcode=LS1',
    (r) => postcodeOf(r).startsWith('LS1'),
    (r) => postcodeOf(r).startsWith('LS'),
  ],
  [
    'address-postalcode:contains=LS6 4',
    (r) => postcodeOf(r).includes('LS6 4'),
    (r) => postcodeOf(r).includes('6 4'),
  ],
  [
    'address-postalcode:exact=LS6 4JN',
    (r) => postcodeOf(r) === 'LS6 4JN',
    (r) => postcodeOf(r).endsWith('6 4JN'),
  ],
  ['address-city=Peter', (r) => cityOf(r).startsWith('PETER'), (r) => cityOf(r).includes('PETER')],
  [
    'address-city:contains=land',
    (r) => cityOf(r).includes('LAND'),
    (r) => cityOf(r).includes('LON'),
  ],
  [
    'ods-org-role=76&ods-org-role=177',
    (r) => has(r, '76') && has(r, '177'),
    (r) => has(r, '76', '177'),
  ],
  ['ods-org-role=197,198', (r) => has(r, '197', '198'), (r) => has(r, '180')],
  [
    'ods-org-role=157&ods-org-role=29,15',
    (r) => has(r, '157') && has(r, '29', '15'),
    (r) => has(r, '157', '29', '15'),
  ],
  ['ods-org-role=157&ods-org-primaryRole=true', (r) => primary(r) === '157', (r) => has(r, '157')],
  [
    '_lastUpdated=gt2017-04-01',
    (r) => r.lastUpdated > '2017-04-01',
    (r) => r.lastUpdated === '2017-04-01',
  ],
  [
    'identifier=https://fhir.nhs.uk/Id/ods-organization-code|RTG',
    (r) => r.code === 'RTG',
    (r) => r.code.startsWith('RT'),
  ],
];

describe('in the sample, a search of the old guide', () => {
  let records: readonly OrganizationRecord[] = [];
  before(async () => {
    ({ records } = await readBack([...generateRelease(sampleOptions)].join('')));
  });

  for (const [search, isAnswer, isNear] of searches) {
    it(`has answers and near misses: ${search}`, () => {
      assert.ok(records.some(isAnswer), 'no answer');
      assert.ok(
        records.some((record) => isNear(record) && !isAnswer(record)),
        'no near miss',
      );
    });
  }

  it('finds the organisations by their published names', () => {
    assert.equal(records[0]?.name, 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST');
    assert.deepEqual(records[2]?.address, {
      lines: ["ST. JAMES'S UNIVERSITY HOSPITAL", 'BECKETT STREET'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS9 7TF',
      country: 'ENGLAND',
    });
  });
});

describe('the release command', () => {
  const run = promisify(execFile);
  const script = join(import.meta.dirname, '../../scripts/release/generate-release.ts');

  it('writes a zip, the XML, or its gzip', async () => {
    const text = textOf({ records: 20, seed: 3 });
    for (const format of ['zip', 'xml', 'xml.gz'] as const) {
      const out = join(temporaryFolder, `release.${format}`);
      await run(process.execPath, [
        script,
        '--records',
        '20',
        '--seed',
        '3',
        '--format',
        format,
        '--out',
        out,
      ]);
      const bytes = await readFile(out);
      if (format === 'xml') assert.equal(bytes.toString(), text);
      if (format === 'xml.gz') assert.equal(gunzipSync(bytes).toString(), text);
      const { told, receiver } = recordingReceiver();
      await readReleaseFile({ file: out, includeArchive: false, temporaryFolder, receiver });
      assert.equal(told.records.length, 20);
    }
  });

  it('refuses options that it does not understand', async () => {
    for (const rest of [
      ['--records', 'x'],
      ['--publication-date', '28/08/2026'],
      ['--format', 'rar'],
    ]) {
      const command = run(process.execPath, [
        script,
        '--out',
        join(temporaryFolder, 'no'),
        ...rest,
      ]);
      await assert.rejects(command, (error: { code?: number; stderr?: string }) => {
        assert.match(error.stderr ?? '', /^Usage: node scripts\/release\/generate-release\.ts/);
        return error.code === 2;
      });
    }
    await assert.rejects(
      run(process.execPath, [script, '--nosuch']),
      (error: { code?: number; stderr?: string }) => {
        assert.match(error.stderr ?? '', /^Unknown option '--nosuch'.*\nUsage: /);
        return error.code === 2;
      },
    );
    const { stdout } = await run(process.execPath, [script, '--help']);
    assert.match(stdout, /^Usage: node scripts\/release\/generate-release\.ts/);
  });

  it('keeps to one chunk at a time', async () => {
    let largest = 0;
    for await (const bytes of releaseBytes(options({ records: 2000 }), 'xml')) {
      largest = Math.max(largest, bytes.length);
    }
    assert.ok(largest < 200_000, `${largest}`);
  });
});
