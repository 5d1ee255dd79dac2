/** The requests that load organisations into HAPI FHIR: a search parameter, and transactions. */
import { readFileSync } from 'node:fs';
import type { Sample } from './sample.ts';

const ROLE = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-ODSAPI-OrganizationRole-1';

export const ROLE_PARAMETER = {
  resourceType: 'SearchParameter',
  id: 'ods-org-role',
  url: 'urn:gazetteer:ods-org-role',
  name: 'ods-org-role',
  status: 'active',
  code: 'ods-org-role',
  base: ['Organization'],
  type: 'token',
  description: 'The code of a role',
  expression: `Organization.extension.where(url='${ROLE}').extension.where(url='role').value`,
} as const;

/** The documentation of HAPI FHIR recommends several hundred creates in each transaction. */
const ENTRIES = 200;

/** The bodies of transactions that each create several organisations with their codes as ids. */
export function transactionsOf({ file }: Sample): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const bodies: string[] = [];
  for (let at = 0; at < lines.length; at += ENTRIES) {
    const entry = lines.slice(at, at + ENTRIES).map((line) => {
      const resource: { readonly id: string } = JSON.parse(line);
      return { resource, request: { method: 'PUT', url: `Organization/${resource.id}` } };
    });
    bodies.push(JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }));
  }
  return bodies;
}
