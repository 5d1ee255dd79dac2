/** A release in each of its wrappings, and the files that only look like one. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SourceError } from '../../../src/directory/record/source.ts';
import { openRelease } from '../../../src/sources/release-file/open-release.ts';
import { readReleaseFile } from '../../../src/sources/release-file/read-release-file.ts';
import { below, seededRandom } from '../../fuzz/seeded-random.ts';
import { organisation, recordingReceiver, releaseXml, type Told } from './release-fixture.ts';
import { makeZip, type ZipFixtureEntry } from './zip-fixture.ts';

const fullXml = releaseXml([organisation('', { code: 'F1' }), organisation('', { code: 'F2' })]);
const archiveXml = releaseXml([organisation('', { code: 'X1', status: 'Inactive' })]);
const full: ZipFixtureEntry = { name: 'HSCOrgRefData_Full_20260828.xml', content: fullXml };
const archive: ZipFixtureEntry = {
  name: 'HSCOrgRefData_Archive_20260828.xml',
  content: archiveXml,
};
const fullZip: ZipFixtureEntry = { name: 'fullfile.zip', content: makeZip([full]) };
const archiveZip: ZipFixtureEntry = { name: 'archive.zip', content: makeZip([archive]) };
const release = makeZip([archiveZip, fullZip, { name: 'readme.txt', content: 'hello' }]);

let folder = '';
let temporaryFolder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-file-'));
  temporaryFolder = join(folder, 'temporary');
});
after(() => rm(folder, { recursive: true }));

interface Reading {
  readonly includeArchive?: boolean;
  readonly unpackedBytesMax?: number;
  readonly isStream?: boolean;
}

/** Reads these bytes as a file, or as standard input; nothing private may be left behind. */
async function read(bytes: Uint8Array, reading: Reading = {}): Promise<Told> {
  const { told, receiver } = recordingReceiver();
  const path = join(folder, 'release');
  await writeFile(path, bytes);
  const pieces = [bytes.subarray(0, 3), bytes.subarray(3, 100), bytes.subarray(100)];
  const { includeArchive = false, unpackedBytesMax, isStream = false } = reading;
  try {
    await readReleaseFile({
      file: isStream ? Readable.from(pieces.filter((piece) => piece.length > 0)) : path,
      includeArchive,
      ...(unpackedBytesMax !== undefined && { unpackedBytesMax }),
      temporaryFolder,
      receiver,
    });
  } finally {
    assert.deepEqual(await readdir(temporaryFolder).catch(() => []), []);
  }
  return told;
}

const codesOf = (told: Told): string => told.records.map((record) => record.code).join(' ');

