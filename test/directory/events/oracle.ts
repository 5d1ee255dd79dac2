/**
 * What happened to organisations, found slowly and plainly: it asks of each day whether something was
 * in force on it and on the day beside it. Shares no code with `src/directory/ask/dated-events.ts`.
 */
import type { PeriodRecord, SourceRecord } from '../../../src/directory/record/record.ts';

/** An event in the form of JSON, without `knownSince`. */
export interface Happening {
  readonly kind: string;
  readonly code: string;
  readonly name?: string;
  readonly day: string;
  readonly other?: Named;
  readonly from?: Named;
  readonly role?: string;
  readonly by?: string;
  readonly text: string;
}

interface Named {
  readonly code: string;
  readonly name?: string;
}

type Parts = readonly { readonly periods: readonly PeriodRecord[] }[];

/** Dates are `YYYY-MM-DD`. In the order of day and code. `roles` has the displays of roles. */
export function happenings(
  records: readonly SourceRecord[],
  roles: ReadonlyMap<string, string>,
): Happening[] {
  const full = records.filter(({ isReferenceOnly }) => isReferenceOnly !== true);
  const found = full.flatMap((record) => ofRecord(record, records, roles));
  return [...found, ...successions(records)].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Events of the same organisation and day are in any order. */
export function order({ day, code, text }: Pick<Happening, 'day' | 'code' | 'text'>): string {
  return [day, code, text].join('|');
}

function ofRecord(
  record: SourceRecord,
  records: readonly SourceRecord[],
  roles: ReadonlyMap<string, string>,
): Happening[] {
  const { code } = record;
  const self = named(code, records);
  const found: Happening[] = [];
  const own = turnsOf([record]);
  for (const day of own.begins) {
    const isFirst = [...own.begins, ...own.ends].every((other) => other >= day);
    found.push({
      kind: isFirst ? 'opened' : 'reopened',
      ...self,
      day,
      text: isFirst ? 'Opened' : 'Reopened',
    });
  }
  for (const day of own.ends) found.push({ kind: 'closed', ...self, day, text: 'Closed' });
  for (const held of new Set(record.roles.map((role) => role.code))) {
    const { begins, ends } = turnsOf(record.roles.filter((role) => role.code === held));
    const role = `RO${held}`;
    const display = roles.get(held);
    const words = display === undefined ? role : `${display} (${role})`;
    for (const day of begins) {
      found.push({ kind: 'role-gained', ...self, day, role, text: `Gained the role ${words}` });
    }
    for (const day of ends) {
      found.push({ kind: 'role-lost', ...self, day, role, text: `Lost the role ${words}` });
    }
  }
  for (const type of new Set((record.relationships ?? []).map((each) => each.type))) {
    found.push(...membership(record, type, records));
  }
  return found;
}

function membership(
  { code, relationships = [] }: SourceRecord,
  type: string,
  records: readonly SourceRecord[],
): Happening[] {
  const self = named(code, records);
  const ofType = relationships.filter((each) => each.type === type);
  const by = `RE${type}`;
  const begins: { day: string; target: string }[] = [];
  const ends: { day: string; target: string }[] = [];
  for (const target of new Set(ofType.map((each) => each.target.code))) {
    const turns = turnsOf(ofType.filter((each) => each.target.code === target));
    begins.push(...turns.begins.map((day) => ({ day, target })));
    ends.push(...turns.ends.map((day) => ({ day, target })));
  }
  const found: Happening[] = [];
  for (const { day, target } of begins) {
    const other = named(target, records);
    const at = ends.findIndex((end) => next(end.day) === day);
    const [left] = at < 0 ? [] : ends.splice(at, 1);
    const from = left && named(left.target, records);
    found.push({
      kind: 'joined',
      ...self,
      day,
      other,
      by,
      ...(from && { from }),
      text: from ? `Left ${words(from)} and joined ${words(other)}` : `Joined ${words(other)}`,
    });
  }
  for (const { day, target } of ends) {
    const other = named(target, records);
    found.push({ kind: 'left', ...self, day, other, by, text: `Left ${words(other)}` });
  }
  return found;
}

/** Each pair of codes once; what the replaced one states counts first. */
function successions(records: readonly SourceRecord[]): Happening[] {
  const stated = (['Successor', 'Predecessor'] as const).flatMap((wanted) =>
    records.flatMap(({ code, successions: own = [] }) =>
      own
        .filter(({ kind }) => kind === wanted)
        .flatMap(({ target, periods }) => {
          const from = wanted === 'Successor' ? code : target.code;
          const to = wanted === 'Successor' ? target.code : code;
          // The legal start.
          const day = (periods.find((each) => each.kind === 'Legal') ?? periods[0])?.start;
          return day === undefined ? [] : [{ from, to, day }];
        }),
    ),
  );
  const distinct = stated.filter(
    ({ from, to }, at) =>
      from !== to &&
      stated.findIndex((each) => each.from === from && each.to === to) === at &&
      records.some((each) => each.isReferenceOnly !== true && [from, to].includes(each.code)),
  );
  return distinct.map(({ from, to, day }) => {
    // Also those that no full record has a part in.
    const merged = new Set(
      stated
        .filter((each) => each.to === to && each.from !== from && each.from !== to)
        .filter((each) => each === stated.find((one) => one.from === each.from && one.to === to))
        .filter((each) => each.day === day)
        .map((each) => each.from),
    );
    const self = named(from, records);
    const other = named(to, records);
    const [first = ''] = merged;
    const whom = merged.size === 1 ? words(named(first, records)) : `${merged.size} others`;
    return merged.size === 0
      ? { kind: 'succeeded', ...self, day, other, text: `Succeeded by ${words(other)}` }
      : { kind: 'merged', ...self, day, other, text: `Merged with ${whom} into ${words(other)}` };
  });
}

/** The days on which something came into force or was in force for the last time. */
function turnsOf(parts: Parts): { begins: string[]; ends: string[] } {
  const periods = parts.flatMap(({ periods: all }) => {
    const isOperational = all.some(({ kind }) => kind === 'Operational');
    return all.filter(({ kind }) => !isOperational || kind === 'Operational');
  });
  const isInForce = (day: string): boolean =>
    periods.some(({ start = '', end = '9999' }) => start <= day && day <= end);
  const days = new Set(
    periods.flatMap(({ start, end }) => [start, end]).filter((day) => day !== undefined),
  );
  return {
    begins: [...days].filter((day) => isInForce(day) && !isInForce(before(day))).sort(),
    ends: [...days].filter((day) => isInForce(day) && !isInForce(next(day))).sort(),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function next(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

function before(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

function named(code: string, records: readonly SourceRecord[]): Named {
  const name = records.find((record) => record.code === code)?.name;
  return name === undefined ? { code } : { code, name };
}

function words({ code, name }: Named): string {
  return name === undefined ? code : `${code} ${name}`;
}
