/** Answers the questions about the history of editions from what a store keeps of them. */
import {
  CHANGE_KINDS,
  type ChangeKind,
  type DifferenceCounts,
  type EditionHistory,
} from '../../directory/edition/edition-history.ts';
import { readEditionRecord } from './edition-record.ts';

export interface HistorySource extends Pick<EditionHistory, 'list' | 'differenceCounts' | 'close'> {
  /** The codes of one kind, ascending, one on each line. */
  codeList(number: number, kind: ChangeKind): Promise<string>;
  /** The folder with the data of an edition. Rejects if it is not kept. */
  pathOf(number: number): Promise<string>;
}

/** Keeps the answers that never change. */
export function createEditionHistory(source: HistorySource): EditionHistory {
  const counts = new Map<number, DifferenceCounts>();
  const lists = new Map<string, string>();

  /** With a line end on both sides of each code, so that a search finds only whole codes. */
  const framedCodes = async (number: number, kind: ChangeKind): Promise<string> => {
    const key = `${number} ${kind}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = `\n${await source.codeList(number, kind)}\n`;
    if (lists.size >= LISTS_MAX) lists.clear();
    lists.set(key, list);
    return list;
  };

  return {
    list: () => source.list(),
    differenceCounts: async (number) => {
      const known = counts.get(number);
      if (known !== undefined) return known;
      const found = await source.differenceCounts(number);
      if (found !== undefined) counts.set(number, found);
      return found;
    },
    codes: async (number, kind) => (await framedCodes(number, kind)).slice(1, -1),
    changeOf: async (number, code) => {
      if (code === '') return undefined;
      for (const kind of CHANGE_KINDS) {
        if ((await framedCodes(number, kind)).includes(`\n${code}\n`)) return kind;
      }
      return undefined;
    },
    record: async (number, code) => {
      try {
        return readEditionRecord(await source.pathOf(number), code);
      } catch {
        // An import can prune the edition at any moment. The record is then unknown.
        return undefined;
      }
    },
    close: () => source.close(),
  };
}

/** The list of a month has about 50 KB, the list of a whole directory 2 MB. */
const LISTS_MAX = 24;
