/** Small release files, and a receiver that records its calls. */

import type { LoadedEdition } from '../../../src/directory/edition/edition.ts';
import { sourceRecordAt } from '../../../src/directory/edition/source-record.ts';
import type { CodeSystems, SourceRecord } from '../../../src/directory/record/record.ts';
import type { Manifest, SourceReceiver } from '../../../src/directory/record/source.ts';
import type { ReleaseSummary } from '../../../src/sources/release-file/parse/release-reading.ts';
import { readRelease } from '../../../src/sources/release-file/read-release.ts';

export interface Told {
  readonly manifests: Manifest[];
  readonly codeSystems: CodeSystems[];
  readonly records: SourceRecord[];
  /** `reason code` or `reason code: detail`. */
  readonly leftOut: string[];
  /** `kind code` or `kind code: detail`. */
  readonly warnings: string[];
  readonly progress: (readonly [number, number | undefined])[];
  /** The names of the calls, each run of one name once. */
  readonly calls: string[];
}

export function recordingReceiver(): { told: Told; receiver: SourceReceiver } {
  const told: Told = {
    manifests: [],
    codeSystems: [],
    records: [],
    leftOut: [],
    warnings: [],
    progress: [],
    calls: [],
  };
  const call = (name: string): void => {
    if (told.calls.at(-1) !== name) told.calls.push(name);
  };
  const line = (kind: string, code: string, detail: string | undefined): string =>
    detail === undefined ? `${kind} ${code}` : `${kind} ${code}: ${detail}`;
  const receiver: SourceReceiver = {
    manifest: (manifest) => {
      call('manifest');
      told.manifests.push(manifest);
    },
    codeSystems: (systems) => {
      call('codeSystems');
      told.codeSystems.push(systems);
    },
    record: (record) => {
      call('record');
      told.records.push(record);
    },
    keep: (edition, row) => {
      call('keep');
      told.records.push(sourceRecordAt(edition as LoadedEdition, row));
    },
    leftOut: (reason, code, detail) => {
      call('leftOut');
      told.leftOut.push(line(reason, code, detail));
    },
    leftOutArchive: () => call('leftOutArchive'),
    warning: (kind, code, detail) => {
      call('warning');
      told.warnings.push(line(kind, code, detail));
    },
    progress: (bytes, bytesTotal) => {
      call('progress');
      told.progress.push([bytes, bytesTotal]);
    },
  };
  return { told, receiver };
}

/** The calls that a receiver gets for this XML, and the summary. */
export async function readText(
  xml: string | Uint8Array,
  chunkBytes = Number.POSITIVE_INFINITY,
): Promise<Told & { readonly summary: ReleaseSummary }> {
  const { told, receiver } = recordingReceiver();
  const bytes = Buffer.from(xml);
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(bytes.subarray(start, start + chunkBytes));
  }
  const document = { name: 'release.xml', chunks, bytesBefore: 0, bytesTotal: () => bytes.length };
  return { ...told, summary: await readRelease(document, receiver) };
}

export interface ReleaseParts {
  readonly declaration?: string;
  /** Of the root element, with its colon. */
  readonly prefix?: string;
  readonly namespace?: string;
  readonly manifest?: string;
  readonly codeSystems?: string;
  readonly recordCount?: number;
  readonly version?: string;
  readonly publicationType?: string;
  readonly publicationDate?: string;
}

/** A release with these organisations; the parts default to what a good file has. */
export function releaseXml(organisations: readonly string[], parts: ReleaseParts = {}): string {
  const prefix = parts.prefix ?? 'HSCOrgRefData:';
  const declared = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
  const namespace = parts.namespace ?? 'http://refdata.hscic.gov.uk/org/v2-0-0';
  return (
    `${parts.declaration ?? '<?xml version="1.0" encoding="utf-8"?>'}\n` +
    `<${prefix}OrgRefData ${declared}="${namespace}">` +
    `${parts.manifest ?? manifestXml(organisations, parts)}${parts.codeSystems ?? codeSystemsXml}` +
    `<Organisations>${organisations.join('\n')}</Organisations></${prefix}OrgRefData>`
  );
}

export function manifestXml(organisations: readonly string[], parts: ReleaseParts = {}): string {
  return (
    `<Manifest><Version value="${parts.version ?? '2-0-0'}"/>` +
    `<PublicationType value="${parts.publicationType ?? 'Full'}"/>` +
    '<PublicationSource value="test"/>' +
    `<PublicationDate value="${parts.publicationDate ?? '2026-08-28'}"/>` +
    '<PublicationSeqNum value="7"/><FileCreationDateTime value="2026-08-28T01:02:03"/>' +
    `<RecordCount value="${parts.recordCount ?? organisations.length}"/>` +
    '<ContentDescription value="test"/><PrimaryRoleScope>' +
    '<PrimaryRole id="RO197" displayName="NHS TRUST"/></PrimaryRoleScope></Manifest>'
  );
}

export const codeSystemsXml =
  '<CodeSystems><CodeSystem name="OrganisationRole" oid="2.999.1">' +
  '<concept id="RO177" code="177" displayName="PRESCRIBING COST CENTRE"/>' +
  '<concept displayName="GP PRACTICE" code="76" id="RO76"/>' +
  '<concept id="RO197" code="197" displayName="NHS TRUST"/></CodeSystem>' +
  '<CodeSystem oid="2.999.2" name="OrganisationRelationship">' +
  '<concept id="RE4" code="4" displayName="IS COMMISSIONED BY"/></CodeSystem>' +
  '<CodeSystem name="OrganisationRecordClass" oid="2.999.3">' +
  '<concept id="RC1" code="1" displayName="HSCOrg"/>' +
  '<concept id="RC2" code="2" displayName="HSCSite"/></CodeSystem></CodeSystems>';

export const primaryRole =
  '<Roles><Role id="RO177" primaryRole="true"><Status value="Active"/></Role></Roles>';

/** An organisation with what every record needs, and this. */
export function organisation(
  content: string,
  { code = 'A1', attributes = 'orgRecordClass="RC1"', status = 'Active', roles = primaryRole } = {},
): string {
  const statusXml = status === '' ? '' : `<Status value="${status}"/>`;
  return (
    `<Organisation ${attributes}><OrgId root="2.16.840.1.113883.2.1.3.2.4.18.48" ` +
    `extension="${code}"/>${statusXml}` +
    `${content.includes('LastChangeDate') ? '' : '<LastChangeDate value="2020-01-02"/>'}` +
    `${content}${roles}</Organisation>`
  );
}
