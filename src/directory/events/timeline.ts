/** What a comparison of the editions that are kept adds to events: since when they are known. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../edition/edition.ts';
import type { EditionHistory } from '../edition/edition-history.ts';
import type { EditionInfo } from '../edition/edition-store.ts';
import type { AddressRecord, SourceRecord } from '../record/record.ts';
import { sourceRecordAt } from '../record/source-record.ts';
import {
  byDay,
  changesOf,
  type DatedChange,
  eventsOf,
  type OrganizationEvent,
} from '../time/events.ts';
import { predecessorsOf } from '../time/successors.ts';

/**
 * What happened to an organisation, the earliest first. It includes what the organisation took over,
 * and what only a comparison of editions shows: other names and addresses.
 */
export async function timelineOf(
  edition: Edition,
  row: number,
  history: EditionHistory,
): Promise<readonly OrganizationEvent[]> {
  const { relations, rows } = edition;
  const code = relations.codeOf(row);
  const takenOver = predecessorsOf(edition, code).flatMap(({ from }) => {
    const before = relations.rowOf(from);
    if (before === undefined || before >= rows.count) return [];
    const isSuccession = ({ kind, other }: DatedChange) =>
      other === code && (kind === 'succeeded' || kind === 'merged');
    return eventsOf(edition, before, isSuccession);
  });
  const dated = await withKnownSince(edition, [...eventsOf(edition, row), ...takenOver], history);
  const states = await statesOf(edition, code, await keptEditions(edition, history), history);
  const compared = states.flatMap(({ info, record }, at) => {
    const before = states[at + 1]?.record;
    return record && before ? differencesOf(before, record, info) : [];
  });
  return [...dated, ...compared].toSorted(byDay);
}

/** Adds to each event since when it is known. Without a history, this is not known. */
export async function withKnownSince(
  edition: Edition,
  events: readonly OrganizationEvent[],
  history: EditionHistory | undefined,
): Promise<readonly OrganizationEvent[]> {
  if (history === undefined) return events;
  const kept = await keptEditions(edition, history);
  const known = new Map<OrganizationEvent, EditionInfo>();
  for (const [code, ofCode] of Map.groupBy(events, (event) => event.code)) {
    const states = await statesOf(edition, code, kept, history);
    // The oldest edition that is kept may not have been the first one with an event.
    if (states.length < 2) continue;
    const checks = states.map(createCheck);
    for (const event of ofCode) {
      const before = checks.findIndex((mayKnow) => !mayKnow(event));
      if (before > 0) known.set(event, states[before - 1]!.info);
    }
    await nextTurn();
  }
  return events.map((event) => {
    const info = known.get(event);
    return info === undefined ? event : { ...event, knownSince: knowledgeOf(info) };
  });
}

/** A record as an edition has it. */
interface State {
  readonly info: EditionInfo;
  /** Undefined if the edition does not have the record. */
  readonly record: SourceRecord | undefined;
}

/** The newest first. */
async function keptEditions(
  { number: newest }: Edition,
  history: EditionHistory,
): Promise<readonly EditionInfo[]> {
  return (await history.list())
    .filter(({ isOnDisk, number }) => isOnDisk && number <= newest)
    .toReversed()
    .slice(0, EDITIONS_MAX);
}

/** Two years of monthly editions. */
const EDITIONS_MAX = 24;

/** The newest first. Without the editions that have the same record as an earlier one. */
async function statesOf(
  edition: Edition,
  code: string,
  kept: readonly EditionInfo[],
  history: EditionHistory,
): Promise<readonly State[]> {
  const row = edition.relations.rowOf(code);
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

type EventKey = Pick<OrganizationEvent, 'kind' | 'day' | 'role' | 'by'> & {
  readonly other?: { readonly code: string };
};

/** Whether the state has an event, or cannot tell because it knows no relationships. */
function createCheck({ record }: State): (event: EventKey) => boolean {
  if (record === undefined) return () => false;
  const { relationships, successions = [] } = record;
  const keys = new Set([
    ...changesOf(record).map(({ other, ...change }) =>
      keyOf({ ...change, ...(other !== undefined && { other: { code: other } }) }),
    ),
    ...successions
      .filter(({ kind }) => kind === 'Successor')
      .map(({ target }) => successionKey(target.code)),
  ]);
  return (event) =>
    keys.has(keyOf(event)) || (relationships === undefined && event.other !== undefined);
}

/** An event is the same in two editions if these parts are. */
function keyOf({ kind, day, other, role, by }: EventKey): string {
  if (kind === 'succeeded' || kind === 'merged') return successionKey(other?.code);
  return [kind, day, other?.code, role, by].join(' ');
}

function successionKey(code: string | undefined): string {
  return `succeeded ${code}`;
}

function knowledgeOf({ number, publicationDate }: EditionInfo) {
  return { edition: number, date: publicationDate };
}

function differencesOf(
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
      day: info.publicationDate.slice(0, 10),
      knownSince: knowledgeOf(info),
      text: `${verb} from ${from} to ${to}`,
    }));
}

/** Without the country, which says nothing about a move. */
function placeText(address: AddressRecord | undefined): string {
  const { lines = [], city, postalCode } = address ?? {};
  return [...lines, city, postalCode].filter((part) => part !== undefined).join(', ');
}
