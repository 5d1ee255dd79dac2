/** The rules for the id of a resource that a client sends. */

import type { Resource } from '../format/resource.ts';
import type { Finding } from '../rules/finding.ts';

/** For a create: DSTU2 refuses an id in the body, because the server makes the ids. */
export function requireNoId({ resourceType, id }: Resource): Finding | undefined {
  if (id === undefined) return undefined;
  return {
    path: `/f:${resourceType}/f:id`,
    code: 'invalid',
    text: `The server gives new resources their ids. Leave the id out, or update with PUT ${resourceType}/{id}.`,
  };
}

/** For an update: the id in the body must equal the id in the address. */
export function requireId({ resourceType, id }: Resource, wanted: string): Finding | undefined {
  if (id === wanted) return undefined;
  const path = `/f:${resourceType}/f:id`;
  return id === undefined
    ? { path, code: 'required', text: `The id is missing. Send ${wanted}, as the address has it.` }
    : {
        path,
        code: 'invalid',
        text: `The id "${id}" differs from the id in the address. Send ${wanted}.`,
      };
}