describe('readReleaseFile reads', () => {
  const wrapped: readonly (readonly [
    name: string,
    bytes: Buffer,
    codes: string,
    withArchive: string,
  ])[] = [
    ['the release as it is fetched', release, 'F1 F2', 'F1 F2 X1'],
    ['the zip inside it', makeZip([full]), 'F1 F2', 'F1 F2'],
    ['the XML', Buffer.from(fullXml), 'F1 F2', 'F1 F2'],
    ['the XML with a byte order mark', Buffer.from(`\uFEFF${fullXml}`), 'F1 F2', 'F1 F2'],
    ['the XML, gzipped', gzipSync(fullXml), 'F1 F2', 'F1 F2'],
    ['a zip of both XML files', makeZip([archive, full]), 'F1 F2', 'F1 F2 X1'],
    [
      'a release in folders, its zips stored',
      makeZip(
        [
          { ...fullZip, name: 'a/b/FullFile.zip', isStored: true },
          { ...archiveZip, name: 'a/archive.zip', isStored: true },
        ],
        'a comment',
      ),
      'F1 F2',
      'F1 F2 X1',
    ],
  ];
  for (const [name, bytes, codes, withArchive] of wrapped) {
    for (const isStream of [false, true]) {
      it(`${name}, from ${isStream ? 'standard input' : 'a file'}`, async () => {
        assert.equal(codesOf(await read(bytes, { isStream })), codes);
        assert.equal(codesOf(await read(bytes, { isStream, includeArchive: true })), withArchive);
      });
    }
  }

  const former: ZipFixtureEntry = {
    name: 'HSCOrgRefData_Full_20260728.xml',
    content: releaseXml([organisation('', { code: 'OLD1' })]),
  };
  const twoFull: readonly (readonly [name: string, entries: readonly ZipFixtureEntry[]])[] = [
    ['in it', [former, full, archive]],
    ['in the zip inside it', [{ ...fullZip, content: makeZip([former, full]) }, archiveZip]],
  ];
  for (const [where, entries] of twoFull) {
    it(`of two full files ${where} the one with the date of the archive`, async () => {
      for (const includeArchive of [false, true]) {
        const told = await read(makeZip(entries), { includeArchive });
        assert.equal(codesOf(told), includeArchive ? 'F1 F2 X1' : 'F1 F2');
        assert.deepEqual(told.warnings, [
          'several-full-files HSCOrgRefData_Full_20260828.xml in release: kept, because it has ' +
            'the date of the archive; left out: HSCOrgRefData_Full_20260728.xml',
        ]);
      }
    });
  }

  it('a release beside folders, documents and other XML', async () => {
    const bytes = makeZip([
      { name: 'Release notes/', content: '' },
      { name: 'Release notes/notes.pdf', content: '%PDF-1.4' },
      { name: 'HSCOrgRefData_Full_20260828.xml/', content: '' },
      { name: 'schema.xml', content: '<x/>' },
      fullZip,
      archiveZip,
    ]);
    const told = await read(bytes, { includeArchive: true });
    assert.equal(codesOf(told), 'F1 F2 X1');
    assert.deepEqual(told.warnings, []);
  });

  it('which file is the archive', async () => {
    for (const [bytes, isArchive] of [
      [release, [false, true]],
      [makeZip([archive]), [true]],
      [Buffer.from(fullXml), [false]],
    ] as const) {
      const path = join(folder, 'release');
      await writeFile(path, bytes);
      const found: boolean[] = [];
      const { receiver } = recordingReceiver();
      await readReleaseFile({
        file: path,
        includeArchive: true,
        temporaryFolder,
        receiver: { ...receiver, file: (isOfArchive) => void found.push(isOfArchive) },
      });
      assert.deepEqual(found, isArchive);
    }
  });

  it('the zip of the archive alone when the archive is asked for', async () => {
    assert.equal(codesOf(await read(makeZip([archive]), { includeArchive: true })), 'X1');
  });

  it('the whole of it with progress against what will be unpacked', async () => {
    const { progress } = await read(release, { includeArchive: true });
    const total = fullXml.length + archiveXml.length;
    assert.deepEqual(progress, [
      [fullXml.length, total],
      [total, total],
    ]);
    assert.deepEqual((await read(Buffer.from(fullXml))).progress, [
      [fullXml.length, fullXml.length],
    ]);
    const gzip = gzipSync(fullXml);
    assert.deepEqual((await read(gzip)).progress, [[fullXml.length, fullXml.length]]);
    const { progress: ofStream } = await read(gzip, { isStream: true });
    assert.deepEqual(ofStream, [[fullXml.length, undefined]]);
  });

  it('a gzip with a total that is estimated from the part of the file that is unpacked', async () => {
    const random = seededRandom(1);
    const bytes = Buffer.from(Uint8Array.from({ length: 4_000_000 }, () => 32 + below(random, 16)));
    const path = join(folder, 'progress.xml.gz');
    await writeFile(path, gzipSync(bytes));
    let read = 0;
    const options = { file: path, includeArchive: false, temporaryFolder };
    for await (const document of openRelease(options)) {
      for await (const chunk of document.chunks) {
        read += chunk.length;
        // zlib is a few pieces of 64 KiB ahead.
        const ratio = (document.bytesTotal() ?? 0) / bytes.length;
        assert.ok(read < 1_000_000 || Math.abs(ratio - 1) < 0.3, `${read} bytes: ${ratio}`);
      }
      assert.equal(document.bytesTotal(), bytes.length);
    }
    assert.equal(read, bytes.length);
  });

  it('exactly as much as may be unpacked', async () => {
    const sizes = [fullZip, full].map((entry) => Buffer.from(entry.content).length);
    const max = sizes.reduce((sum, size) => sum + size, 0);
    assert.equal(codesOf(await read(release, { unpackedBytesMax: max })), 'F1 F2');
    await assert.rejects(read(release, { unpackedBytesMax: max - 1 }), /more than the \d+ bytes/);
  });

  it('with private copies that no other user can read', async () => {
    const modes: number[] = [];
    const file = Readable.from([release]);
    for await (const _ of openRelease({ file, includeArchive: false, temporaryFolder })) {
      const paths = await readdir(temporaryFolder, { recursive: true });
      for (const path of paths.sort()) {
        modes.push((await stat(join(temporaryFolder, path))).mode & 0o777);
      }
    }
    assert.deepEqual(modes, [0o700, 0o600, 0o600]);
    assert.deepEqual(await readdir(temporaryFolder), []);
  });
});

