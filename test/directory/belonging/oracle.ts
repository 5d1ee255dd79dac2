/**
 * What organisations belong to, found slowly and plainly from the rule in
 * `docs/explanation/belonging.md`. Shares no code with `src/directory/ask/`.
 */
import type { PeriodRecord, SourceRecord } from '../../../src/directory/record/record.ts';

/** A level upwards: the code, and the type of the relationship that leads to it. */
export interface OracleLevel {
  readonly code: string;
  readonly by: string;
}

type Part = { readonly isActive: boolean; readonly periods: readonly PeriodRecord[] };

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

const KINDS = new Map([
  ['98', 'subIcb'],
  ['319', 'subIcb'],
  ['261', 'icb'],
  ['318', 'icb'],
  ['209', 'region'],
]);

/** `roleOf` says the primary role of every code, also of those without a record. */
export class Oracle {
  readonly #records: ReadonlyMap<string, SourceRecord>;
  readonly #roleOf: (code: string) => string;
  readonly #day: string;

  constructor(records: readonly SourceRecord[], roleOf: (code: string) => string, day: string) {
    this.#records = new Map(records.map((record) => [record.code, record]));
    this.#roleOf = roleOf;
    this.#day = day;
  }

  /** From the nearest upwards. */
  levels(code: string): readonly OracleLevel[] {
    const bodies = this.#bodies(code);
    const isStep = ({ from, to }: Edge) =>
      !KINDS.has(this.#roleOf(to)) ||
      bodies.some((each) => each.to === to && (each.from === from || each.isRepeated(from)));
    const seen = [code];
    const levels: OracleLevel[] = [];
    const list = ({ to, type }: Edge) => {
      if (to !== code && !levels.some((level) => level.code === to))
        levels.push({ code: to, by: `RE${type}` });
    };
    for (const at of seen) {
      this.#networks(at).forEach(list);
      for (const edge of this.#upward(at).filter(isStep)) {
        if (seen.includes(edge.to)) continue;
        seen.push(edge.to);
        list(edge);
      }
    }
    return levels;
  }

  /** The codes of the columns of tables. */
  columns(code: string): Readonly<Record<string, string>> {
    const levels = this.levels(code);
    const ofRole = (...roles: readonly string[]) =>
      levels.find((level) => roles.includes(this.#roleOf(level.code)))?.code ?? '';
    return {
      operator: levels.find(({ by }) => by === 'RE6')?.code ?? '',
      network: ofRole('272'),
      subIcb: ofRole('319', '98'),
      icb: ofRole('318', '261'),
      region: ofRole('209'),
    };
  }

  /** The sub-ICB location, the board and the region, each with who names it. */
  #bodies(code: string) {
    const found: { from: string; to: string; isRepeated(from: string): boolean }[] = [];
    const namers: string[] = [];
    const name = (from: string) => {
      for (const { to } of this.#upward(from)) {
        const kind = KINDS.get(this.#roleOf(to));
        if (kind === undefined || to === code) continue;
        if (found.some((each) => KINDS.get(this.#roleOf(each.to)) === kind)) continue;
        found.push({ from, to, isRepeated: (other) => namers.includes(other) });
      }
    };
    const decider = this.#nearestThatNames(code);
    if (decider === undefined) return found;
    namers.push(decider);
    name(decider);
    for (const { to } of found) {
      namers.push(to);
      name(to);
    }
    return found;
  }

  /** The organisation itself, or the nearest level that names a body, over others than bodies. */
  #nearestThatNames(code: string): string | undefined {
    const seen = [code];
    for (const at of seen) {
      const up = this.#upward(at).filter(({ to }) => to !== code);
      if (up.some(({ to }) => KINDS.has(this.#roleOf(to)))) return at;
      for (const { to } of up) if (!seen.includes(to)) seen.push(to);
    }
    return undefined;
  }

  #upward(code: string): readonly Edge[] {
    return ['4', '6', '5', '2', '3'].flatMap((type) => this.#edges(code, type));
  }

  #networks(code: string): readonly Edge[] {
    return this.#edges(code, '8', '272');
  }

  #edges(code: string, type: string, role?: string): readonly Edge[] {
    const record = this.#records.get(code);
    if (record === undefined) return [];
    const isClosed = phase(record, this.#day) === 'past';
    const asked = isClosed ? (closingDay(record) ?? this.#day) : this.#day;
    const ofType = (record.relationships ?? [])
      .filter(({ target }) => role === undefined || this.#roleOf(target.code) === role)
      .filter((each) => each.type === type)
      .map((each, place) => ({ each, place, start: startOf(each, asked) }))
      .sort((a, b) => (a.start === b.start ? a.place - b.place : a.start < b.start ? 1 : -1));
    const now = ofType.filter(({ each }) => phase(each, asked) === 'now');
    const past = ofType.filter(({ each }) => phase(each, asked) === 'past').slice(0, 1);
    const standing = now.length > 0 ? now : isClosed ? past : [];
    return standing.map(({ each }) => ({ from: code, to: each.target.code, type }));
  }
}

/** Operational periods, or the others if there are none. */
function periodsOf({ periods }: Part): readonly PeriodRecord[] {
  const operational = periods.filter(({ kind }) => kind === 'Operational');
  return operational.length > 0 ? operational : periods;
}

function includes({ start, end }: PeriodRecord, isActive: boolean, day: string): boolean {
  if (start !== undefined && start > day) return false;
  return end === undefined ? isActive : lastDayOf(end) >= day;
}

function phase(part: Part, day: string): 'past' | 'now' | 'later' {
  const periods = periodsOf(part);
  if (periods.length === 0) return part.isActive ? 'now' : 'past';
  if (periods.some((period) => includes(period, part.isActive, day))) return 'now';
  return periods.some(({ start = '' }) => start > day) ? 'later' : 'past';
}

/** The start of the period that counts on the day. */
function startOf(part: Part, day: string): string {
  const periods = periodsOf(part);
  const now = periods.filter((period) => includes(period, part.isActive, day));
  const begun = now.length > 0 ? now : periods.filter(({ start = '' }) => start <= day);
  return (
    begun
      .map(({ start = '' }) => start)
      .sort()
      .at(-1) ?? ''
  );
}

/** The last day on which it was open. Unknown if a period has no end. */
function closingDay(record: SourceRecord): string | undefined {
  let last: string | undefined;
  for (const { end } of periodsOf(record)) {
    if (end === undefined) return undefined;
    if (last === undefined || lastDayOf(end) > last) last = lastDayOf(end);
  }
  return last;
}

function lastDayOf(date: string): string {
  if (date.length === 10) return date;
  const [year = '', month = '12'] = date.split('-');
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return `${year}-${month}-${days}`;
}
