/** The audit records of accesses and of commands: what a client or a user asked for. */

import { userInfo } from 'node:os';
import type { Access, AuditRecord, Refusal } from '../../fhir/audit/audit.ts';
import { AUDIT_COMMANDS, type AuditCommand } from '../../fhir/audit/audit.ts';
import type { Condition } from '../../fhir/search/criterion.ts';
import type { HistoryPage, ResourceAddress } from '../../fhir/stored/repository.ts';
import type { FoundChanges, SearchMatches } from './reader-answers.ts';

export function accessRecord(
  { outcome, ...about }: Omit<AuditRecord, 'address'>,
  { interaction, identity, address, requestId }: Access,
): AuditRecord {
  return {
    interaction,
    outcome,
    ...about,
    ...(identity && { subject: bounded(identity.subject) }),
    ...(identity?.client !== undefined && { client: bounded(identity.client) }),
    address: bounded(address),
    requestId: bounded(requestId),
  };
}

/** An access, and the search of which it is a part. */
export interface SearchingAccess extends Access {
  readonly searched?: Searched;
}

interface Searched extends SearchMatches {
  readonly parameters: string;
}

/** The condition of a write is a search. `found`: the ids of all matches, if it has few enough. */
export function searchedBy(
  { parameters }: Condition,
  type: string,
  found: readonly string[] = [],
): { readonly searched: Searched } {
  return { searched: { type, parameters, resources: found.slice(0, MATCHES_MAX) } };
}

/** The most matches of a condition in the audit log: as many as a page of a search has. */
const MATCHES_MAX = 100;

export function refusalRecord({
  reason,
  type,
  id,
  version,
}: Refusal): Omit<AuditRecord, 'address'> {
  const number = versionNumber(version);
  return {
    outcome: reason,
    ...(type !== '' && { resourceType: type }),
    ...(id !== undefined && { resource: bounded(id) }),
    ...(number !== undefined && { version: number }),
  };
}

/** The part of a record that names a resource. */
export function recordOf({
  type,
  id,
}: ResourceAddress): Required<Pick<AuditRecord, 'resourceType' | 'resource'>> {
  return { resourceType: type, resource: id };
}

/** `page`: undefined if the resource does not exist. */
export function historyRecord(
  address: ResourceAddress,
  page: HistoryPage | undefined,
): Omit<AuditRecord, 'address'> {
  if (page === undefined) return { outcome: 'absent', ...recordOf(address) };
  const { versions } = page;
  const [last, first] = [versions.at(0), versions.at(-1)];
  return {
    outcome: 'found',
    ...recordOf(address),
    count: versions.length,
    ...(first && last && { firstVersion: first.version, lastVersion: last.version }),
  };
}

/** A record for each type with versions on the page. */
export function changesRecords({ outcome, types }: FoundChanges): Omit<AuditRecord, 'address'>[] {
  if (outcome === 'absent') return [{ outcome }];
  if (types.length === 0) return [{ outcome, count: 0 }];
  return types.map(({ type: resourceType, ...about }) => ({ outcome, resourceType, ...about }));
}

/** As in an address: `01` and `1.0` name no version. */
export function versionNumber(text = ''): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Limits what a sender can add to an entry. */
export function bounded(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}…`;
}

const TEXT_LENGTH_MAX = 256;

/** What a command adds to its record. */
export type CommandAbout = Omit<AuditRecord, 'interaction' | 'address'>;

export function commandRecord(command: AuditCommand, about: CommandAbout): AuditRecord {
  return {
    interaction: command,
    subject: operatingSystemUser(),
    client: AUDIT_COMMANDS[command],
    address: '',
    ...about,
  };
}

/** Erasures by the server itself have no user. */
export function retentionRecord(about: CommandAbout): AuditRecord {
  return { interaction: 'retention', address: '', ...about };
}

/** Who runs a command. A container may run as a user without a name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
