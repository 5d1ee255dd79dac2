/** Bodies stay as they were written until they are released; memory is used again after that. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeJson } from '../../src/fhir/format/json.ts';
import { ByteWriter, type Entries } from '../../src/interfaces/answer/byte-writer.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { renderedOf } from './directory-server.ts';
import { RECORDS } from './records.ts';

const EDITION = renderedOf(RECORDS);
const TEMPLATES = EDITION.templates.json;
const BODIES = RECORDS.map((_, row) => encodeJson(EDITION.organizationAt(row)));
const SEPARATOR = Buffer.from(',');
const ENTRIES: Entries = {
  rowCount: RECORDS.length,
  separator: SEPARATOR,
  write: (row, writer) => writer.template(TEMPLATES, row),
};
const LONGEST = Math.max(...BODIES.map((body) => Buffer.byteLength(body)));

const rows = fc.array(fc.nat(RECORDS.length - 1), { minLength: 1, maxLength: 12 });
/** A page of these rows, or a read of the first one; released after so many more answers. */
const answer = fc.record({ rows, isRead: fc.boolean(), heldFor: fc.nat(12) });

describe('the writer of bodies', () => {
  it('returns bytes that stay until they are released, also during other writes', () => {
    fc.assert(
      fc.property(
        fc.array(answer, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        // Some answers fit into no slab, and some slabs hold several.
        fc.integer({ min: LONGEST, max: 8 * LONGEST }),
        (answers, slabsKept, slabBytes) => {
          const writer = new ByteWriter(slabsKept, slabBytes);
          const held: { bytes: Buffer; text: string; until: number }[] = [];
          for (const [now, { rows, isRead, heldFor }] of answers.entries()) {
            const shown = isRead ? rows.slice(0, 1) : rows;
            const text = shown.map((row) => BODIES[row]).join(',');
            held.push({ bytes: write(writer, shown, isRead), text, until: now + heldFor });
            for (const one of held) assert.equal(one.bytes.toString(), one.text);
            for (const one of held.filter(({ until }) => until === now)) {
              writer.release(one.bytes);
              held.splice(held.indexOf(one), 1);
            }
          }
        },
      ),
      { numRuns: repetitions(100, 300) },
    );
  });

  it('copies a body that it wrote not long ago', () => {
    let written = 0;
    const counted: Entries = {
      ...ENTRIES,
      write: (row, writer) => {
        written += 1;
        writer.template(TEMPLATES, row);
      },
    };
    const writer = new ByteWriter(2, 4 * LONGEST);
    for (let time = 0; time < 20; time++) {
      writer.start();
      writer.entries(counted, [0]);
      writer.release(writer.finish());
    }
    assert.equal(written, 1);
  });

  it('copies neighbours from one slab only', () => {
    const slabBytes = 40 * LONGEST;
    const writer = new ByteWriter(4, slabBytes);
    const fill = (bytes: number) => {
      writer.start();
      writer.bytes(Buffer.alloc(bytes));
      writer.finish();
    };
    const afterFirst = Buffer.byteLength(BODIES[0]!);
    write(writer, [0], false);
    fill(slabBytes - afterFirst);
    // In the next slab, where it would be the neighbour of the first.
    fill(afterFirst + SEPARATOR.length);
    write(writer, [1], false);
    assert.equal(write(writer, [0, 1], false).toString(), `${BODIES[0]},${BODIES[1]}`);
  });

  it('writes into the same memory again once it is released', () => {
    const memory = (isReleased: boolean) => {
      const writer = new ByteWriter(3, 4 * LONGEST);
      const met = new Set<ArrayBufferLike>();
      for (let time = 0; time < 100; time++) {
        const bytes = write(writer, [0, 1], false);
        met.add(bytes.buffer);
        if (isReleased) writer.release(bytes);
      }
      return met.size;
    };
    assert.equal(memory(true), 3);
    assert.ok(memory(false) > 10);
  });
});

function write(writer: ByteWriter, rows: readonly number[], isRead: boolean): Buffer {
  writer.start();
  if (isRead) for (const row of rows) writer.template(TEMPLATES, row);
  else writer.entries(ENTRIES, rows);
  return writer.finish();
}
