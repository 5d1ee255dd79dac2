/** The tools that count organisations. */

import { climb, type LevelName, wayNamed } from '../../../directory/ask/belongs-to.ts';
import { levelColumn } from '../../../directory/ask/members-of.ts';
import { waysUpOn } from '../../../directory/ask/ways-up.ts';
import { type Edition, perEdition, requireLinks } from '../../../directory/edition/edition.ts';
import { namedCode } from '../../../directory/edition/source-record.ts';
import { primaryRoleOf } from '../../../directory/record/record-facts.ts';
import { perShape } from '../../../directory/record/rows.ts';
import { currentOf } from '../../answer/editions.ts';
import { arrayOf, DATE, TEXT } from '../../json/json-schema.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { DAY_INPUT, dayOn } from './days.ts';
import { choiceInput, optionalInput } from './inputs.ts';
import { memberCriterion } from './members.ts';
import { rolesTool } from './roles.ts';
import { roleNamed, STATUSES } from './rows.ts';
import { COUNT, resultOf } from './schemas.ts';
import { CODE_INPUT, SEARCH_INPUTS, searchCriteria } from './search.ts';
import { createTool, type Tool, type ToolCall } from './tool.ts';

/** What organisations are counted by: their primary role, status, or a level that they belong to. */
const GROUPS = ['role', 'status', 'subIcb', 'icb', 'region', 'network', 'operator'] as const;

export function countTools(directory: AssistantDirectory): readonly Tool[] {
  return [countsTool(directory), rolesTool(directory)];
}

function countsTool(directory: AssistantDirectory): Tool {
  const { editions } = directory;
  return createTool({
    name: 'counts',
    title: 'Counts of organisations',
    description:
      'Counts organisations by their primary role, status, or what they belong to, such as ' +
      'the practices (role GP practice) of each integrated care board (by icb); the largest ' +
      'number first. Organisations without such a level are counted in without.',
    inputs: {
      by: choiceInput('What the counts are by.', GROUPS),
      of: optionalInput(CODE_INPUT),
      ...SEARCH_INPUTS,
      on: DAY_INPUT,
    },
    output: resultOf(
      {
        on: DATE,
        total: COUNT,
        counts: arrayOf(resultOf({ key: TEXT, name: TEXT, count: COUNT }, ['key', 'count'])),
        without: COUNT,
      },
      ['on', 'total', 'counts'],
    ),
    answer: async ({ by, of, on, ...wanted }, call) => {
      const edition = currentOf(editions);
      const day = dayOn(directory, on);
      const criteria = [
        ...searchCriteria(directory, edition, wanted),
        ...(of === undefined
          ? []
          : [await memberCriterion(directory, edition, of, on, call.signal)]),
      ];
      const { total, rows } = edition.index.search({ criteria }, 0, edition.index.count);
      const counts = await countedBy(by, { edition, rows, day, call });
      const counted = counts.reduce((sum, { count }) => sum + count, 0);
      return {
        on: day,
        total,
        counts: counts.toSorted(byCount),
        ...(counted < total && { without: total - counted }),
      };
    },
  });
}

interface Count {
  /** `RO177`, `active`, or the code of an organisation. */
  readonly key: string;
  readonly name?: string;
  readonly count: number;
}

interface Counted {
  readonly edition: Edition;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly day: string;
  readonly call: ToolCall;
}

async function countedBy(by: (typeof GROUPS)[number], counted: Counted): Promise<Count[]> {
  const { edition } = counted;
  switch (by) {
    case 'status': {
      const counts = await countedByKey(statusOf(edition), counted);
      return STATUSES.map((key) => ({ key, count: counts.get(key) ?? 0 }));
    }
    case 'role': {
      const counts = await countedByKey(mainRoleOf(edition), counted);
      counts.delete(NO_ROLE);
      return Array.from(counts, ([code, count]) => {
        const { role, roleName } = roleNamed(edition, code);
        return { key: role, ...(roleName !== undefined && { name: roleName }), count };
      });
    }
    default:
      return countedByLevel(by, counted);
  }
}

const statusOf = perEdition(({ rows }) =>
  perShape(rows, ({ isActive }): string => (isActive ? 'active' : 'inactive')),
);

const NO_ROLE = '';

const mainRoleOf = perEdition(({ rows }) =>
  perShape(rows, (shape) => primaryRoleOf(shape)?.code ?? NO_ROLE),
);

async function countedByKey<Key>(
  keyOf: (row: number) => Key,
  { rows, call }: Counted,
): Promise<Map<Key, number>> {
  const counts = new Map<Key, number>();
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await call.pause();
    const key = keyOf(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A millisecond's work. */
const ROWS_AT_ONCE = 50;

async function countedByLevel(level: LevelName, counted: Counted): Promise<Count[]> {
  const { edition } = counted;
  const links = requireLinks(edition);
  const counts = await countedByKey(await levelOf(level, counted), counted);
  counts.delete(NO_LEVEL);
  return Array.from(counts, ([target, count]) => {
    const { code: key, name } = namedCode(edition, links.codeOfTarget(target));
    return { key, ...(name !== undefined && { name }), count };
  });
}

/** Its number as a target of relationships. */
async function levelOf(
  level: LevelName,
  { edition, rows, day, call }: Counted,
): Promise<(row: number) => number> {
  if (rows.length <= ASKED_MAX) {
    const waysUp = waysUpOn(edition, day);
    return (row) => wayNamed(climb(waysUp, row), level)?.to ?? NO_LEVEL;
  }
  const column = await levelColumn(edition, level, day, call.signal);
  return (row) => column[row] ?? NO_LEVEL;
}

const NO_LEVEL = -1;

/** To ask more takes as long as to ask all and keep the answers. */
const ASKED_MAX = 20_000;

function byCount(one: Count, other: Count): number {
  return other.count - one.count || (one.key < other.key ? -1 : 1);
}
