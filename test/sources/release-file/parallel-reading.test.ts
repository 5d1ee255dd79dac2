/** Several threads read a release as one thread does: the same records, reports and errors. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEdition } from '../../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { createCollector } from '../../../src/directory/import/collector.ts';
import { knownRecords } from '../../../src/directory/import/known-records.ts';
import { SOURCE_HASHES } from '../../../src/directory/record/record-batches.ts';
import { openRows } from '../../../src/directory/record/rows.ts';
import { SourceError } from '../../../src/directory/record/source.ts';
import type { ParallelReadingOptions } from '../../../src/sources/release-file/parallel-reading.ts';
import { readRelease } from '../../../src/sources/release-file/read-release.ts';
import { repetitions } from '../../campaign.ts';
import { codeSystemsXml, organisation, primaryRole, releaseXml } from './release-fixture.ts';

const COUNT = 600;
/** A piece has about two records, and a slice has about ten. */
const PIECE_BYTES = 1024;
const PARALLEL: ParallelReadingOptions = { threads: 2, bytesBefore: 2000, sliceBytes: 6000 };

const organisations = Array.from({ length: COUNT }, (_, number) => {
  const target = `A${(number * 7) % COUNT}`;
  const period = `<Date><Type value="Operational"/><Start value="20${10 + (number % 9)}-01-01"/></Date>`;
  const content =
    `<Name>ÉCOLE &amp; ${number}</Name>${number % 3 === 0 ? period : ''}` +
    `<Rels><Rel id="RE${1 + (number % 5)}" uniqueRelId="${number + 1}">${period}` +
    `<Status value="Active"/><Target><OrgId extension="${target}"/>` +
    '<PrimaryRoleId id="RO197" uniqueRoleId="9"/></Target></Rel></Rels>';
  // Some codes are used twice, some records are left out, and some have warnings.
  const code = number % 50 === 49 ? `A${number - 20}` : `A${number}`;
  const status = number % 40 === 7 ? 'Perhaps' : 'Active';
  const roles = number % 70 === 9 ? '' : primaryRole;
  const reference = number % 30 === 4 ? ' refOnly="true"' : '';
  const attributes = `orgRecordClass="RC1"${reference}`;
  return organisation(content, { code, status, roles, attributes });
});

function changed(place: number, change: (text: string) => string): string[] {
  return organisations.map((text, number) => (number === place ? change(text) : text));
}

const MIDDLE = COUNT / 2;
const COMMENT = '<!-- </Organisation> -->';

const DOCUMENTS: Readonly<Record<string, string | Buffer>> = {
  'a release': releaseXml(organisations),
  'comments that have the end tag of a record': releaseXml(
    organisations.map((text) => `${COMMENT.repeat(20)}${text}`),
  ),
  'a skipped element with records inside': releaseXml(
    changed(MIDDLE, (text) => `<Other>${text.repeat(60)}</Other>`),
    { recordCount: COUNT - 1 },
  ),
  'a record longer than a slice': releaseXml(
    changed(MIDDLE, (text) => text.replace('<Name>', `${COMMENT.repeat(1000)}<Name>`)),
  ),
  'two Organisations elements with prefixes of their own': releaseXml(
    changed(MIDDLE, (text) => `</Organisations><Organisations xmlns:p="urn:p">${text}`).map(
      (text, number) => (number > MIDDLE ? text.replaceAll('OrgId', 'p:OrgId') : text),
    ),
  ),
  'end tags with a space': releaseXml(
    organisations.map((text) => text.replace('</Organisation>', '</Organisation >')),
  ),
  'code systems after the records': releaseXml(organisations, { codeSystems: '' }).replace(
    '</Organisations>',
    `</Organisations>${codeSystemsXml}`,
  ),
  'an end tag that is missing': releaseXml(changed(MIDDLE, (text) => text.replace('</Name>', ''))),
  'a text outside the records that is not well-formed': releaseXml(
    changed(MIDDLE, (text) => `]]>${text}`),
  ),
  'a value that is too long': releaseXml(
    changed(MIDDLE, (text) => text.replace('value="Active"', `value="${'x'.repeat(5000)}"`)),
  ),
  'a prefix that is not bound': releaseXml(
    changed(MIDDLE, (text) => text.replace('<Name>', '<a:b/><Name>')),
  ),
  'a wrong RecordCount': releaseXml(organisations, { recordCount: COUNT + 1 }),
  'an end in the middle of a record': releaseXml(organisations).slice(0, -5000),
  'an end in the middle of a tag': releaseXml(organisations).slice(0, -2),
  'bytes that are not UTF-8': Buffer.concat([
    Buffer.from(releaseXml(organisations).slice(0, 100_000)),
    Buffer.from([0xff]),
  ]),
  'bytes that are not UTF-8, after another fault': Buffer.concat([
    Buffer.from(releaseXml(changed(150, () => '<')).slice(0, 130_000)),
    Buffer.from([0xff]),
  ]),
};

/** What a function answers, which it is asked for once. */
function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

/** What one thread makes of each document. */
const BY_ONE_THREAD = new Map(
  Object.entries(DOCUMENTS).map(([what, xml]) => [
    what,
    once(() => read(Buffer.from(xml), undefined)),
  ]),
);

async function readByOneThread(what: string) {
  return await BY_ONE_THREAD.get(what)!();
}

