/** The questions about editions, answered from the list of editions and from their data. */

import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import type {
  DifferenceCounts,
  EditionDifference,
  EditionInfo,
  EditionStore,
} from '../../directory/edition/edition-store.ts';
import { LINKS_ARRAY } from '../../directory/links/edition-links.ts';
import { type Poll, startPoll } from '../files/poll.ts';
import type { ChangeDetail, EditionList, EditionRow } from './edition-list.ts';

/** What a kind of store keeps of its editions. */
export interface EditionSource<Row extends EditionRow> {
  list(): Promise<EditionList<Row>>;
  /** Codes, ascending, one on each line, or JSON. Empty if it is missing or damaged. */
  detail(number: number, kind: ChangeDetail): Promise<string>;
}

export interface EditionData<Row extends EditionRow> extends EditionSource<Row> {
  load(row: Row): Promise<NamedArrays>;
  hasArray(row: Row, name: string): Promise<boolean>;
  findings(): Promise<readonly string[]>;
}

export function createEditionQueries<Row extends EditionRow>(
  source: EditionData<Row>,
): Omit<EditionStore, 'begin' | 'close' | typeof Symbol.asyncDispose> {
  const current = async () => (await source.list()).current();
  return {
    current,
    list: async () => (await source.list()).infos(),
    replaced: async () => (await source.list()).replaced(),
    watch: (onNew, onProblem) => pollCurrent(current, { onNew, onProblem }).end,
    load: async (number) => {
      const row = (await source.list()).kept(number);
      try {
        return await source.load(row);
      } catch (error) {
        (await source.list()).kept(number); // An import can have pruned it meanwhile.
        throw error;
      }
    },
    knowsLinks: async (number) => {
      const row = (await source.list()).row(number);
      return row !== undefined && (await source.hasArray(row, LINKS_ARRAY));
    },
    findings: source.findings,
    differences: (number) => readDifference(source, number),
  };
}

async function readDifference<Row extends EditionRow>(
  source: EditionSource<Row>,
  number: number,
): Promise<EditionDifference | undefined> {
  const row = (await source.list()).row(number);
  if (row === undefined) return undefined;
  const codes = async (kind: ChangeDetail) => {
    const list = await source.detail(number, kind);
    return list === '' ? [] : list.split('\n');
  };
  return {
    ...(await readDifferenceCounts(source, row)),
    added: await codes('added'),
    changed: await codes('changed'),
    removed: await codes('removed'),
  };
}

/** The difference without the codes. */
export async function readDifferenceCounts<Row extends EditionRow>(
  source: EditionSource<Row>,
  { number, compared_to: comparedTo }: Row,
): Promise<DifferenceCounts> {
  const text = await source.detail(number, 'by-role');
  const byRole = text === '' ? [] : JSON.parse(text);
  return comparedTo === null ? { byRole } : { byRole, comparedTo };
}

export interface CurrentPollOptions {
  /** As those of `EditionStore.watch`. */
  readonly onNew: (edition: EditionInfo) => void;
  readonly onProblem: (error: unknown) => void;
  /** The time between two polls. */
  readonly pauseMs?: () => number;
}

/** Watches for a new current edition by polling. */
export function pollCurrent(
  current: () => Promise<EditionInfo | undefined>,
  { onNew, onProblem, pauseMs = () => POLL_MS }: CurrentPollOptions,
): Poll {
  let known: number | undefined;
  const look = async (hasEnded: () => boolean) => {
    const edition = await current();
    if (hasEnded() || edition === undefined || edition.number === known) return;
    known = edition.number;
    onNew(edition);
  };
  return startPoll(look, { pauseMs, onProblem });
}

/** A server notices a new edition within a second. A look takes less than 0.1 ms. */
const POLL_MS = 500;
