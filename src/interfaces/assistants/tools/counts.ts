/** The tools that count organisations. */

import { belongsTo, type LevelName, levelNamed } from '../../../directory/ask/belongs-to.ts';
import { type Edition, requireLinks } from '../../../directory/edition/edition.ts';
import {
  type DirectoryCriterion,
  tokenCriterion,
} from '../../../directory/index/organization-index.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
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
        ...(of === undefined ? [] : [await memberCriterion(directory, edition, of, on)]),
      ];
      const { total } = edition.index.search({ criteria }, 0, 0);
      const counts = await countedBy(by, { edition, criteria, day, call });
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
  readonly criteria: readonly DirectoryCriterion[];
  readonly day: string;
  readonly call: ToolCall;
}

async function countedBy(by: (typeof GROUPS)[number], counted: Counted): Promise<Count[]> {
  const { edition, criteria } = counted;
  if (by === 'role') return countedByRole(counted);
  if (by !== 'status') return countedByLevel(by, counted);
  return STATUSES.map((status) => ({
    key: status,
    count: countOf(edition, [...criteria, STATUS_CRITERIA[status]]),
  }));
}

async function countedByRole({ edition, criteria, call }: Counted): Promise<Count[]> {
  const counts: Count[] = [];
  for (const code of edition.roleCodes()) {
    await call.pause();
    const count = countOf(edition, [...criteria, tokenCriterion('primaryRole', [code])]);
    if (count === 0) continue;
    const { role, roleName } = roleNamed(edition, code);
    counts.push({ key: role, ...(roleName !== undefined && { name: roleName }), count });
  }
  return counts;
}

const STATUS_CRITERIA = {
  active: tokenCriterion('active', ['true']),
  inactive: tokenCriterion('active', ['false']),
};

function countOf({ index }: Edition, criteria: readonly DirectoryCriterion[]): number {
  return index.search({ criteria }, 0, 0).total;
}

/** Asks each organisation what it belongs to. */
async function countedByLevel(
  level: LevelName,
  { edition, criteria, day, call }: Counted,
): Promise<Count[]> {
  requireLinks(edition);
  const { total, rows } = edition.index.search({ criteria }, 0, ASKED_MAX);
  if (total > ASKED_MAX) {
    throw FhirError.of(
      'too-costly',
      `Counts by ${level} are of at most ${ASKED_MAX} organisations. These are ${total}: give a role, a status or of.`,
    );
  }
  const counts = new Map<string, Count>();
  for (const row of rows) {
    await call.pause();
    const found = levelNamed(belongsTo(edition, row, day), level);
    if (found === undefined) continue;
    const { code: key, name } = found;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { key, ...(name !== undefined && { name }), count });
  }
  return [...counts.values()];
}

/** Asking so many takes half a second, in pieces. */
const ASKED_MAX = 50_000;

function byCount(one: Count, other: Count): number {
  return other.count - one.count || (one.key < other.key ? -1 : 1);
}
