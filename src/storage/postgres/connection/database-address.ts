/** The address of a database server, as threads pass it on. */

export interface DatabaseAddress {
  /** Tried one after the other. */
  readonly hosts: readonly DatabaseHost[];
  readonly user: string;
  /** Absent: the library reads `PGPASSWORD`, or the password file of PostgreSQL. */
  readonly password?: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** Absent: the authorities that Node trusts. */
  readonly caFile?: string;
  /** Whether to skip a server that does not accept writes. */
  readonly mustAcceptWrites: boolean;
  /** The time for each host. */
  readonly connectTimeoutMs: number;
}

export interface DatabaseHost {
  /** A name, an address, or the folder of a Unix socket. */
  readonly name: string;
  readonly port: number;
}

/** As in libpq. `require` encrypts, but accepts any certificate. */
export type SslMode = 'disable' | 'require' | 'verify-ca' | 'verify-full';
