/**
 * What an organisation belongs to on a day: its levels upwards. Every interface, page, command and
 * file asks here.
 */
import { type Edition, perEdition } from '../edition/edition.ts';
import { namedCode } from '../edition/source-record.ts';
import { prefixedId } from '../record/ids.ts';
import type { NamedCode } from '../record/named-code.ts';
import type { Level } from './answers.ts';
import { NETWORK, PARTNER_TO, type Way, type WaysUp, waysUpOn } from './ways-up.ts';

/** The bodies of which an organisation belongs to one each, by their primary roles without `RO`. */
const BODIES: Readonly<Record<string, 'subIcb' | 'icb' | 'region'>> = {
  '319': 'subIcb',
  // A clinical commissioning group, and the part of a board that has its code.
  '98': 'subIcb',
  '318': 'icb',
  // A strategic partnership, and the board that has its code.
  '261': 'icb',
  '209': 'region',
};

/**
 * From the nearest level upwards. Empty if nothing is in force. `row` is numbered as in `links`.
 *
 * - An organisation belongs to those that commission it, operate it, direct it, that it is a part of
 *   or located in, and to what these belong to. `waysUpOn` has the order, and what counts of a
 *   closed organisation.
 * - It has one sub-ICB location, one board and one region: those that it names itself, and what they
 *   name. Only if it names none of the three, the nearest other level that names one decides.
 * - Its network counts, but not what the network belongs to.
 */
export function belongsTo(edition: Edition, row: number, day: string): readonly Level[] {
  const nameOf = keptNames(edition);
  return climb(waysUpOn(edition, day), row).map(({ type, to, role }): Level => {
    const { code, name } = nameOf(to);
    return {
      code,
      ...(name !== undefined && { name }),
      ...(role !== undefined && { role: prefixedId('RO', role) }),
      by: prefixedId('RE', type),
    };
  });
}

/** The ways to all levels, from the nearest upwards. */
export function climb(waysUp: WaysUp, row: number): readonly Way[] {
  const found: Way[] = [];
  const listed = new Set([row]);
  const met = new Set([row]);
  const bodies = new Set<number>();
  const kinds = new Set<string>();
  /** The first that names a body. After it, only bodies name others. */
  let decider: number | undefined;
  const waiting = [row];
  for (const at of waiting) {
    for (const way of waysUp(at)) {
      const { to, type, role = '' } = way;
      if (type !== PARTNER_TO) {
        if (met.has(to)) continue;
        const kind = BODIES[role];
        if (kind !== undefined) {
          const decides = decider === undefined || decider === at || bodies.has(at);
          if (kinds.has(kind) || !decides) continue;
          decider ??= at;
          kinds.add(kind);
          bodies.add(to);
        }
        met.add(to);
        waiting.push(to);
      }
      if (listed.has(to)) continue;
      listed.add(to);
      found.push(way);
    }
  }
  return found;
}

/** The codes and names of levels, because the same few are asked for again and again. */
const keptNames = perEdition((edition) => {
  const { links } = edition;
  const kept = new Map<number, NamedCode>();
  return (target: number): NamedCode => {
    const known = kept.get(target);
    if (known !== undefined) return known;
    const named = namedCode(edition, links.codeOfTarget(target));
    if (kept.size >= NAMES_MAX) kept.clear();
    kept.set(target, named);
    return named;
  };
});

/** About 2 MB. */
const NAMES_MAX = 10_000;

/** The codes of the board and the region among the levels, without the names of all levels. */
export function boardAndRegionOf(
  edition: Edition,
  row: number,
  day: string,
): { readonly board: string | undefined; readonly region: string | undefined } {
  const ways = climb(waysUpOn(edition, day), row);
  const codeOf = (body: string) => {
    const way = ways.find(({ role = '' }) => BODIES[role] === body);
    return way && edition.links.codeOfTarget(way.to);
  };
  return { board: codeOf('icb'), region: codeOf('region') };
}

/** The levels that tables have columns for, by their primary roles or the relationship to them. */
const LEVELS = {
  operator: ({ type }) => type === '6',
  network: ({ role }) => role === NETWORK,
  subIcb: isBody('subIcb'),
  icb: isBody('icb'),
  region: isBody('region'),
} satisfies Readonly<Record<string, (way: LevelParts) => boolean>>;

function isBody(kind: string) {
  return ({ role = '' }: LevelParts) => BODIES[role] === kind;
}

/** What decides which column a level is in: codes without `RE` and `RO`. */
type LevelParts = Pick<Way, 'type' | 'role'>;

export type LevelName = keyof typeof LEVELS;

/** From the nearest upwards. */
export const LEVEL_NAMES = Object.keys(LEVELS) as readonly LevelName[];

export function levelNamed(levels: readonly Level[], name: LevelName): Level | undefined {
  const isNamed: (parts: LevelParts) => boolean = LEVELS[name];
  return levels.find(({ by, role }) => isNamed({ type: bare(by), role: role && bare(role) }));
}

/** The same of `climb`. */
export function wayNamed(ways: readonly Way[], name: LevelName): Way | undefined {
  const isNamed: (parts: LevelParts) => boolean = LEVELS[name];
  return ways.find(isNamed);
}

/** A code without `RE` or `RO`. */
function bare(id: string): string {
  return id.slice('RE'.length);
}
