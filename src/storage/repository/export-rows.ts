/** Versions as exports write them, in every kind of store. */
import type { StoredVersion } from '../../fhir/stored/repository.ts';
import type { Row } from '../sql/statement.ts';
import { versionOf } from './stored-version.ts';

/** A version that deletes a resource is a Bundle with one entry, as in a history. */
export function exportText(row: Row): string {
  const version = versionOf(row);
  return version.text ?? deletionText(String(row.resource_type), version);
}

function deletionText(type: string, { id, writtenAt, method }: StoredVersion): string {
  return JSON.stringify({
    resourceType: 'Bundle',
    meta: { lastUpdated: writtenAt },
    type: 'history',
    entry: [{ request: { method, url: `${type}/${id}` } }],
  });
}