describe('several threads read as one thread does', () => {
  for (const [what, xml] of Object.entries(DOCUMENTS)) {
    it(`a file with ${what}`, async () => {
      assert.deepEqual(await read(Buffer.from(xml), PARALLEL), await readByOneThread(what));
    });
  }

  for (const sliceBytes of [6000, 6001, 6002, 6003]) {
    it(`a file whose slices of ${sliceBytes} bytes would end inside of characters`, async () => {
      const wide = (text: string) => text.replace('ÉCOLE', '\u{1d504}'.repeat(200));
      const records = changed(50, (text) => `</Organisations><Organisations>${text}`);
      const bytes = Buffer.from(releaseXml(records.slice(0, 100).map(wide)));
      const result = await read(bytes, { ...PARALLEL, sliceBytes });
      assert.ok(result.records !== undefined, String(result.message));
      const broken = result.records.filter(({ name = '' }) => name.includes('\ufffd'));
      assert.deepEqual(
        broken.map(({ code }) => code),
        [],
      );
    });
  }

  it('and each thread has read records of a release', async () => {
    const threads = new Set<object>();
    let count = 0;
    await read(Buffer.from(releaseXml(organisations)), PARALLEL, (from, records) => {
      threads.add(from);
      count += records;
    });
    assert.equal(threads.size, 2);
    assert.ok(count > COUNT / 2, `threads have read ${count} records`);
  });
});

describe('records that the edition before has are not read again, and the edition is the same', () => {
  const plain = Buffer.from(releaseXml(organisations));
  const knownInPlain = once(() => knownIn(plain));
  for (const [number, [what, xml]] of Object.entries(DOCUMENTS).entries()) {
    const bytes = Buffer.from(xml);
    it(`a file with ${what}, in one thread`, async () => {
      const wanted = await readByOneThread(what);
      for (const known of [await knownInPlain(), await knownIn(bytes)]) {
        assert.deepEqual(await read(bytes, { ...PARALLEL, threads: 1, known }), wanted);
      }
    });

    // Two threads start for each, so the check has some of them and a campaign has all.
    if (number % repetitions(4, 1) !== 0) continue;
    it(`a file with ${what}, and other threads`, async () => {
      const known = await knownInPlain();
      assert.deepEqual(await read(bytes, { ...PARALLEL, known }), await readByOneThread(what));
    });
  }

  it('a file in which one record has changed', async () => {
    const known = await knownInPlain();
    assert.ok(known !== undefined);
    const again = new Set<number>();
    const counting = {
      edition: known.edition,
      rowOf: (hash: Parameters<typeof known.rowOf>[0]) => {
        const row = known.rowOf(hash);
        if (row !== undefined) again.add(row);
        return row;
      },
    };
    const xml = releaseXml(changed(MIDDLE, (text) => text.replace('ÉCOLE', 'SCHOOL')));
    const bytes = Buffer.from(xml);
    const result = await read(bytes, { ...PARALLEL, threads: 1, known: counting });
    assert.deepEqual(result, await read(bytes, undefined));
    // Each record that has a hash, except the changed one.
    const hashes = known.edition.arrays[SOURCE_HASHES]!;
    const hashed = hashes.filter((word, at) => at % 2 === 0 && word !== 0).length;
    assert.ok(hashed > 100, `only ${hashed} records have a hash`);
    assert.ok(again.size >= hashed - 1, `only ${again.size} records were not read again`);
  });

  it('a file with another head', async () => {
    const known = await knownInPlain();
    const codeSystems = codeSystemsXml.replaceAll('RE4', 'RE5');
    assert.notEqual(codeSystems, codeSystemsXml);
    const bytes = Buffer.from(releaseXml(organisations, { codeSystems }));
    const result = await read(bytes, { ...PARALLEL, threads: 1, known });
    assert.deepEqual(result, await read(bytes, undefined));
  });
});

/** The records of the edition that a file makes. Undefined if it makes none. */
async function knownIn(bytes: Buffer) {
  const { arrays } = await read(bytes, { ...PARALLEL, threads: 1 }, undefined, true);
  if (arrays === undefined) return undefined;
  const identity = { number: 1, publishedAt: '2026-01-01T00:00:00.000Z' };
  return knownRecords({ ...openEdition(identity, arrays), arrays });
}

/** The edition that a file makes and the report of its import, or the message of its error. */
async function read(
  bytes: Buffer,
  parallel: ParallelReadingOptions | undefined,
  onEncoded: (from: object, records: number) => void = () => {},
  withHashes = false,
) {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    chunks.push(bytes.subarray(at, at + PIECE_BYTES));
  }
  const collector = createCollector(() => {});
  const receiver = {
    ...collector,
    encoded: (records: Parameters<NonNullable<typeof collector.encoded>>[0], from: object) => {
      onEncoded(from, records.codes.length);
      collector.encoded?.(records, from);
    },
  };
  const document = { name: 'release.xml', chunks, bytesBefore: 0, bytesTotal: () => bytes.length };
  try {
    const options = parallel === undefined ? {} : { parallel };
    const summary = await readRelease(document, receiver, options);
    const { leftOut, warnings, read, ...collected } = collector.finish();
    const arrays = buildEdition({ ...collected, hasLinks: true });
    const rows = openRows(arrays);
    const records = Array.from({ length: rows.count }, (_, row) => rows.recordAt(row));
    // The first records have no hash, and how many these are depends on the reading.
    const comparable = Object.entries(arrays).filter(
      ([name]) => withHashes || name !== SOURCE_HASHES,
    );
    return { summary, leftOut, warnings, read, records, arrays: Object.fromEntries(comparable) };
  } catch (error) {
    assert.ok(error instanceof SourceError, String(error));
    return { message: error.message };
  }
}
