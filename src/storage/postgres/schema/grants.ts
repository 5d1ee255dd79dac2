/** The rights of the roles of the database: SQL for its owner, and what a user lacks. */
import { StorageError } from '../../files/storage-error.ts';
import type { Connection } from '../connection/connection.ts';

/** `serve`: the server, and commands that read. `erase`: `orders erase`, and retention. */
export type DatabaseRole = 'serve' | 'erase';

/** By role and table. A role for erasure also needs the rights for serving. */
const RIGHTS: Readonly<Record<DatabaseRole, Readonly<Record<string, readonly string[]>>>> = {
  serve: {
    schema_version: ['SELECT'],
    database_epoch: ['SELECT', 'INSERT'],
    audit_writer: ['SELECT', 'INSERT'],
    audit_entry: ['SELECT', 'INSERT'],
    audit_parameters: ['SELECT', 'INSERT'],
    resource: ['SELECT', 'INSERT', 'UPDATE (current_version)'],
    resource_version: ['SELECT', 'INSERT'],
    erasure: ['SELECT'],
    version_erasure: ['SELECT'],
    hold: ['SELECT', 'INSERT', 'DELETE'],
    search_field: ['SELECT', 'INSERT'],
    search_entry: ['SELECT', 'INSERT', 'DELETE'],
    search_index: ['SELECT'],
    kept_search: ['SELECT', 'INSERT', 'DELETE'],
    edition: ['SELECT', 'INSERT', 'UPDATE (pruned_at)', 'UPDATE (checksum)'],
    edition_difference: ['SELECT', 'INSERT'],
    edition_chunk: ['SELECT', 'INSERT', 'DELETE'],
    publication: ['SELECT', 'INSERT'],
    postcode_part: ['SELECT', 'INSERT', 'DELETE'],
    practitioner_part: ['SELECT', 'INSERT', 'DELETE'],
    token_key: ['SELECT', 'INSERT'],
    fetch_state: ['SELECT', 'INSERT', 'UPDATE'],
    subscription_delivery: ['SELECT', 'INSERT', 'UPDATE'],
    delivery_lease: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    webhook_state: ['SELECT', 'INSERT', 'UPDATE'],
  },
  erase: {
    resource_version: ['UPDATE (text)'],
    erasure: ['INSERT'],
    version_erasure: ['INSERT'],
    audit_parameters: ['DELETE'],
  },
};

/** What an insert of a new resource takes its key from. */
const SEQUENCES = ['resource_key_seq'];

/** SQL that gives the rights to two roles. Run it after each migration. */
export function grantsSql(roles: Readonly<Record<DatabaseRole, string>>): string {
  const { serve, erase } = roles;
  return [
    '-- Run this as a superuser, or as the owner of the tables if that role has the admin option on',
    `-- ${quoted(serve)}: one role becomes a member of the other.`,
    `GRANT USAGE ON SCHEMA public TO ${quoted(serve)};`,
    ...grantsOf('serve', serve),
    `GRANT USAGE ON SEQUENCE ${SEQUENCES.join(', ')} TO ${quoted(serve)};`,
    '',
    `GRANT ${quoted(serve)} TO ${quoted(erase)};`,
    ...grantsOf('erase', erase),
    '',
  ].join('\n');
}

/** Throws if the user of the connection lacks a right of the role; the message names it. */
export async function requireRights(connection: Connection, role: DatabaseRole): Promise<void> {
  const needed = neededBy(role);
  const [row = {}] = await connection.query(
    `SELECT current_user AS name, (
       SELECT string_agg(right_name || ' on ' || table_name, ', ' ORDER BY at)
       FROM unnest($1::text[], $2::text[], $3::text[])
         WITH ORDINALITY AS needed (table_name, right_name, column_name, at)
       WHERE NOT CASE column_name WHEN '' THEN has_table_privilege(table_name, right_name)
         ELSE has_column_privilege(table_name, column_name, right_name) END) AS missing`,
    [0, 1, 2].map((at) => `{${needed.map((each) => `"${each[at]}"`).join(',')}}`),
  );
  if (row.missing === null) return;
  throw new StorageError(
    'denied',
    `${connection.host}: the user ${row.name} lacks the rights ${row.missing}; ${REMEDIES[role]}`,
  );
}

const REMEDIES: Readonly<Record<DatabaseRole, string>> = {
  serve: 'run the SQL that "gazetteer database grants" prints, as a superuser',
  erase:
    'connect as the role that erases. If there is none, run the SQL that "gazetteer database ' +
    'grants" prints for --erase-role, as a superuser',
};

function grantsOf(role: DatabaseRole, name: string): string[] {
  return Object.entries(RIGHTS[role]).map(
    ([table, rights]) => `GRANT ${rights.join(', ')} ON ${table} TO ${quoted(name)};`,
  );
}

/** The table, the right, and the column if the right is for one. */
function neededBy(role: DatabaseRole): string[][] {
  const own = Object.entries(RIGHTS[role]).flatMap(([table, rights]) =>
    rights.map((text) => {
      const [, right = '', column = ''] = /^(\w+)(?: \((\w+)\))?$/.exec(text) ?? [];
      return [table, right, column];
    }),
  );
  return role === 'erase' ? [...neededBy('serve'), ...own] : own;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
