/**
 * Measures the questions about codes and names and prints the figures as JSON:
 * `node bench/engine/codes.ts --data FOLDER`. Names get a mistake each, as people make them.
 */
import { parseArgs } from 'node:util';
import { type Random, randomFor } from '../../scripts/release/random.ts';
import { findEvents } from '../../src/directory/ask/events/find-events.ts';
import { membersOf } from '../../src/directory/ask/members-of.ts';
import { recordAt } from '../../src/directory/edition/edition-records.ts';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { MATCH } from '../../src/interfaces/questions/match-question.ts';
import type { Question, QuestionRow } from '../../src/interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../src/interfaces/questions/questions.ts';
import { collectGarbage } from '../../src/threads/collect-garbage.ts';
import { openSample } from '../data.ts';

export interface CodeFigures {
  readonly name: string;
  /** CPU seconds until the first answer, which reads what the others share. */
  readonly first: number;
  /** CPU microseconds for each of the others. */
  readonly each: number;
  /** Memory that the first answer keeps, in MB. */
  readonly memory: number;
}

const SEED = 28;
const ROWS = 10_000;
const DAY = '2026-11-24';
const PAGES = 200;
const PAGE_EVENTS = 100;

const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' } } });
const edition = await openSample(values.data);
const figures = [
  await measureQuestion('resolve', RESOLVE, codeOf),
  await measureQuestion('hierarchy', HIERARCHY, codeOf),
  await measureQuestion('match-name', MATCH, (random) => ({ name: misspelt(recordOf(random)) })),
  await measureQuestion('match-postcode', MATCH, (random) => {
    const record = recordOf(random);
    return { name: misspelt(record), postcode: record.address?.postalCode ?? '' };
  }),
  await measureEvents(),
  await measureMembers(),
];
process.stdout.write(`${JSON.stringify(figures)}\n`);

async function measureQuestion(
  name: string,
  question: Question,
  rowOf: (random: Random) => QuestionRow,
): Promise<CodeFigures> {
  const random = randomFor(SEED, 0);
  const rows = Array.from({ length: ROWS }, () => rowOf(random));
  const memory = memoryMb();
  const begin = cpuSeconds();
  const ask = await question.open(edition, DAY);
  ask(rows[0]!);
  const first = cpuSeconds() - begin;
  const grown = memoryMb() - memory;
  for (const row of rows) ask(row);
  const each = ((cpuSeconds() - begin - first) / ROWS) * 1e6;
  return { name, first, each, memory: Math.max(0, grown) };
}

/** Pages of a hundred events, each further back in time. */
async function measureEvents(): Promise<CodeFigures> {
  const page = (since: string) =>
    findEvents(edition, { since }, NO_HISTORY, { limit: PAGE_EVENTS });
  const memory = memoryMb();
  const begin = cpuSeconds();
  await page('2026-01-01');
  const first = cpuSeconds() - begin;
  const grown = memoryMb() - memory;
  for (let at = 0; at < PAGES; at++) await page(`${2000 + (at % 26)}-0${1 + (at % 9)}-01`);
  const each = ((cpuSeconds() - begin - first) / PAGES) * 1e6;
  return { name: 'events', first, each, memory: Math.max(0, grown) };
}

/** The members of the largest region: found once, and then kept. */
async function measureMembers(): Promise<CodeFigures> {
  const regions = edition.links
    .frequentTargets(0)
    .toSorted((a, b) => b.ordinals.length - a.ordinals.length)
    .filter(({ code }) => isRegion(code));
  const codes = regions.slice(0, 1).map(({ code }) => code);
  const memory = memoryMb();
  const begin = cpuSeconds();
  await membersOf(edition, codes, DAY);
  const first = cpuSeconds() - begin;
  const grown = memoryMb() - memory;
  for (let at = 0; at < ROWS; at++) await membersOf(edition, codes, DAY);
  const each = ((cpuSeconds() - begin - first) / ROWS) * 1e6;
  return { name: 'members', first, each, memory: Math.max(0, grown) };
}

function isRegion(code: string): boolean {
  const row = edition.links.rowOf(code);
  return row !== undefined && recordAt(edition, row).roles[0]?.code === '209';
}

function recordOf(random: Random): OrganizationRecord {
  return edition.rows.recordAt(random.below(edition.rows.count));
}

function codeOf(random: Random): QuestionRow {
  return { code: recordOf(random).code };
}

/** With two letters in the wrong order. */
function misspelt({ code, name = '' }: OrganizationRecord): string {
  const at = code.charCodeAt(code.length - 1) % Math.max(1, name.length - 1);
  return name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The heap and the arrays outside it, without garbage. */
function memoryMb(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
