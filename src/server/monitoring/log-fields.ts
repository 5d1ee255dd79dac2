/** The fields of log lines besides the fields of every line. */

/** The details of a line. */
export interface LogDetails {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly parameters?: unknown;
  readonly status?: unknown;
  readonly ms?: unknown;
  readonly client?: unknown;
  readonly requestId?: unknown;
  readonly traceId?: unknown;
  readonly version?: unknown;
  readonly runtime?: unknown;
  readonly data?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly threads?: unknown;
  readonly url?: unknown;
  readonly edition?: unknown;
  readonly publicationDate?: unknown;
  readonly records?: unknown;
  readonly postcodes?: unknown;
  readonly practitioners?: unknown;
  readonly reason?: unknown;
  readonly finding?: unknown;
  readonly signal?: unknown;
  readonly sources?: unknown;
  readonly nextAt?: unknown;
  readonly validUntil?: unknown;
  readonly thread?: unknown;
  readonly tokens?: unknown;
  readonly key?: unknown;
  readonly head?: unknown;
  readonly bytes?: unknown;
  readonly resources?: unknown;
  readonly entries?: unknown;
  readonly total?: unknown;
  readonly endpoint?: unknown;
  readonly lines?: unknown;
  readonly problem?: unknown;
  readonly baseUrl?: unknown;
  readonly other?: unknown;
  readonly node?: unknown;
  readonly subscription?: unknown;
  readonly receiver?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
  readonly err?: unknown;
}
