/** The records of codes in two editions, and in those between them. */

import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { sourceRecordAt } from '../../edition/source-record.ts';
import type { SourceRecord } from '../../record/record.ts';
import type { Touched } from './touched-codes.ts';

/** Undefined states: the edition does not have a full record. */
export interface States {
  now(code: string): SourceRecord | undefined;
  before(code: string): Promise<SourceRecord | undefined>;
  /** Whether an edition after the base changed the code. */
  isTouched(code: string): boolean;
  lastTouched(code: string): EditionInfo;
  /**
   * The edition since which all states have something that the base does not have. `code` is one
   * that editions changed. Where a state in between cannot be read, the edition after it.
   */
  firstWith(code: string, has: (state: SourceRecord | undefined) => boolean): Promise<EditionInfo>;
}

export function createStates({
  edition,
  base,
  infos,
  touched,
  history,
}: {
  readonly edition: Edition;
  readonly base: EditionInfo;
  /** By number. */
  readonly infos: readonly EditionInfo[];
  readonly touched: Touched;
  readonly history: EditionHistory;
}): States {
  const now = (code: string) => {
    const row = edition.links.rowOf(code);
    return row === undefined || row >= edition.rows.count
      ? undefined
      : sourceRecordAt(edition, row);
  };
  const editionsOf = (code: string) => touched.editionsOf.get(code) ?? [];
  const last = infos.find(({ number }) => number === edition.number) ?? base;
  const lastTouched = (code: string) => editionsOf(code)[0] ?? last;
  /** The events of an organisation ask for the same states. */
  const between = new Map<string, SourceRecord | 'none' | undefined>();
  const stateAt = async (number: number, code: string) => {
    const key = `${number} ${code}`;
    if (!between.has(key)) {
      if (between.size >= STATES_MAX) between.clear();
      between.set(key, await history.record(number, code));
    }
    return between.get(key);
  };
  return {
    now,
    before: async (code) => {
      if (!touched.editionsOf.has(code)) return now(code);
      const found = await stateAt(base.number, code);
      if (found !== undefined) return found === 'none' ? undefined : found;
      throw FhirError.of(
        'gone',
        `The records of edition ${base.number} can no longer be read. Use a later sinceEdition or knownSince.`,
      );
    },
    isTouched: (code) => editionsOf(code).length > 0,
    lastTouched,
    firstWith: async (code, has) => {
      const editions = editionsOf(code);
      for (const [at, info] of editions.entries()) {
        const older = editions[at + 1];
        // Before the first change, the record is that of the base.
        if (older === undefined) return info;
        const number = infos.findLast(
          (each) => each.isOnDisk && each.number < info.number && each.number >= older.number,
        )?.number;
        const state = number === undefined ? undefined : await stateAt(number, code);
        if (state === undefined || !has(state === 'none' ? undefined : state)) return info;
      }
      return last;
    },
  };
}

/** The states of one organisation and its successors. */
const STATES_MAX = 100;
