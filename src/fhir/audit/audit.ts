/** The audit log of resources that clients write: who asked for what, when, where from, and the outcome. */
import type { InteractionCode } from '../request/interaction-code.ts';

/** The outcome of an access. */
export type AuditOutcome =
  /** A version was written. */
  | 'stored'
  /** The client received the version. */
  | 'found'
  /** The resource or the version does not exist. */
  | 'absent'
  /** The version has no content: the resource was deleted, or its content was erased. */
  | 'gone'
  /** Not created: one or several resources match the condition. */
  | 'exists'
  | 'several'
  /** Not updated: a precondition is false for the current version. */
  | 'conflict'
  /** The command was carried out. */
  | 'done'
  | RefusalReason;

/** Commands that export, erase or hold order responses, and their names. */
export const AUDIT_COMMANDS = {
  backup: 'gazetteer backup',
  export: 'gazetteer orders export',
  erase: 'gazetteer orders erase',
  hold: 'gazetteer orders hold',
  release: 'gazetteer orders release',
  /** The setting by which a server erases. */
  retention: 'orders.retentionDays',
} as const;

export type AuditCommand = keyof typeof AUDIT_COMMANDS;

/** The content of an entry, without its writer, number and date. */
export interface AuditRecord {
  /** Absent in an entry that counts accesses of any kind. */
  readonly interaction?: InteractionCode | AuditCommand;
  readonly outcome: AuditOutcome;
  /** Absent if accesses of any type are counted, and for a command. */
  readonly resourceType?: string;
  /** The id of the resource that was named, created or found. */
  readonly resource?: string;
  /** The version that was written or read; for a refused access, the version that the request named. */
  readonly version?: number;
  /**
   * The subject and client of the token. For a command: the user of the operating system, and
   * the command.
   */
  readonly subject?: string;
  readonly client?: string;
  /** Empty for a command. */
  readonly address: string;
  /** Absent if accesses are counted. */
  readonly requestId?: string;
  /**
   * For a history, a search or a command: the number of versions shown. For `several`: the number of
   * resources that match. For counted accesses without a valid token: their number from this address.
   */
  readonly count?: number;
  /** Of a search: how many resources match. */
  readonly total?: number;
  /** The ids that a search shows, or that match the condition of a refused write: at most 100. */
  readonly resources?: readonly string[];
  /** Of a search, and of a write with a condition: the SHA-256 of a random salt and the parameters, in hexadecimal digits. */
  readonly parametersDigest?: string;
  /** Of a history that shows something: the oldest and the newest version shown. */
  readonly firstVersion?: number;
  readonly lastVersion?: number;
  /** For counted accesses: the time of the first one. */
  readonly from?: string;
  /** Of an erasure or a hold: its reason. */
  readonly reason?: string;
  /** For `stored`: the SHA-256 of the version's text, in hexadecimal digits. */
  readonly digest?: string;
}

export interface AuditEntry extends AuditRecord {
  /** The writer of the entry. Each writer has a separate chain. */
  readonly writer: number;
  /** From 1 for each writer, without gaps. */
  readonly number: number;
  /** `2026-11-21T09:30:00.123+00:00` */
  readonly recordedAt: string;
  /** Of a search, and of the condition of a write: a query string. Absent if it was erased. */
  readonly parameters?: string;
}

/** Stands for the addresses that were not counted one by one. */
export const OTHER_ADDRESSES = 'others';

/** The user and the program that a valid token names. */
export interface Identity {
  /** The user or system: the claim `sub`. */
  readonly subject: string;
  /** The program that acts for it: the claim `client_id` or `azp`. */
  readonly client?: string;
}

export interface Access {
  /** Absent if the service asks for no token. */
  readonly identity?: Identity;
  /** The address of the client. Behind a known proxy it is the address that the proxy names. */
  readonly address: string;
  readonly requestId: string;
  readonly interaction: InteractionCode;
}

/** Why a request was refused before it reached the repository. */
export type RefusalReason =
  /** Without a valid token. */
  | 'unauthenticated'
  /** With a valid token that lacks the scope. */
  | 'forbidden'
  /** The request or its body breaks a rule. */
  | 'invalid'
  /** The server failed. */
  | 'fault';

export interface Refusal {
  readonly reason: RefusalReason;
  /** Empty for an interaction with all types. */
  readonly type: string;
  /** Where the address of the request has one. */
  readonly id?: string;
  readonly version?: string;
}
