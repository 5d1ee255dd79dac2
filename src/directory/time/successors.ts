/** Which code an organisation has now, or had on a day: codes are replaced, split and merged. */
import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import type { CodeNow, Replacement, ResolvedCode } from './answers.ts';
import { inTime } from './in-force.ts';

/** `code` as records have it. `day`: `YYYY-MM-DD`. */
export function resolveCode(edition: Edition, code: string, day: string): ResolvedCode {
  const own = phaseOf(edition, code, day);
  if (own === 'now') return { code, outcome: 'current', now: [nowOf(edition, code, [])] };
  const now = own === 'later' ? [] : openSuccessors(edition, code, day);
  if (now.length > 0) return { code, outcome: now.length > 1 ? 'split' : 'replaced', now };
  return { code, outcome: own === 'past' ? 'closed' : 'unknown', now };
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

/** The replacements of a code until the day, whichever of the two records states them. */
function replacementsOf(
  { relations }: Pick<Edition, 'relations'>,
  from: string,
  day: string,
): readonly Replacement[] {
  const row = relations.rowOf(from);
  const own = row === undefined ? [] : relations.successionsOf(row);
  const stated = own
    .filter(({ kind }) => kind === 'Successor')
    .map(({ target, periods }) => ({ to: target.code, periods }));
  const statedByOthers = relations
    .successionsTo(from)
    .filter(({ kind }) => kind === 'Predecessor')
    .map(({ sourceRow, periods }) => ({ to: relations.codeOf(sourceRow), periods }));
  const byCode = new Map<string, Replacement>();
  for (const { to, periods } of [...stated, ...statedByOthers]) {
    const start = (periods.find(({ kind }) => kind === 'Legal') ?? periods[0])?.start;
    if ((start !== undefined && start > day) || byCode.has(to)) continue;
    byCode.set(to, { from, to, ...(start !== undefined && { day: start }) });
  }
  return [...byCode.values()];
}

/** Undefined if the edition has no record of the code. */
function phaseOf(edition: Edition, code: string, day: string) {
  const row = edition.relations.rowOf(code);
  return row === undefined ? undefined : inTime(recordAt(edition, row), day).phase;
}

function nowOf(edition: Edition, code: string, via: readonly Replacement[]): CodeNow {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return { code, ...(name !== undefined && { name }), via };
}
