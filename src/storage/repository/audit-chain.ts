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
