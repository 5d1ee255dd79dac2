/** Compares the triggers with those of the migrations. */
import { all, type Row, type SqlSteps, sql } from '../sql/statement.ts';
import { DATABASE_MIGRATIONS } from './schema.ts';

/** Missing, disabled, changed and unexpected triggers, and changed functions of triggers. */
export function* triggerFindings(): SqlSteps<readonly string[]> {
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
