/** Checks order responses in a database: the list of writers, and all that both kinds of store have. */
import { CHAIN_START, type ChainHead, parseHead } from '../../repository/audit-chain.ts';
import { ChainCheck, type ChainWords } from '../../repository/chain-check.ts';
import { all, each, plain, type Row, type SqlSteps, sql } from '../../repository/statement.ts';
import type { FindingList, VerifyOptions } from '../../repository/verification.ts';
import { OrdersCheck, type OrdersVerdict, RESOURCE_NAME } from '../../sql/verify.ts';
import { DATABASE_MIGRATIONS } from '../schema/schema.ts';
import { binaryOf, type HeadMark } from '../tables/audit-writers.ts';
import { POSTGRES } from '../tables/postgres-dialect.ts';

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

/** The versions of each server whose place in the feed is before that of an earlier one. */
const SELECT_DISORDER = sql`
  SELECT name FROM (
    SELECT v.audit_number, 'version ' || v.version || ' of ' ||
        ${RESOURCE_NAME} AS name,
      lag(v.audit_number) OVER (PARTITION BY v.audit_writer ORDER BY v.epoch, v.xid, v.key) AS before
    FROM resource_version AS v
    -- A move of a data folder writes versions of several writers in the name of one.
    JOIN audit_writer AS w ON w.number = v.audit_writer AND w.entry LIKE '%"baseUrl":%'
    LEFT JOIN resource AS r ON r.key = v.resource
  ) AS each WHERE before > audit_number`;

/** Versions of an epoch that does not exist, or of a transaction that the server has not yet run. */
const SELECT_STRANGE_PLACES = sql`
  SELECT 'version ' || v.version || ' of ' ||
    ${RESOURCE_NAME} AS name
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN database_epoch AS e ON e.epoch = v.epoch
  WHERE e.epoch IS NULL OR (
    v.xid >= pg_snapshot_xmax(pg_current_snapshot())
    AND v.epoch = (SELECT max(epoch) FROM database_epoch)
    AND e.system_identifier = (SELECT system_identifier FROM pg_control_system()))`;

const SELECT_MISPLACED = sql`${SELECT_DISORDER} UNION ${SELECT_STRANGE_PLACES}`;

function placeFinding({ name }: Row): string {
  return `the place of ${name} in the order of changes was changed`;
}

const SELECT_EPOCHS = sql`
  SELECT max(epoch) AS last FROM database_epoch
  HAVING count(*) > 0 AND (min(epoch) <> 1 OR max(epoch) <> count(*))`;

function epochFinding({ last }: Row): string {
  return `the epochs of the database up to ${last} have gaps: an epoch was changed or removed`;
}

/** Whether writers or entries are gone altogether, although a server has written. */
// A sequence keeps its place when rows are removed.
const WAS_USED = plain(`pg_sequence_last_value('resource_key_seq') IS NOT NULL`);

const SELECT_EMPTIED = sql`
  SELECT what FROM (VALUES
    ('the list of the writers of the audit log',
      EXISTS (SELECT 1 FROM database_epoch) OR ${WAS_USED}, EXISTS (SELECT 1 FROM audit_writer)),
    ('the audit log', ${WAS_USED}, EXISTS (SELECT 1 FROM audit_entry))
  ) AS part (what, is_expected, is_found) WHERE is_expected AND NOT is_found`;

function emptiedFinding({ what }: Row): string {
  return `${what} is empty, although a server has used the database: its rows were removed, unless all writes failed`;
}

/** Missing, disabled, changed and unexpected triggers, and changed functions of triggers. */
function* triggerFindings(): SqlSteps<readonly string[]> {
  const expected = expectedTriggers();
  const rows = yield* all(SELECT_TRIGGERS);
  const found = new Map(rows.map((row) => [String(row.name), foundTrigger(row)]));
  return [
    ...[...expected]
      .filter(([name, text]) => found.get(name) !== text)
      .map(([name]) => `the trigger ${name} of the schema was changed, disabled or removed`),
    ...[...found.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `the trigger ${name} is not part of the schema`),
  ];
}

const SCHEMA = DATABASE_MIGRATIONS.map(({ sql }) => sql).join('\n');

const TABLES = [...SCHEMA.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name);

const SELECT_TRIGGERS = sql`
  SELECT t.tgname AS name, pg_get_triggerdef(t.oid, true) AS definition, p.prosrc AS body,
    t.tgenabled IN ('O', 'A') AS is_enabled
  FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
  WHERE NOT t.tgisinternal
    AND t.tgrelid IN (SELECT to_regclass(name) FROM unnest(${`{${TABLES.join(',')}}`}::text[]) AS n (name))`;

function foundTrigger({ definition, body, is_enabled }: Row): string | undefined {
  return is_enabled === true ? triggerText(String(definition), String(body)) : undefined;
}

/** By name. */
function expectedTriggers(): ReadonlyMap<string, string> {
  const functions = SCHEMA.matchAll(
    /CREATE (?:OR REPLACE )?FUNCTION (\w+)\(\) RETURNS trigger LANGUAGE plpgsql AS \$\$(.*?)\$\$;/gs,
  );
  const bodies = new Map([...functions].map(([, name, body = '']) => [name, body]));
  const triggers = SCHEMA.matchAll(/(CREATE TRIGGER (\w+) .*? EXECUTE FUNCTION (\w+)\(.*?\));/gs);
  return new Map(
    [...triggers].map(([, definition = '', name = '', action]) => [
      name,
      triggerText(definition, bodies.get(action) ?? ''),
    ]),
  );
}

/** PostgreSQL always names the events in the same order. */
function triggerText(definition: string, body: string): string {
  const inOneLine = definition.replaceAll(/\s+/g, ' ');
  return `${inOneLine.replace('UPDATE OR DELETE', 'DELETE OR UPDATE')}\n${body}`;
}
