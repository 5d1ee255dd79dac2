/** What the editions that are kept say of an organisation: its states, and its names and addresses. */
import type { Edition } from '../../edition/edition.ts';
import type { EditionHistory, EditionInfo } from '../../edition/edition-store.ts';
import { restoredFrom } from '../../edition/restored-edition.ts';
import { sourceRecordAt } from '../../edition/source-record.ts';
import type { AddressRecord, SourceRecord } from '../../record/record.ts';
import type { EventKnowledge, OrganizationEvent } from '../answers.ts';

/** Two years of monthly editions. */
const EDITIONS_MAX = 24;

/**
 * All editions, the oldest first. A rollback or an older release has the newest date before it,
 * because it does not become known in the past.
 */
export async function listedEditions(
  history: Pick<EditionHistory, 'list'>,
): Promise<readonly EditionInfo[]> {
  let newest = '';
  return (await history.list()).map((info) => {
    if (dayOfEdition(info) < newest) return { ...info, publicationDate: newest };
    newest = dayOfEdition(info);
    return info;
  });
}

/**
 * The last editions up to this one, the newest first, also those that are no longer on disk; without
 * those that a rollback undid: what only they said did not happen.
 */
export async function lastEditions(
  { number: newest }: Pick<Edition, 'number'>,
  history: Pick<EditionHistory, 'list'>,
  isWanted: (edition: EditionInfo) => boolean = () => true,
): Promise<readonly EditionInfo[]> {
  const infos = (await listedEditions(history))
    .filter(({ number }) => number <= newest)
    .toReversed();
  return withoutUndone(infos).filter(isWanted).slice(0, EDITIONS_MAX);
}

/** `infos`: the newest first. */
function withoutUndone(infos: readonly EditionInfo[]): EditionInfo[] {
  let restored = Number.POSITIVE_INFINITY;
  return infos.filter((info) => {
    const isUndone = info.number > restored;
    if (!isUndone) restored = restoredFrom(info) ?? Number.POSITIVE_INFINITY;
    return !isUndone;
  });
}

/** Those of them that are on disk. */
export function keptEditions(
  edition: Edition,
  history: EditionHistory,
): Promise<readonly EditionInfo[]> {
  return lastEditions(edition, history, ({ isOnDisk }) => isOnDisk);
}

/** A record as an edition has it. */
export interface State {
  readonly info: EditionInfo;
  /** Undefined if the edition does not have the record. */
  readonly record: SourceRecord | undefined;
}

/**
 * The newest first, without the editions that have the same record as an earlier one. `kept`: the
 * newest first.
 */
export async function statesOf(
  edition: Edition,
  code: string,
  kept: readonly EditionInfo[],
  history: EditionHistory,
): Promise<readonly State[]> {
  const row = edition.links.rowOf(code);
  if (row === undefined || row >= edition.rows.count) return [];
  const changedIn = edition.changedIn(row).number;
  const newest = kept.findLast(({ number }) => number >= changedIn);
  if (newest === undefined) return [];
  const states: State[] = [{ info: newest, record: sourceRecordAt(edition, row) }];
  for (const info of kept) {
    if (info.number >= changedIn) continue;
    const found = await history.record(info.number, code);
    // Older editions would tell nothing, if this one may have changed the record.
    if (found === undefined) break;
    states.push({ info, record: found === 'none' ? undefined : found });
  }
  return states;
}

/** Other names and addresses, each on the day of the edition that had it first. */
export function differencesOf(states: readonly State[]): OrganizationEvent[] {
  return states.flatMap(({ info, record }, at) => {
    const before = states[at + 1]?.record;
    return record && before ? differencesBetween(before, record, info) : [];
  });
}

/** The edition that knew an event first. */
export function knowledgeOf({ number, publicationDate }: EditionInfo): EventKnowledge {
  return { edition: number, date: publicationDate };
}

/** The day of the events that an edition shows by comparison. */
export function dayOfEdition({ publicationDate }: EditionInfo): string {
  return publicationDate.slice(0, 10);
}

/** Other names and addresses than before, on the day of the edition. */
export function differencesBetween(
  before: SourceRecord,
  { code, name, address }: SourceRecord,
  info: EditionInfo,
): OrganizationEvent[] {
  const places = [before.address, address].map(placeText);
  const differences = [
    { kind: 'renamed', verb: 'Renamed', from: before.name, to: name },
    { kind: 'moved', verb: 'Moved', from: places[0], to: places[1] },
  ] as const;
  return differences
    .filter(({ from, to }) => from && to && from !== to)
    .map(({ kind, verb, from, to }) => ({
      kind,
      code,
      ...(name !== undefined && { name }),
      day: dayOfEdition(info),
      knownSince: knowledgeOf(info),
      text: `${verb} from ${from} to ${to}`,
    }));
}

/** Without the country, which says nothing about a move. */
function placeText(address: AddressRecord | undefined): string {
  const { lines = [], city, postalCode } = address ?? {};
  return [...lines, city, postalCode].filter((part) => part !== undefined).join(', ');
}
