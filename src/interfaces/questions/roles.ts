/** `GET /roles`: the roles of the directory with their names and counts, as JSON or CSV. */

import { type ListedRole, roleCounts } from '../../directory/ask/role-counts.ts';
import { rolesMeant, unknownRole } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { prefixedId } from '../../directory/record/ids.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import { csvLine } from '../answer/csv-line.ts';
import { currentOf, type Editions } from '../answer/editions.ts';
import { type PlainEndpoint, plainEndpoint } from '../json/endpoint.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { refuse } from '../json/json-parameters.ts';
import { arrayOf, objectOf, TEXT } from '../json/json-schema.ts';
import { JSON_FORM, type JsonServiceOptions } from '../json/json-service.ts';
import { oneOfKind, TEXT_KIND } from '../json/kinds.ts';
import { tableOf } from '../json/parameter-table.ts';

export const ROLES_SERVICE_NAME = 'roles';

const SUMMARY = 'The roles of the directory, and how many organisations have each of them.';

export function createRolesService(options: JsonServiceOptions): PlainService {
  return createEndpointService(options, {
    name: ROLES_SERVICE_NAME,
    title: 'Roles',
    description: SUMMARY,
    baseUrl: `${options.serverUrl}/roles`,
    endpoints: [rolesEndpoint(options.editions)],
  });
}

const PARAMETERS = tableOf({
  role: {
    documentation:
      'Only the roles that this text means: a code with or without `RO`, a name or an everyday word.',
    kind: TEXT_KIND,
    example: 'pharmacy',
  },
  format: {
    documentation: 'The form of the answer: `json` or `csv`. Without it: `json`.',
    kind: oneOfKind(['json', 'csv']),
    example: 'csv',
  },
});

const CSV_FORM: Form = { ...JSON_FORM, contentType: 'text/csv; charset=utf-8' };

const COUNT = { type: 'integer' };
const ROLE_SCHEMA = objectOf({ code: TEXT, name: TEXT, organisations: COUNT, active: COUNT });

function rolesEndpoint(editions: Editions): PlainEndpoint {
  return plainEndpoint({
    path: '',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'roles',
    summary: SUMMARY,
    parameters: PARAMETERS,
    rules: { isForm: true },
    answers: {
      forms: {
        'application/json': { schema: objectOf({ results: arrayOf(ROLE_SCHEMA) }) },
        'text/csv': { schema: TEXT },
      },
    },
    ask: async ({ values: { role, format } }) => {
      const found = await rolesNamed(currentOf(editions), role);
      return format === 'csv'
        ? { text: [...roleLines(found)].join(''), form: CSV_FORM }
        : { text: JSON.stringify({ results: found }) };
    },
  });
}

/** The roles that a text means; all without a text. Rejects with a FhirError if it means none. */
export async function rolesNamed(
  edition: Edition,
  text: string | undefined,
): Promise<readonly ListedRole[]> {
  const counts = await roleCounts(edition);
  if (text === undefined) return counts;
  const codes = new Set(rolesMeant(edition, text).map((code) => prefixedId('RO', code)));
  if (codes.size === 0) throw refuse(unknownRole(edition, text));
  return counts.filter(({ code }) => codes.has(code));
}

export const ROLE_COLUMNS = ['code', 'name', 'organisations', 'active'] as const;

/** The lines of CSV, with the names of the columns. */
export function* roleLines(roles: readonly ListedRole[]): Generator<string> {
  yield csvLine(ROLE_COLUMNS);
  for (const role of roles) yield csvLine(ROLE_COLUMNS.map((column) => role[column] ?? ''));
}
