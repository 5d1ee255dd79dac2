/** Files that differ little from a release: the next release, and files of changes. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const START = '<Organisation ';
const END = '</Organisation>';

/** The same release a month later, as XML: every hundredth record has another name. */
export function writeNextRelease(release: string, file: string): void {
  const { bytes, head, records } = readRelease(release);
  const out = openSync(file, 'w');
  const date = 'PublicationDate value="2031-01-02"';
  writeSync(out, head.replace(/PublicationDate value="[^"]*"/, date), null, 'latin1');
  let written = Buffer.byteLength(head, 'latin1');
  let number = 0;
  for (const { from, to } of records()) {
    number += 1;
    if (number % 100 !== 51) continue;
    writeSync(out, bytes, written, from - written);
    writeSync(out, renamed(bytes.toString('latin1', from, to), number), null, 'latin1');
    written = to;
  }
  writeSync(out, bytes, written);
  closeSync(out);
}

/** A file of changes with this number of full records from all parts of the release. */
export function writeChanges(release: string, file: string, count: number): void {
  writeFileSync(file, changesOf(release, count)(0), 'latin1');
}

/** A file of changes with this number of new records: copies of others, with one more letter in the code. */
export function writeNewRecords(release: string, file: string, count: number): void {
  const [head = '', ...records] = changesOf(release, count)(0).split(START);
  // The first one in a record is that of its own code.
  const added = records.map((record) => record.replace(/extension="[^"]+/, '$&Z'));
  writeFileSync(file, [head, ...added].join(START), 'latin1');
}

/**
 * The text of a file of changes with `count` full records from all parts of the release. Another
 * `time` changes others, and gives them other names.
 */
export function changesOf(release: string, count: number): (time: number) => string {
  const { bytes, head, records } = readRelease(release);
  const full = [...records()].filter(({ from, to }) => {
    return !bytes.toString('latin1', from, to).includes('refOnly="true"');
  });
  const step = Math.floor(full.length / count);
  const start = head
    .replace('PublicationType value="Full"', 'PublicationType value="Partial"')
    .replace(/RecordCount value="[0-9]+"/, `RecordCount value="${count}"`);
  return (time) => {
    const changed = Array.from({ length: count }, (_, at) => {
      const { from, to } = full[at * step + (time % step)]!;
      return renamed(bytes.toString('latin1', from, to), at + time);
    });
    return `${start}${changed.join('')}</Organisations></HSCOrgRefData:OrgRefData>`;
  };
}

function renamed(record: string, number: number): string {
  return record
    .replace('</Name>', ` ${number}</Name>`)
    .replace(/LastChangeDate value="[^"]*"/, 'LastChangeDate value="2031-01-01"');
}

/** Texts are Latin-1, so that nothing is decoded. A release is longer than a string can be. */
function readRelease(file: string) {
  const bytes = gunzipSync(readFileSync(file));
  const first = bytes.indexOf(START);
  return {
    bytes,
    head: bytes.toString('latin1', 0, first),
    *records(): Generator<{ readonly from: number; readonly to: number }> {
      for (let from = first; from >= 0; ) {
        const to = bytes.indexOf(END, from) + END.length;
        yield { from, to };
        from = bytes.indexOf(START, to);
      }
    },
  };
}
