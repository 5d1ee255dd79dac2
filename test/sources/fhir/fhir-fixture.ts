/** Small FHIR sources: the calls that a receiver gets, and resources to build them. */

import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import type { ResourceObject } from '../../../src/interfaces/answer/resource-parts.ts';
import type { DirectorySettings } from '../../../src/interfaces/answer/settings.ts';
import { createStu3Mapping } from '../../../src/interfaces/stu3/organization.ts';
import { understoodUris } from '../../../src/sources/fhir/organization-record.ts';
import { readFhir } from '../../../src/sources/fhir/read-fhir.ts';
import type { FhirForm } from '../../../src/sources/fhir/read-resources.ts';
import { SETTINGS } from '../../directory/directory-server.ts';
import { CODE_SYSTEMS } from '../../directory/records.ts';
import { recordingReceiver, type Told } from '../release-file/release-fixture.ts';

export const NOW = new Date('2026-09-15T12:00:00Z');

export interface Reading {
  readonly form?: FhirForm;
  readonly chunkBytes?: number;
  readonly settings?: readonly DirectorySettings[];
}

/** The calls that a receiver gets for this source. */
export async function readSourceText(
  source: string | Uint8Array,
  { form = 'json', chunkBytes = 65_536, settings = [SETTINGS] }: Reading = {},
): Promise<Told> {
  const { told, receiver } = recordingReceiver();
  const bytes = Buffer.from(source);
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(bytes.subarray(start, start + chunkBytes));
  }
  const document = { name: 'source', chunks, bytesBefore: 0, bytesTotal: () => bytes.length };
  await readFhir(document, { receiver, form, uris: understoodUris(settings), now: NOW });
  return told;
}

export function resourceOf(
  record: OrganizationRecord,
  settings: DirectorySettings = SETTINGS,
): ResourceObject {
  return createStu3Mapping(settings, CODE_SYSTEMS)(record);
}

export function bundleOf(resources: readonly object[], more: object = {}): ResourceObject {
  return {
    resourceType: 'Bundle',
    type: 'collection',
    ...more,
    ...(resources.length > 0 && { entry: resources.map((resource) => ({ resource })) }),
  };
}

export function linesOf(resources: readonly object[]): string {
  return resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');
}
