/** The predecessors and successors of an organisation, as a timeline. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { RelatedTarget } from '../../directory/edition/relations.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  SuccessionKind,
} from '../../directory/record/record.ts';
import type { Addresses } from '../addresses.ts';
import { formatDate } from '../display.ts';
import { type RelatedOrganization, relatedOrganization } from './related-organization.ts';

export interface Successor extends RelatedOrganization {
  /** For people; absent if the directory does not know it. */
  readonly date: string | undefined;
}

export interface Successions {
  readonly predecessors: readonly Successor[];
  readonly successors: readonly Successor[];
}

/** The most successors or predecessors on a page. The directory has few for a code. */
const SHOWN_MAX = 100;

/** The successions that records of the edition state about the code, the earliest first. */
export function successionsOf(edition: Edition, code: string, addresses: Addresses): Successions {
  const { relations } = edition;
  const row = relations.rowOf(code);
  const stated = row === undefined ? [] : relations.successionsOf(row);
  const found = [
    ...stated.map(({ kind, periods, target }) => ({ kind, periods, target })),
    ...relations.successionsTo(code).map(({ kind, periods, sourceRow }) => ({
      kind: OTHER_SIDE[kind],
      periods,
      target: { code: relations.codeOf(sourceRow), row: sourceRow },
    })),
  ];
  const shown = (wanted: SuccessionKind) =>
    distinct(found.filter(({ kind, target }) => kind === wanted && target.code !== code))
      .toSorted((a, b) => startOf(a).localeCompare(startOf(b)))
      .slice(0, SHOWN_MAX)
      .map((one) => ({
        ...relatedOrganization(edition, one.target, addresses),
        date: startOf(one) === '' ? undefined : formatDate(startOf(one)),
      }));
  return { predecessors: shown('Predecessor'), successors: shown('Successor') };
}

const OTHER_SIDE = { Predecessor: 'Successor', Successor: 'Predecessor' } as const;

/** When an inactive organisation closed; undefined if it is active or the date is not known. */
export function closedOn({ isActive, periods }: OrganizationRecord): string | undefined {
  if (isActive) return undefined;
  const end = periods.find((period) => period.end !== undefined)?.end;
  return end === undefined ? undefined : formatDate(end);
}

interface Stated {
  readonly kind: SuccessionKind;
  readonly periods: readonly PeriodRecord[];
  readonly target: RelatedTarget;
}

/** Both organisations can state the same succession. */
function distinct(found: readonly Stated[]): Stated[] {
  const byCode = new Map<string, Stated>();
  for (const one of found) {
    const known = byCode.get(one.target.code);
    if (known === undefined || known.periods.length === 0) byCode.set(one.target.code, one);
  }
  return [...byCode.values()];
}

function startOf({ periods }: Stated): string {
  return periods[0]?.start ?? '';
}
