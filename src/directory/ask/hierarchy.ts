/** What an organisation belongs to on a day, from the nearest level upwards. */
import type { Edition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { relationshipsOf } from '../edition/source-record.ts';
import type { RelatedTarget } from '../links/edition-links.ts';
import { prefixedId } from '../record/ids.ts';
import { inTime } from '../record/in-force.ts';
import { primaryRoleOf } from '../record/record-facts.ts';
import type { Level } from './answers.ts';

/** A step upwards: the types of relationships in their order, and the primary roles of targets. */
interface UpwardStep {
  /** The primary roles of organisations that the step is for. Absent: all others. */
  readonly roles?: readonly string[];
  /** The first type that the organisation has on the day counts. */
  readonly ways: readonly { readonly type: string; readonly targets?: readonly string[] }[];
}

/** The role of a primary care network. */
export const NETWORK = '272';

/** Codes without `RO` and `RE`. The first step whose roles match is taken. */
const UPWARD_STEPS: readonly UpwardStep[] = [
  // A practice: its network, else its commissioner.
  {
    roles: ['177'],
    ways: [{ type: '8', targets: [NETWORK] }, { type: '4' }],
  },
  // A network, a pharmacy, a dental practice or an optician.
  { roles: [NETWORK, '182', '110', '167'], ways: [{ type: '4' }, { type: '6' }, { type: '5' }] },
  // A trust, a part of a board, a commissioning group or a board.
  { roles: ['197', '107', '319', '98', '318', '261'], ways: [{ type: '5' }, { type: '2' }] },
  // A site or anything else: its operator, what it is a part of, what commissions it, where it is.
  { ways: ['6', '2', '4', '3', '5'].map((type) => ({ type })) },
];

/**
 * Empty if nothing is in force. `row` is numbered as in `links`. If a network says nothing about
 * its commissioner, the commissioner of the practice follows.
 */
export function levelsOf(edition: Edition, row: number, day: string): readonly Level[] {
  const levels: Level[] = [];
  // Ends circles.
  const met = new Set([edition.links.codeOf(row)]);
  let waiting = waysUp(edition, row, day);
  while (waiting.length > 0) {
    const [{ type, target }, ...others] = waiting as [Way, ...Way[]];
    if (met.has(target.code)) waiting = others;
    else {
      met.add(target.code);
      levels.push(levelOf(edition, target, type));
      const further = target.row === undefined ? [] : waysUp(edition, target.row, day);
      const isSilent = further.length === 0 && target.primaryRole === NETWORK;
      waiting = isSilent ? others : further;
    }
  }
  return levels;
}

interface Way {
  readonly type: string;
  readonly target: RelatedTarget;
}

/** The relationships in force that lead upwards, one of each way: the one that began last. */
function waysUp(edition: Edition, row: number, day: string): readonly Way[] {
  const role = primaryRoleOf(recordAt(edition, row))?.code ?? '';
  const step = UPWARD_STEPS.find(({ roles }) => roles === undefined || roles.includes(role));
  const inForce = relationshipsOf(edition, row)
    .map((relationship) => ({ ...relationship, ...inTime(relationship, day) }))
    .filter(({ phase }) => phase === 'now')
    .toSorted((a, b) => (b.period?.start ?? '').localeCompare(a.period?.start ?? ''));
  return (step?.ways ?? []).flatMap(({ type, targets }) => {
    const found = inForce.find(
      (each) =>
        each.type === type &&
        (targets === undefined || targets.includes(each.target.primaryRole ?? '')),
    );
    return found ?? [];
  });
}

function levelOf(edition: Edition, { code, row, primaryRole }: RelatedTarget, by: string): Level {
  const record = row === undefined ? undefined : recordAt(edition, row);
  const role = (record && primaryRoleOf(record)?.code) ?? primaryRole;
  return {
    code,
    ...(record?.name !== undefined && { name: record.name }),
    ...(role !== undefined && { role: prefixedId('RO', role) }),
    by: prefixedId('RE', by),
  };
}

/** The levels that tables have columns for, by their primary roles or the relationship to them. */
const LEVELS = {
  operator: ({ by }) => by === 'RE6',
  network: ({ role }) => role === 'RO272',
  subIcb: ({ role }) => role === 'RO319' || role === 'RO98',
  icb: ({ role }) => role === 'RO318' || role === 'RO261',
  region: ({ role }) => role === 'RO209',
} satisfies Readonly<Record<string, (level: Level) => boolean>>;

export type LevelName = keyof typeof LEVELS;

/** From the nearest upwards. */
export const LEVEL_NAMES = Object.keys(LEVELS) as readonly LevelName[];

export function levelNamed(levels: readonly Level[], name: LevelName): Level | undefined {
  return levels.find(LEVELS[name]);
}
