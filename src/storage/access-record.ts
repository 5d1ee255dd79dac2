/** The audit record of an access: what the client asked for, and its limits. */
import type { Access } from '../fhir/access.ts';
import type { AuditRecord } from '../fhir/audit.ts';
import type { Refusal } from '../fhir/refusal.ts';
import type { ResourceAddress } from '../fhir/repository.ts';

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

export function recordOf({ type, id }: ResourceAddress) {
  return { resourceType: type, resource: id };
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
