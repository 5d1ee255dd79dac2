/** Checks order responses in a database: the list of writers, and all that both kinds of store have. */
import { CHAIN_START, type ChainHead, parseHead } from '../repository/audit-chain.ts';
import { ChainCheck, type ChainWords } from '../repository/chain-check.ts';
import type { FindingList } from '../repository/verification.ts';
import { each, type SqlSteps, sql } from '../sql/statement.ts';
import { OrdersCheck, type OrdersVerdict } from '../sql/verify.ts';
import type { VerifyOptions } from '../store.ts';
import { binaryOf, type HeadMark } from './audit-writers.ts';
import { POSTGRES } from './search-values.ts';
import {
  emptiedFinding,
  epochFinding,
  placeFinding,
  SELECT_EMPTIED,
  SELECT_EPOCHS,
  SELECT_MISPLACED,
} from './verify-feed.ts';
import { triggerFindings } from './verify-triggers.ts';

/** Reads everything once, in little memory. Call it in a transaction with one snapshot. */
export function* verifyOrders(
  key: Uint8Array,
  { expectedHead, stopped }: VerifyOptions = {},
): SqlSteps<OrdersVerdict> {
  const check = new OrdersCheck(POSTGRES, stopped);
  const { writers, head } = yield* checkWriters(key, check.findings, expectedHead);
  yield* check.checkEntries(writers.keys(), (writer) => {
    const { start, noted } = writers.get(writer) ?? { start: CHAIN_START };
    if (!writers.has(writer)) {
      check.findings.add(`the audit log has entries of the unknown writer ${writer}`);
    }
    const expected = noted && { head: noted, namedBy: 'the list of the writers' };
    return { key, start, expected, words: wordsOf(writer) };
  });
  yield* check.checkRows(Number.POSITIVE_INFINITY);
  yield* check.each(SELECT_EPOCHS, epochFinding);
  yield* check.each(SELECT_MISPLACED, placeFinding);
  yield* check.each(SELECT_EMPTIED, emptiedFinding);
  for (const finding of yield* triggerFindings()) check.findings.add(finding);
  return yield* check.verdict(head);
}

interface Writer {
  /** The head before its first entry. */
  readonly start: ChainHead;
  /** The last head that the list of writers notes. */
  noted?: ChainHead;
}

/** By writer. */
type Heads = Readonly<Record<string, string>>;

const LIST_WORDS: ChainWords = {
  chain: 'the list of the writers of the audit log',
  entry: 'in the list of the writers of the audit log, line',
  entries: 'in the list of the writers of the audit log, lines',
};

function* checkWriters(
  key: Uint8Array,
  findings: FindingList,
  expectedHead: ChainHead | undefined,
): SqlSteps<{ readonly writers: ReadonlyMap<number, Writer>; readonly head: ChainHead }> {
  const expected = expectedHead && { head: expectedHead, namedBy: '--head' };
  const chain = new ChainCheck({ key, findings, expected, words: LIST_WORDS });
  const writers = new Map<number, Writer>();
  const lost: Heads[] = [];
  const query = sql`SELECT number, recorded_at, entry, mac FROM audit_writer ORDER BY number`;
  yield* each(query, (row) => {
    chain.check(row);
    const line = lineIn(String(row.entry));
    if (line.heads === undefined) {
      writers.set(Number(row.number), { start: { number: 0, mac: binaryOf(row.mac) } });
      return;
    }
    if (line.isConfirmed) lost.length = 0;
    if (line.isLost) lost.push(line.heads);
    else noteIn(writers, line.heads);
  });
  for (const heads of lost) noteIn(writers, heads);
  return { writers, head: chain.end() };
}

function noteIn(writers: ReadonlyMap<number, Writer>, heads: Heads): void {
  for (const [writer, text] of Object.entries(heads)) {
    const known = writers.get(Number(writer));
    const head = parseHead(text);
    if (known !== undefined && head !== undefined && head.number > 0) known.noted = head;
  }
}

/** A line that cannot be read was changed, which is a finding of the chain. */
function lineIn(text: string): { readonly heads?: Heads } & HeadMark {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function wordsOf(writer: number): ChainWords {
  return {
    chain: `the audit log of writer ${writer}`,
    entry: `of writer ${writer}, audit entry`,
    entries: `of writer ${writer}, audit entries`,
  };
}
