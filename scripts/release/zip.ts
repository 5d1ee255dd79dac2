/** Writes zips as a stream, for the generator: deflated entries, sizes after the data, no zip64. */
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntryContent {
  readonly name: string;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** The bytes of a zip with these entries; an entry's content may be such a zip again. */
export async function* zipBytes(
  entries: readonly ZipEntryContent[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const start = offset;
    const written = { checksum: 0, size: 0, compressedSize: 0 };
    const header = Buffer.concat([localHeader(name), name]);
    yield header;
    for await (const bytes of deflated(entry.content, written)) {
      yield bytes;
    }
    const trailer = sizes(0x08074b50, written);
    yield trailer;
    offset += header.length + written.compressedSize + trailer.length;
    if (offset > ZIP_BYTES_MAX || written.size > ZIP_BYTES_MAX) {
      throw new RangeError('A zip over 4 GB is more than this writer does: write xml or xml.gz.');
    }
    directory.push(directoryHeader(name, start, written), name);
  }
  const directoryBytes = Buffer.concat(directory);
  yield directoryBytes;
  yield endRecord(entries.length, directoryBytes.length, offset);
}

interface Written {
  checksum: number;
  size: number;
  compressedSize: number;
}

/** Beyond this, sizes and offsets need zip64. */
const ZIP_BYTES_MAX = 0xffff_ffff;

/** Bit 3: the sizes follow the data. Bit 11: names are UTF-8. */
const flags = 0x0808;
const deflate = 8;
const version = 20;
/** 1 January 1980, the first day that a zip can tell; a real time would change the bytes. */
const date = 0x0021;

async function* deflated(
  content: ZipEntryContent['content'],
  written: Written,
): AsyncGenerator<Uint8Array, void, undefined> {
  const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const bytes of content) {
      written.checksum = crc32(bytes, written.checksum);
      written.size += bytes.length;
      yield bytes;
    }
  };
  const compressed = Readable.from(counted(), { objectMode: false }).compose(createDeflateRaw());
  for await (const bytes of compressed) {
    written.compressedSize += bytes.length;
    yield bytes;
  }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(deflate, 8);
  header.writeUInt16LE(date, 12);
  header.writeUInt16LE(name.length, 26);
  return header;
}

function sizes(signature: number, written: Written): Buffer {
  const trailer = Buffer.alloc(16);
  trailer.writeUInt32LE(signature, 0);
  trailer.writeUInt32LE(written.checksum, 4);
  trailer.writeUInt32LE(written.compressedSize, 8);
  trailer.writeUInt32LE(written.size, 12);
  return trailer;
}

function directoryHeader(name: Buffer, start: number, written: Written): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(deflate, 10);
  header.writeUInt16LE(date, 14);
  sizes(0, written).copy(header, 16, 4);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(start, 42);
  return header;
}

function endRecord(entryCount: number, directorySize: number, directoryStart: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(entryCount, 8);
  record.writeUInt16LE(entryCount, 10);
  record.writeUInt32LE(directorySize, 12);
  record.writeUInt32LE(directoryStart, 16);
  return record;
}