const bomb = Buffer.alloc(3_000_000, ' ');
const again = 'fetch the release again (TRUD item 341).';
const webPage =
  'is a web page (HTML), perhaps a log-in page, and not a release: log in to TRUD, fetch item 341 again, and give the zip.';
const asFetched = 'give the zip of TRUD item 341 as it was fetched.';

interface RefusedCase {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly message: string | RegExp;
  readonly reading?: Reading;
}

const refused: readonly RefusedCase[] = [
  { name: 'an empty file', bytes: Buffer.alloc(0), message: `release is empty: ${again}` },
  {
    name: 'a file of one byte',
    bytes: Buffer.from('P'),
    message: /^release is in no format that can be imported: it starts with "P"\. .* NDJSON /,
  },
  {
    name: 'XML in UTF-16',
    bytes: Buffer.from(`\uFEFF${fullXml}`, 'utf16le'),
    message: 'release is in UTF-16, and a release is in UTF-8: fetch it again.',
  },
  {
    name: 'a picture',
    bytes: Buffer.from('\x89PNG\r\n\x1a\n\x00', 'latin1'),
    message: /^release is in no format that can be imported: it starts with binary data\. /,
  },
  {
    name: 'a gzip of something else',
    bytes: gzipSync('hello'),
    message: /it starts with "hello"\. /,
  },
  { name: 'a gzip of a zip', bytes: gzipSync(release), message: /it starts with binary data\. / },
  {
    name: 'a cut character',
    bytes: Buffer.from('é'.repeat(30)).subarray(0, 19),
    message: /"é{9}"/,
  },
  {
    name: 'a damaged gzip',
    bytes: gzipSync(fullXml).fill(0x55, 40, 60),
    message: `release is cut off or damaged (gzip): ${again}`,
  },
  {
    name: 'another kind of zip',
    bytes: makeZip([1, 2, 3, 4].map((number) => ({ name: `word/${number}.xml`, content: '<x/>' }))),
    message: `release is another kind of zip, without a release inside (it holds word/1.xml, word/2.xml, word/3.xml, …): ${asFetched}`,
  },
  {
    name: 'a zip of nothing',
    bytes: makeZip([]),
    message: `release is another kind of zip, without a release inside (it holds nothing): ${asFetched}`,
  },
  {
    name: 'a zip inside with something else',
    bytes: makeZip([{ name: 'fullfile.zip', content: makeZip([fullZip]) }]),
    message: `fullfile.zip in release is another kind of zip, without a release inside (it holds fullfile.zip): ${asFetched}`,
  },
  {
    name: 'a file inside that is not a zip',
    bytes: makeZip([{ name: 'fullfile.zip', content: 'hello' }]),
    message: /^fullfile\.zip in release is cut off or damaged \(.*\): fetch the release again/,
  },
  {
    name: 'a zip of 101 files',
    bytes: makeZip(Array.from({ length: 101 }, () => full)),
    message: `release is a zip of 101 files, not a release: ${asFetched}`,
  },
  {
    name: 'a zip with two full files, and no archive that decides',
    bytes: makeZip([full, { ...full, name: 'HSCOrgRefData_Full_20260728.xml' }]),
    message:
      'release holds several releases (HSCOrgRefData_Full_20260828.xml and HSCOrgRefData_Full_20260728.xml): unpack it, and import the file that you want.',
  },
  {
    name: 'a zip with two full files, and an archive of another date',
    bytes: makeZip([
      { ...full, name: 'HSCOrgRefData_Full_20260628.xml' },
      { ...full, name: 'HSCOrgRefData_Full_20260728.xml' },
      archiveZip,
    ]),
    message: /^release holds several releases \(.*\): unpack it/,
  },
  {
    name: 'a zip with two zips of full files',
    bytes: makeZip([fullZip, { ...fullZip, name: 'July/fullfile.zip' }]),
    message: 'release holds 2 files fullfile.zip: unpack it, and import the zip that you want.',
  },
  {
    name: 'the archive alone',
    bytes: makeZip([archiveZip]),
    message:
      'release holds only the archive of closed organisations: give the full file, or add --include-archive.',
  },
  {
    name: 'a release without the archive that was asked for',
    bytes: makeZip([fullZip]),
    reading: { includeArchive: true },
    message: 'release holds no archive: give it without --include-archive.',
  },
  {
    name: 'an encrypted file',
    bytes: makeZip([{ ...full, isEncrypted: true }]),
    message:
      'HSCOrgRefData_Full_20260828.xml in release is encrypted: give the release without a password.',
  },
  {
    name: 'an encrypted zip inside',
    bytes: makeZip([{ ...fullZip, isEncrypted: true }]),
    message: 'fullfile.zip in release is encrypted: give the release without a password.',
  },
  {
    name: 'a compression that is not known here',
    bytes: makeZip([{ ...full, method: 93 }]),
    message:
      'HSCOrgRefData_Full_20260828.xml in release is compressed by method 93, and this program reads deflated and stored files: unpack it and give the XML.',
  },
  {
    name: 'a zip that is cut off',
    bytes: release.subarray(0, 500),
    message: `release is cut off or damaged (the list of files that a zip has at its end is missing): ${again}`,
  },
  {
    name: 'a zip with damaged data',
    bytes: Buffer.from(makeZip([full])).fill(0xff, 70, 80),
    message: `HSCOrgRefData_Full_20260828.xml in release is cut off or damaged (its compressed data is damaged): ${again}`,
  },
  {
    name: 'a log-in page saved as a zip',
    bytes: Buffer.from('\n<!DOCTYPE html>\n<html><head><title>Sign in</title><body>'),
    message: `release ${webPage}`,
  },
  {
    name: 'a page without a DOCTYPE saved as a zip',
    bytes: Buffer.from('<HTML lang="en"><body><p>Sign in<br></body></HTML>'),
    message: `release ${webPage}`,
  },
  {
    name: 'a wrong check sum',
    bytes: makeZip([{ ...full, checksum: 1 }]),
    message: `HSCOrgRefData_Full_20260828.xml in release is cut off or damaged (its checksum is wrong): ${again}`,
  },
  {
    name: 'a size that is too small',
    bytes: makeZip([{ ...full, size: 100 }]),
    message: `HSCOrgRefData_Full_20260828.xml in release is cut off or damaged (a file in it is not as long as the zip says): ${again}`,
  },
  {
    name: 'a size that is too large',
    bytes: makeZip([{ ...full, size: 100_000 }]),
    message: `HSCOrgRefData_Full_20260828.xml in release is cut off or damaged (a file in it is not as long as the zip says): ${again}`,
  },
  {
    name: 'a name that leads elsewhere',
    bytes: makeZip([{ ...full, name: `../../${full.name}` }]),
    message: `release is cut off or damaged (the name of a file in it is an unsafe path): ${again}`,
  },
  {
    name: 'a zip bomb, by what it says',
    bytes: makeZip([{ ...full, content: bomb }]),
    reading: { unpackedBytesMax: 2_000_000 },
    message:
      'HSCOrgRefData_Full_20260828.xml in release unpacks to more than the 2000000 bytes allowed: is it the release? If so, raise the limit (import.unpackedMax).',
  },
  {
    name: 'a zip bomb that lies',
    bytes: makeZip([{ ...full, content: bomb, size: 10 }]),
    reading: { unpackedBytesMax: 2_000_000 },
    message: /cut off or damaged \(a file in it is not as long as the zip says\)/,
  },
  {
    name: 'a zip bomb that is a zip',
    bytes: makeZip([{ ...fullZip, content: bomb }]),
    reading: { unpackedBytesMax: 2_000_000 },
    message: /^fullfile\.zip in release unpacks to more than the 2000000 bytes allowed/,
  },
  {
    name: 'two files that are too much together',
    bytes: release,
    reading: { includeArchive: true, unpackedBytesMax: fullXml.length + 1500 },
    message: /^HSCOrgRefData_.* unpacks to more than/,
  },
  {
    name: 'a gzip bomb',
    bytes: gzipSync(Buffer.concat([Buffer.from('<!--'), bomb])),
    reading: { unpackedBytesMax: 20_000 },
    message: /^release unpacks to more than the 20000 bytes allowed/,
  },
  {
    name: 'too much plain XML',
    bytes: Buffer.from(fullXml),
    reading: { unpackedBytesMax: 1000 },
    message: /^release unpacks to more than the 1000 bytes allowed/,
  },
];

