/** Every kind of source is recognised by how it begins, as a file and as standard input. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TopUp } from '../../src/directory/import/top-up.ts';
import { SourceError, type SourceReceiver } from '../../src/directory/record/source.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { fhirForm, readSource } from '../../src/sources/import/read-source.ts';
import { SETTINGS } from '../directory/directory-server.ts';
import { RECORDS } from '../directory/records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bundleOf, linesOf, NOW, resourceOf } from './fhir/fhir-fixture.ts';
import { organisation, recordingReceiver, releaseXml } from './release-file/release-fixture.ts';
import { makeZip } from './release-file/zip-fixture.ts';

const folder = temporaryFolder({ after });

async function codesOf(file: string | AsyncIterable<Uint8Array>, unpackedBytesMax?: number) {
  const { told, receiver } = recordingReceiver();
  await readSource({
    file,
    includeArchive: false,
    temporaryFolder: join(folder, 'temporary'),
    receiver,
    topUp: new TopUp(receiver, NOW),
    settings: [SETTINGS],
    now: NOW,
    ...(unpackedBytesMax !== undefined && { unpackedBytesMax }),
  });
  return told.records.map(({ code }) => code).join(' ');
}

const resources = RECORDS.map((record) => resourceOf(record));
const bundle = bundleOf(resources);
const ALL = RECORDS.map(({ code }) => code).join(' ');
const release = releaseXml([organisation('', { code: 'F1' })]);
const releaseZip = makeZip([{ name: 'HSCOrgRefData_Full_20260828.xml', content: release }]);
const ndjson = linesOf(resources);

describe('readSource reads', () => {
  const sources: readonly (readonly [name: string, bytes: string | Buffer, codes: string])[] = [
    ['release.zip', releaseZip, 'F1'],
    ['release.xml', release, 'F1'],
    ['release.xml.gz', gzipSync(release), 'F1'],
    ['organisations.ndjson', ndjson, ALL],
    ['organisations.ndjson.gz', gzipSync(ndjson), ALL],
    ['bundle.json', JSON.stringify(bundle), ALL],
    ['bundle-indented.json', JSON.stringify(bundle, null, 2), ALL],
    ['bundle.json.gz', gzipSync(JSON.stringify(bundle)), ALL],
    ['bundle.xml', encodeXml(bundle, STU3.definitions), ALL],
    ['bundle.xml.gz', gzipSync(encodeXml(bundle, STU3.definitions)), ALL],
    ['organisation.xml', encodeXml(resources[0] ?? bundle, STU3.definitions), 'A81001'],
    ['without-a-name-that-tells', ndjson, ALL],
  ];
  for (const [name, content, codes] of sources) {
    it(name, async () => {
      const bytes = Buffer.from(content);
      const path = join(folder, name);
      await writeFile(path, bytes);
      assert.equal(await codesOf(path), codes);
      const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 50), bytes.subarray(50)];
      assert.equal(await codesOf(Readable.from(pieces)), codes);
    });
  }
});

it('resources are not of the archive that was read before them', async () => {
  const full = 'HSCOrgRefData_Full_20260828.xml';
  const archive = 'HSCOrgRefData_Archive_20260828.xml';
  const archived = releaseXml([organisation('', { code: 'A81001' })]);
  const zip = makeZip([
    { name: full, content: release },
    { name: archive, content: archived },
  ]);
  const { receiver } = recordingReceiver();
  const told: string[] = [];
  const said: SourceReceiver = {
    ...receiver,
    file: (isArchive) => told.push(isArchive ? 'archive' : 'file'),
    record: ({ code }) => told.push(code),
  };
  for (const [name, content] of [
    ['both.zip', zip],
    ['after.json', JSON.stringify(bundleOf(resources.slice(0, 1)))],
  ] as const) {
    const file = join(folder, name);
    await writeFile(file, content);
    await readSource({
      file,
      includeArchive: true,
      temporaryFolder: join(folder, 'temporary'),
      receiver: said,
      topUp: new TopUp(said, NOW),
      settings: [SETTINGS],
      now: NOW,
    });
  }
  assert.deepEqual(told, ['file', 'F1', 'archive', 'A81001', 'file', 'A81001']);
});

it('what unpacks to more than is allowed is refused', async () => {
  const path = join(folder, 'large.ndjson.gz');
  await writeFile(path, gzipSync(ndjson));
  await assert.rejects(codesOf(path, 1000), (error: unknown) => {
    assert.ok(error instanceof SourceError);
    assert.match(error.message, /1000 bytes allowed/);
    return true;
  });
});

it('a form is known by its first characters, and lines by the name', () => {
  const cases: readonly (readonly [start: string, name: string, form: string | undefined])[] = [
    ['{"resourceType"', 'x', 'json'],
    ['\uFEFF \n{', 'x', 'json'],
    ['[', 'x', 'json'],
    ['junk', 'x.ndjson', 'ndjson'],
    ['', 'x.NDJSON.gz', 'ndjson'],
    ['', 'x.jsonl', 'ndjson'],
    ['<Bundle xmlns="http://hl7.org/fhir">', 'x', 'xml'],
    ['<?xml version="1.0"?>\n<!-- a - b -->\n<f:Bundle', 'x', 'xml'],
    ['<Organization/>', 'x', 'xml'],
    ['<Bundle>', 'x.ndjson', 'xml'],
    ['<?xml version="1.0"?><HSCOrgRefData:OrgRefData', 'x', undefined],
    ['<BundleOfHay>', 'x', undefined],
    ['<!DOCTYPE Bundle>', 'x', undefined],
    ['Dear reader', 'x.json', undefined],
    ['', 'x', undefined],
  ];
  for (const [start, name, form] of cases) assert.equal(fhirForm(start, name), form, start);
});

it('what a server answers in place of a file is called what it is', async () => {
  const path = join(folder, 'release.zip');
  await writeFile(path, '{"error":"unauthorized"}\n');
  await assert.rejects(codesOf(path), {
    name: 'SourceError',
    message:
      'release.zip is JSON, but not a FHIR resource: it begins with "{"error":"unauthorized"}". ' +
      'If this is the error answer of a server, fetch the file again. Otherwise, give a release ' +
      'or STU3 Organizations.',
  });
});
