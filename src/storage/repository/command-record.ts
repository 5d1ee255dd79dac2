/** The audit record of a command: who ran it. */
import { userInfo } from 'node:os';
import { AUDIT_COMMANDS, type AuditCommand, type AuditRecord } from '../../fhir/audit/audit.ts';

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

/** A container may run as a user without a name. */
function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
