/** Who asks for what: what the core knows of a request's sender, and services write down. */

/** Whom a valid token speaks for. */
export interface Identity {
  /** The user or system, as the issuer names it (`sub`). */
  readonly subject: string;
  /** The program that acts for it (`client_id` or `azp`), where the token says so. */
  readonly client?: string;
}

export interface Access {
  /** Absent where the service asks for no token. */
  readonly identity?: Identity;
  /** The address of the client: behind a known proxy, the one that the proxy names. */
  readonly address: string;
  readonly requestId: string;
  readonly interaction: AccessInteraction;
}

/** FHIR's names: https://hl7.org/fhir/DSTU2/valueset-type-restful-interaction.html */
export type AccessInteraction = 'create' | 'read' | 'vread' | 'update' | 'history-instance';
