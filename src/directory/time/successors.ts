/** Which code an organisation has now, or had on a day: codes are replaced, split and merged. */
import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import type { Relations } from '../edition/relations.ts';
import type { PeriodRecord, SuccessionKind } from '../record/record.ts';
import { firstPeriod } from '../record/record-facts.ts';
import type { CodeNow, Replacement, ResolvedCode } from './answers.ts';
import { inTime } from './in-force.ts';

/** `code` as records have it. `day`: `YYYY-MM-DD`. */
export function resolveCode(edition: Edition, code: string, day: string): ResolvedCode {
  const own = phaseOf(edition, code, day);
  if (own === 'past' && isBeforeReplacement(edition, code, day)) {
    return { code, outcome: 'current', now: [nowOf(edition, code, [])] };
  }
  if (own === 'now') return { code, outcome: 'current', now: [nowOf(edition, code, [])] };
  const now = own === 'later' ? [] : openSuccessors(edition, code, day);
  if (now.length > 0) return { code, outcome: now.length > 1 ? 'split' : 'replaced', now };
  return { code, outcome: own === 'past' ? 'closed' : 'unknown', now };
}

/**
 * Whether an organisation that the source calls inactive, without saying since when, was not yet
 * replaced on the day.
 */
function isBeforeReplacement(edition: Edition, code: string, day: string): boolean {
  const { period } = inTimeOf(edition, code, day) ?? {};
  if (period === undefined || period.end !== undefined) return false;
  const days = successorsOf(edition, code).map((each) => each.day);
  return days.length > 0 && days.every((start) => start !== undefined && start > day);
}

/** The open organisations that the replacements lead to, each by the fewest steps. */
function openSuccessors(edition: Edition, code: string, day: string): CodeNow[] {
  const found: CodeNow[] = [];
  // Ends circles, in which codes replaced each other.
  const met = new Set([code]);
  let paths: (readonly Replacement[])[] = [[]];
  while (paths.length > 0 && met.size < CODES_MAX) {
    const further: (readonly Replacement[])[] = [];
    for (const path of paths) {
      for (const step of replacementsOf(edition, path.at(-1)?.to ?? code, day)) {
        if (met.has(step.to)) continue;
        met.add(step.to);
        const via = [...path, step];
        if (phaseOf(edition, step.to, day) === 'now') found.push(nowOf(edition, step.to, via));
        else further.push(via);
      }
    }
    paths = further;
  }
  return found;
}

/** More than any organisation was ever split into. */
const CODES_MAX = 10_000;

/** The replacements of a code until the day. */
function replacementsOf(edition: Edition, code: string, day: string): readonly Replacement[] {
  return successorsOf(edition, code).filter(({ day: start = '' }) => start <= day);
}

/** The codes that replaced a code, whichever of the two records states it. */
export function successorsOf({ relations }: RelatedCodes, from: string): readonly Replacement[] {
  const stated = statedBy(relations, from, 'Successor');
  const statedByOthers = statedAbout(relations, from, 'Predecessor');
  return distinct([...stated, ...statedByOthers].map(({ code, day }) => ({ from, to: code, day })));
}

/** The codes that a code replaced. */
export function predecessorsOf({ relations }: RelatedCodes, to: string): readonly Replacement[] {
  const stated = statedBy(relations, to, 'Predecessor');
  const statedByOthers = statedAbout(relations, to, 'Successor');
  return distinct([...statedByOthers, ...stated].map(({ code, day }) => ({ from: code, to, day })));
}

type RelatedCodes = Pick<Edition, 'relations'>;

/** The legal start. */
function startOf(periods: readonly PeriodRecord[]): string | undefined {
  return (firstPeriod(periods, 'Legal') ?? periods[0])?.start;
}

function statedBy(relations: Relations, code: string, wanted: SuccessionKind) {
  const row = relations.rowOf(code);
  return (row === undefined ? [] : relations.successionsOf(row))
    .filter(({ kind }) => kind === wanted)
    .map(({ target, periods }) => ({ code: target.code, day: startOf(periods) }));
}

function statedAbout(relations: Relations, code: string, wanted: SuccessionKind) {
  return relations
    .successionsTo(code)
    .filter(({ kind }) => kind === wanted)
    .map(({ sourceRow, periods }) => ({
      code: relations.codeOf(sourceRow),
      day: startOf(periods),
    }));
}

/** The first statement about two codes counts, or the first one with a day. */
function distinct(
  stated: readonly { from: string; to: string; day: string | undefined }[],
): readonly Replacement[] {
  const byCodes = new Map<string, Replacement>();
  for (const { from, to, day } of stated) {
    const key = `${from} ${to}`;
    const known = byCodes.get(key);
    if (from === to || known?.day !== undefined || (known !== undefined && day === undefined)) {
      continue;
    }
    byCodes.set(key, { from, to, ...(day !== undefined && { day }) });
  }
  return [...byCodes.values()];
}

/** Undefined if the edition has no record of the code. */
function inTimeOf(edition: Edition, code: string, day: string) {
  const row = edition.relations.rowOf(code);
  return row === undefined ? undefined : inTime(recordAt(edition, row), day);
}

function phaseOf(edition: Edition, code: string, day: string) {
  return inTimeOf(edition, code, day)?.phase;
}

function nowOf(edition: Edition, code: string, via: readonly Replacement[]): CodeNow {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return { code, ...(name !== undefined && { name }), via };
}
