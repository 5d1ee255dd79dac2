/** The client of a request, and what it asks for, as the audit log records it. */
import type { InteractionCode } from '../service/interaction-code.ts';

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
