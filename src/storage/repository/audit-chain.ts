/** The chain of the audit log: each entry has a keyed hash over itself and all entries before it. */
import { createHmac } from 'node:crypto';

/** The last entry of a log, or of a part of it. */
export interface ChainHead {
  /** 0 if there is no entry. */
  readonly number: number;
  readonly mac: Uint8Array;
}

export interface ChainedText {
  readonly number: number;
  readonly recordedAt: string;
  /** The entry as it is stored. */
  readonly entry: string;
}

export const CHAIN_START: ChainHead = { number: 0, mac: new Uint8Array(32) };

/** Neither number nor date holds a line end, so no two entries give the same bytes. */
export function macOf(key: Uint8Array, previous: Uint8Array, text: ChainedText): Uint8Array {
  return createHmac('sha256', key)
    .update(previous)
    .update(`${text.number}\n${text.recordedAt}\n${text.entry}`)
    .digest();
}

/** An entry in its place in the chain, with its keyed hash. */
export interface ChainedEntry extends ChainedText, ChainHead {}

/** The entry that follows the end of a chain. */
export function chainedAfter(
  { number: before, mac: previous }: ChainHead,
  key: Uint8Array,
  { recordedAt, entry }: Omit<ChainedText, 'number'>,
): ChainedEntry {
  const text = { number: before + 1, recordedAt, entry };
  return { ...text, mac: macOf(key, previous, text) };
}

/** `12:9f86d0…`. A copy kept in another place shows later whether the end of the log was removed. */
export function headText({ number, mac }: ChainHead): string {
  return `${number}:${Buffer.from(mac).toString('hex')}`;
}

/** Undefined if the text does not have this form. */
export function parseHead(text: string): ChainHead | undefined {
  const [, number, mac] = /^(0|[1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (number === undefined || mac === undefined) return undefined;
  return { number: Number(number), mac: Buffer.from(mac, 'hex') };
}
