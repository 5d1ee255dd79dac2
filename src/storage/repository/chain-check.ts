/** Follows a chain of entries and adds what is wrong with it to the findings of a verification. */

import { CHAIN_START, type ChainHead, macOf } from './audit-chain.ts';
import type { Row } from './statement.ts';
import type { FindingList } from './verification.ts';

export interface ChainCheckOptions {
  readonly key: Uint8Array;
  readonly findings: FindingList;
  /** The head before the first entry. */
  readonly start?: ChainHead;
  /** An earlier head, which the chain must still contain, and who names it. */
  readonly expected?: { readonly head: ChainHead; readonly namedBy: string } | undefined;
  /** The words of findings. */
  readonly words?: ChainWords;
}

export interface ChainWords {
  readonly chain: string;
  readonly entry: string;
  readonly entries: string;
}

const AUDIT_LOG_WORDS: ChainWords = {
  chain: 'the audit log',
  entry: 'audit entry',
  entries: 'audit entries',
};

export class ChainCheck {
  readonly #options: ChainCheckOptions;
  readonly #words: ChainWords;
  #head: ChainHead;
  #matches = 0;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
    this.#words = options.words ?? AUDIT_LOG_WORDS;
    this.#head = options.start ?? CHAIN_START;
    this.#compareWithExpected();
  }

  /** A row with the columns `number`, `recorded_at`, `entry` and `mac`. */
  check(row: Row): void {
    const { key, findings } = this.#options;
    const number = Number(row.number);
    const text = { number, recordedAt: String(row.recorded_at), entry: String(row.entry) };
    const mac = row.mac instanceof Uint8Array ? row.mac : new Uint8Array();
    if (number > this.#head.number + 1) {
      findings.add(this.#missingText(this.#head.number + 1, number - 1));
    }
    if (Buffer.compare(macOf(key, this.#head.mac, text), mac) === 0) {
      this.#matches++;
    } else {
      findings.add(
        `${this.#words.entry} ${number} or the one before it was changed, removed or moved`,
      );
    }
    // The next entry is compared with the stored one, so that one change is one finding.
    this.#head = { number, mac };
    this.#compareWithExpected();
  }

  /** The number of entries that match the key and the previous entry. */
  get matches(): number {
    return this.#matches;
  }

  /** The last entry so far. */
  get head(): ChainHead {
    return this.#head;
  }

  /** Call it once, after the last entry. */
  end(): ChainHead {
    const { number } = this.#head;
    const expected = this.#options.expected?.head.number ?? 0;
    if (expected > number) {
      this.#options.findings.add(
        `${this.#words.chain} ends with entry ${number}, and had ${expected}: its end was cut off`,
      );
    }
    return this.#head;
  }

  #missingText(from: number, to: number): string {
    return from === to
      ? `${this.#words.entry} ${from} is missing`
      : `${this.#words.entries} ${from} to ${to} are missing`;
  }

  #compareWithExpected(): void {
    const { number, mac } = this.#head;
    const { expected, findings } = this.#options;
    if (expected === undefined || number !== expected.head.number) return;
    if (Buffer.compare(mac, expected.head.mac) === 0) return;
    findings.add(`${this.#words.entry} ${number} is not the one that ${expected.namedBy} names`);
  }
}