describe('readReleaseFile refuses', () => {
  for (const { name, bytes, message, reading } of refused) {
    it(`${name}, in one line that says what to do`, async () => {
      await assert.rejects(read(bytes, reading), (error) => {
        assert.ok(error instanceof SourceError, String(error));
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\p{Cc}/u);
        return true;
      });
    });
  }

  const paths: readonly (readonly [name: string, path: string, message: RegExp])[] = [
    [
      'a file that is not there',
      'missing.zip',
      /^There is no file "\/.*missing\.zip": check the path\.$/,
    ],
    ['a folder', '.', /^"\/.*" is a folder: name a file in it\.$/],
  ];
  for (const [name, path, message] of paths) {
    it(name, async () => {
      const { receiver } = recordingReceiver();
      const file = join(folder, path);
      await assert.rejects(
        readReleaseFile({ file, includeArchive: false, temporaryFolder, receiver }),
        (error) => error instanceof SourceError && message.test(error.message),
      );
    });
  }

  it('to unpack where it may not write', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '');
    const { receiver } = recordingReceiver();
    const file = Readable.from([release]);
    await assert.rejects(
      readReleaseFile({ file, includeArchive: false, temporaryFolder: path, receiver }),
      (error) =>
        error instanceof SourceError && /^There is no room for temporary/.test(error.message),
    );
  });
});

describe('readReleaseFile, wherever its input is cut off,', () => {
  for (const [name, bytes] of [
    ['zip', release],
    ['gzip', gzipSync(fullXml)],
    ['XML', Buffer.from(fullXml)],
  ] as const) {
    it(`never succeeds with a part of a ${name}`, async () => {
      const lengths = new Set<number>();
      for (let length = 0; length < bytes.length; length += 11) lengths.add(length);
      for (let length = bytes.length - 30; length < bytes.length; length++) lengths.add(length);
      for (const length of lengths) {
        await assert.rejects(read(bytes.subarray(0, length)), SourceError, `${length}`);
      }
    });
  }

  it('removes its copies when the reader stops', async () => {
    const receiver = {
      ...recordingReceiver().receiver,
      record: () => {
        throw new Error('stop');
      },
    };
    const file = Readable.from([release]);
    const reading = readReleaseFile({ file, includeArchive: true, temporaryFolder, receiver });
    await assert.rejects(reading, /^Error: stop$/);
    assert.deepEqual(await readdir(temporaryFolder), []);
  });
});
