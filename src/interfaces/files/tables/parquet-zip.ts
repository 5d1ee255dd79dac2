/** The tables as Parquet files in a zip. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { zipPieces } from '../../answer/zip-pieces.ts';
import type { ColumnType, Table, TableCell, TableColumn, TableSource } from './table.ts';
import { dataPackage, TABLES } from './tables.ts';

/** Writes to an empty file. It stays incomplete if this rejects. */
export async function writeParquetZip(
  path: string,
  source: TableSource,
  stopped: AbortSignal,
): Promise<void> {
  const description = dataPackage(source, (table) => ({
    path: `${table}.parquet`,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
  }));
  const files = [
    { name: 'datapackage.json', pieces: () => [Buffer.from(description)] },
    ...TABLES.map((table) => ({
      name: `${table.name}.parquet`,
      pieces: () => parquetPieces(table, source),
    })),
  ];
  // With this time, the bytes are the same each time.
  const zip = zipPieces(files, new Date(source.edition.publishedAt));
  await pipeline(zip, createWriteStream(path), { signal: stopped });
}

function* parquetPieces({ columns, rows }: Table, source: TableSource): Generator<Buffer> {
  const writer = new ByteWriter();
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(schemaElement)];
  const createdBy = `gazetteer version ${source.programVersion}`;
  const file = new ParquetWriter({ writer, schema, createdBy });
  const take = () => {
    const piece = Buffer.from(writer.getBytes());
    writer.index = 0;
    return piece;
  };
  let group: (readonly TableCell[])[] = [];
  const toParquet = createToParquet();
  const writeGroup = () => {
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      data: group.map((cells) => toParquet(cells[at], type)),
      // Those of texts take a tenth of the time, and few queries can use them.
      statistics: type !== 'string',
    }));
    void file.write({ columnData, rowGroupSize: group.length });
    group = [];
    return take();
  };
  for (const cells of rows(source)) {
    group.push(cells);
    if (group.length === ROWS_PER_GROUP) yield writeGroup();
  }
  if (group.length > 0) yield writeGroup();
  void file.finish();
  yield take();
}

/** A group takes about 20 MB of memory while it is written. */
const ROWS_PER_GROUP = 10_000;

function schemaElement({ name, type, isRequired }: TableColumn) {
  return {
    name,
    ...PARQUET_TYPES[type],
    repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
  } as const;
}

const PARQUET_TYPES = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const satisfies Readonly<Record<ColumnType, object>>;

/** Keeps the days of dates, because records share most of their dates. */
function createToParquet() {
  const days = new Map<string, number>();
  const dayOf = (date: string): number => {
    const day = days.get(date) ?? Date.parse(date) / DAY_MS;
    days.set(date, day);
    return day;
  };
  return (cell: TableCell, type: ColumnType) => {
    if (typeof cell === 'number') return type === 'integer' ? BigInt(cell) : cell;
    if (typeof cell !== 'string' || type === 'string') return cell;
    return type === 'date' ? dayOf(cell) : new Date(cell);
  };
}

const DAY_MS = 86_400_000;
