/** What is measured of each server in a minute: rows of a CSV file. */
import { appendFileSync, writeFileSync } from 'node:fs';

/** Readings are the medians of the minute, so that the moment of a switch of editions counts little. */
export interface Minute {
  /** Since the load began. */
  readonly minute: number;
  /** The store of the server: `folder` or `database`. */
  readonly server: string;
  readonly memoryMb: number;
  /** Of all server threads, in use. */
  readonly heapMb: number;
  readonly descriptors: number;
  readonly threads: number;
  /** The data folder; with a database, that of the database too. */
  readonly diskMb: number;
  readonly requests: number;
  readonly readMedianMs: number;
  readonly readP99Ms: number;
  readonly createMedianMs: number;
  readonly createP99Ms: number;
}

/** The heading of each column. */
export const HEADINGS: Readonly<Record<keyof Minute, string>> = {
  minute: 'minute',
  server: 'server',
  memoryMb: 'memory MB',
  heapMb: 'heap MB',
  descriptors: 'descriptors',
  threads: 'threads',
  diskMb: 'disk MB',
  requests: 'requests',
  readMedianMs: 'read median ms',
  readP99Ms: 'read p99 ms',
  createMedianMs: 'create median ms',
  createP99Ms: 'create p99 ms',
};

/** The table with the same rows, which the pictures are drawn from. */
export const MINUTES_TABLE = 'soak-minutes';

const NAMES = Object.keys(HEADINGS) as (keyof Minute)[];

/** Begins the file anew. */
export function beginFile(file: string): void {
  writeFileSync(file, `${Object.values(HEADINGS).join()}\n`);
}

export function appendMinute(file: string, minute: Minute): void {
  appendFileSync(file, `${NAMES.map((name) => textOf(minute[name])).join()}\n`);
}

/** A minute without a create, as of a database that restarts, has no time for it. */
function textOf(value: string | number): string {
  if (typeof value === 'string') return value;
  return Number.isNaN(value) ? '' : String(Math.round(value * 100) / 100);
}
