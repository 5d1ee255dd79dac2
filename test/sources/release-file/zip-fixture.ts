/** Makes small zips for tests, whole or with something wrong about them. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFixtureEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly isStored?: boolean;
  readonly isEncrypted?: boolean;
  /** What the directory says instead of the truth. */
  readonly method?: number;
  readonly size?: number;
  readonly checksum?: number;
}

export function makeZip(entries: readonly ZipFixtureEntry[], comment = ''): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const data = entry.isStored === true ? content : deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.isEncrypted === true ? 0x0801 : 0x0800, 2);
    fields.writeUInt16LE(entry.method ?? (entry.isStored === true ? 0 : 8), 4);
    fields.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(entry.size ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), fields, name, data];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, name);
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directoryBytes, end, Buffer.from(comment)]);
}
