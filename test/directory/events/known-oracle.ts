/**
 * What became known between two states of the directory, found plainly: from their records, and from
 * their lists of events. Shares no code with `src/directory/ask/events`.
 */
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { type Happening, happenings } from './oracle.ts';

/** The records of each edition; the first one has the number 1. */
export type Versions = readonly (readonly SourceRecord[])[];

export interface KnownChange extends Happening {
  /** The number of the edition since which all have it. */
  readonly edition: number;
}

/** What the last version knows and the one with the number `base` does not. */
export function knownChanges(
  versions: Versions,
  base: number,
  roles: ReadonlyMap<string, string>,
): KnownChange[] {
  const now = versions.at(-1)!;
  const before = versions[base - 1]!;
  const dated = happenings(now, roles).filter((one) => !factsIn(before, roles)(one));
  const found = [...dated, ...differences(before, now)];
  const others = [...fullOf(now).values()].filter(
    (record) =>
      fullOf(before).has(record.code) &&
      JSON.stringify(fullOf(before).get(record.code)) !== JSON.stringify(record) &&
      !found.some(({ code }) => code === record.code),
  );
  const all = [
    ...found,
    ...others.map((record) => event('changed', record, 'Other details changed')),
  ];
  return all.map((one) => ({ ...one, edition: firstWith(versions, base, one, roles) }));
}

/** Events without a day of their own have an empty one. */
function differences(before: readonly SourceRecord[], now: readonly SourceRecord[]): Happening[] {
  const [old, current] = [fullOf(before), fullOf(now)];
  return [
    ...[...current.values()].flatMap((record) => {
      const known = old.get(record.code);
      if (known === undefined) return [event('added', record, 'New in the directory')];
      if (known.name === record.name) return [];
      return [event('renamed', record, `Renamed from ${known.name} to ${record.name}`)];
    }),
    ...[...old.values()]
      .filter(({ code }) => !current.has(code))
      .map((record) => event('removed', record, 'Gone from the directory')),
  ];
}

function event(kind: string, { code, name }: SourceRecord, text: string): Happening {
  return { kind, code, ...(name !== undefined && { name }), day: '', text };
}

function firstWith(
  versions: Versions,
  base: number,
  one: Happening,
  roles: ReadonlyMap<string, string>,
): number {
  const name = fullOf(versions.at(-1)!).get(one.code)?.name;
  const has = (version: readonly SourceRecord[]): boolean => {
    const record = fullOf(version).get(one.code);
    if (one.kind === 'added') return record !== undefined;
    if (one.kind === 'removed') return record === undefined;
    if (one.kind === 'renamed') return record?.name === name;
    return factsIn(version, roles)(one);
  };
  if (one.kind === 'changed') {
    const texts = versions.map((version) => JSON.stringify(fullOf(version).get(one.code)));
    return texts.findLastIndex((text, at) => text !== texts[at - 1]) + 1;
  }
  for (let number = versions.length; number > base + 1; number--) {
    if (!has(versions[number - 2]!)) return number;
  }
  return base + 1;
}

/** Who left one organisation and joined another did two things. Names and mergers do not count. */
function factsOf({ kind, code, day, other, from, role, by }: Happening): readonly string[] {
  if (kind === 'succeeded' || kind === 'merged') return [`${code} was replaced by ${other?.code}`];
  const own = `${code} ${kind} ${day} ${other?.code} ${role} ${by}`;
  if (from === undefined) return [own];
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  return [own, `${code} left ${before} ${from.code} ${role} ${by}`];
}

const KNOWN = new WeakMap<readonly SourceRecord[], ReadonlySet<string>>();

function factsIn(
  records: readonly SourceRecord[],
  roles: ReadonlyMap<string, string>,
): (one: Happening) => boolean {
  const known = KNOWN.get(records) ?? new Set(happenings(records, roles).flatMap(factsOf));
  KNOWN.set(records, known);
  return (one) => factsOf(one).every((fact) => known.has(fact));
}

export function fullOf(records: readonly SourceRecord[]): ReadonlyMap<string, SourceRecord> {
  const full = records.filter(({ isReferenceOnly }) => isReferenceOnly !== true);
  return new Map(full.map((record) => [record.code, record]));
}
