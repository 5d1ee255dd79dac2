/** The fields of log lines besides the fields of every line, with their texts for the reference. */

interface LogFieldText {
  /** The lines that have the field. */
  readonly lines: string;
  readonly meaning: string;
}

export const LOG_FIELDS = {
  method: { lines: 'requests', meaning: 'The HTTP method.' },
  path: {
    lines: 'requests',
    meaning:
      'The path. If the request was refused, `…` replaces segments that the server does not know.',
  },
  parameters: {
    lines: 'requests with a query',
    meaning:
      'The names of the parameters; `?` for unknown ones. With `log.parameters`: the whole query.',
  },
  status: { lines: 'requests', meaning: 'The HTTP status code.' },
  ms: {
    lines: 'requests, `serving edition`, `fetched`, `a fetch failed`',
    meaning:
      'The milliseconds until the answer was written to the socket, the edition loaded, the fetch ended.',
  },
  client: {
    lines: 'requests',
    meaning:
      'The address of the client, which a trusted [proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy) can name.',
  },
  requestId: { lines: 'requests, faults', meaning: 'The header `X-Request-Id`.' },
  traceId: {
    lines: 'requests and faults with a trace',
    meaning: 'The id of the [trace](traces.md).',
  },
  version: { lines: '`starting`', meaning: 'The version of Gazetteer.' },
  runtime: { lines: '`starting`', meaning: 'The version of Node.' },
  data: {
    lines: '`starting`, `created the data folder`, `there is no edition yet`',
    meaning: 'The data folder.',
  },
  host: {
    lines: '`listening`, `health and metrics`, GZ102',
    meaning: 'The address to listen on.',
  },
  port: { lines: '`listening`, `health and metrics`', meaning: 'The port.' },
  threads: { lines: '`listening`', meaning: 'The number of server threads.' },
  url: { lines: '`listening`, GZ102', meaning: 'The base URL of the service.' },
  edition: {
    lines: 'lines about an edition',
    meaning: 'The number of the edition.',
  },
  publicationDate: {
    lines: '`serving edition`',
    meaning: 'The publication date in the source.',
  },
  records: { lines: '`serving edition`', meaning: 'The number of records.' },
  reason: {
    lines: '`serving edition`, `edition leaves memory`, `a server thread cannot listen`',
    meaning: 'The reason: for `serving edition` `start`, `import` or `rollback`.',
  },
  finding: {
    lines: '`the list of editions is damaged: …`',
    meaning: 'A row that was changed or is [missing](storage.md#the-directory-database).',
  },
  signal: { lines: '`stopping: …`', meaning: 'The signal.' },
  sources: {
    lines: '`fetching`, `fetched`, `a fetch failed`, `the next fetch is planned`',
    meaning: 'The sources of the directory.',
  },
  nextAt: { lines: '`the next fetch is planned`', meaning: 'The time of the next fetch.' },
  validUntil: { lines: '`using certificate`', meaning: 'When the certificate expires.' },
  thread: { lines: 'lines about a server thread', meaning: 'The number of the thread, from 0.' },
  tokens: { lines: '`serving order responses`', meaning: 'The issuers of accepted tokens.' },
  key: {
    lines: '`serving order responses`',
    meaning: "The file of the installation's own key.",
  },
  head: {
    lines: '`audit head`',
    meaning:
      'The [head of the audit log](../how-to/verify-the-audit-log.md#keep-the-audit-head): at start, at stop and once a day.',
  },
  bytes: {
    lines: '`migrating orders.db to the schema of this version`, `the write-ahead log grows`',
    meaning:
      'The size of `orders.db` before its [migration](storage.md#the-migration-from-earlier-schemas), or of `orders.db-wal`.',
  },
  resources: {
    lines: '`filling the search index of orders.db`',
    meaning: 'The resources that the index has.',
  },
  entries: {
    lines: '`filling the index of the audit log of orders.db`',
    meaning: 'The entries that the index has.',
  },
  total: { lines: '`filling the …`', meaning: 'The number of all of them.' },
  endpoint: { lines: '`sending telemetry`, GZ601', meaning: 'The address of the collector.' },
  problem: {
    lines: 'warnings and errors',
    meaning: 'The reason, and usually the remedy.',
  },
  baseUrl: { lines: 'GZ304', meaning: 'The base URL of this server.' },
  other: { lines: 'GZ304', meaning: 'The base URL of the other server.' },
  node: { lines: 'GZ304', meaning: 'The host name of the other server.' },
  type: { lines: '`order responses cannot be stored`', meaning: 'The name of the error.' },
  message: { lines: '`order responses cannot be stored`', meaning: 'The reason.' },
  err: {
    lines: 'errors',
    meaning:
      '`type`, `code`, `stack` and `message`. The message is absent from faults in a thread or in a request for order responses.',
  },
} as const satisfies Readonly<Record<string, LogFieldText>>;

/** The details of a line. */
export type LogDetails = { readonly [Name in keyof typeof LOG_FIELDS]?: unknown };
