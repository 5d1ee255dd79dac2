/** Which code an organisation has now, or had on a day: codes are replaced, split and merged. */
import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { namedCode } from '../edition/source-record.ts';
import type { EditionLinks } from '../links/edition-links.ts';
import { inTime } from '../record/in-force.ts';
import type { PeriodRecord, SuccessionKind, SuccessionRecord } from '../record/record.ts';
import { firstPeriod } from '../record/record-facts.ts';
import type { CodeNow, Replacement, ResolvedCode } from './answers.ts';

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
export function successorsOf({ links }: RelatedCodes, from: string): readonly Replacement[] {
  const { own, others } = statementsAbout(links, from);
  return replacements([...own, ...others], 'Successor', (to) => ({ from, to }));
}

/** The codes that a code replaced. */
export function predecessorsOf({ links }: RelatedCodes, to: string): readonly Replacement[] {
  const { own, others } = statementsAbout(links, to);
  return replacements([...others, ...own], 'Predecessor', (from) => ({ from, to }));
}

type RelatedCodes = Pick<Edition, 'links'>;

/** A succession as one of its organisations sees it: the kind and the code of the other one. */
interface OwnSuccession extends Pick<SuccessionRecord, 'kind' | 'periods'> {
  readonly code: string;
}

/** The successions that either organisation states, each once. */
export function allSuccessions({ links }: RelatedCodes, row: number): readonly OwnSuccession[] {
  const { own, others } = statementsAbout(links, links.codeOf(row));
  const all = [...own, ...others];
  return [...new Map(all.map((each) => [`${each.kind} ${each.code}`, each])).values()];
}

/** What the record of a code states, and what other records state about it, both as the code sees it. */
function statementsAbout(links: EditionLinks, code: string) {
  const row = links.rowOf(code);
  const own = (row === undefined ? [] : links.successionsOf(row)).map(
    ({ kind, periods, target }): OwnSuccession => ({ kind, periods, code: target.code }),
  );
  const others = links.successionsTo(code).map(
    ({ kind, periods, sourceRow }): OwnSuccession => ({
      kind: kind === 'Successor' ? 'Predecessor' : 'Successor',
      periods,
      code: links.codeOf(sourceRow),
    }),
  );
  return { own, others };
}

/** The first statement about two codes counts, or the first one with a day, which is the legal start. */
function replacements(
  stated: readonly OwnSuccession[],
  wanted: SuccessionKind,
  codesOf: (other: string) => { readonly from: string; readonly to: string },
): readonly Replacement[] {
  const byCode = new Map<string, Replacement>();
  for (const { kind, code, periods } of stated) {
    const { from, to } = codesOf(code);
    if (kind !== wanted || from === to) continue;
    const known = byCode.get(code);
    const day = successionDay(periods);
    if (known === undefined || (known.day === undefined && day !== undefined)) {
      byCode.set(code, { from, to, ...(day !== undefined && { day }) });
    }
  }
  return [...byCode.values()];
}

/** The legal start of a succession, or its only one. */
export function successionDay(periods: readonly PeriodRecord[]): string | undefined {
  return (firstPeriod(periods, 'Legal') ?? periods[0])?.start;
}

/** Undefined if the edition has no record of the code. */
function inTimeOf(edition: Edition, code: string, day: string) {
  const row = edition.links.rowOf(code);
  return row === undefined ? undefined : inTime(recordAt(edition, row), day);
}

function phaseOf(edition: Edition, code: string, day: string) {
  return inTimeOf(edition, code, day)?.phase;
}

function nowOf(edition: Edition, code: string, via: readonly Replacement[]): CodeNow {
  return { ...namedCode(edition, code), via };
}
