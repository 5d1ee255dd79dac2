/** The texts of the log reference: the fields of lines, and the warnings and errors. */
import type { LogDetails } from '../src/server/operations/log-fields.ts';
import { LOG_PROBLEMS, type LogCode } from '../src/server/operations/log-problems.ts';

interface LogFieldText {
  /** The lines that have the field. */
  readonly lines: string;
  readonly meaning: string;
}

/** In the order of the page. */
export const LOG_FIELDS: Readonly<Record<keyof LogDetails, LogFieldText>> = {
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
  host: { lines: '`listening`, `health and metrics`, GZ102', meaning: 'The address to listen on.' },
  port: { lines: '`listening`, `health and metrics`', meaning: 'The port.' },
  threads: { lines: '`listening`', meaning: 'The number of server threads.' },
  url: { lines: '`listening`, GZ102', meaning: 'The base URL of the service.' },
  edition: { lines: 'lines about an edition', meaning: 'The number of the edition.' },
  publicationDate: { lines: '`serving edition`', meaning: 'The publication date in the source.' },
  records: { lines: '`serving edition`', meaning: 'The number of records.' },
  reason: {
    lines: '`serving edition`, `edition leaves memory`, `a server thread cannot listen`',
    meaning: 'The reason: for `serving edition` `start`, `import` or `rollback`.',
  },
  finding: {
    lines: '`the list of editions is damaged: …`',
    meaning: 'A row that was changed or is [missing](storage.md#the-directory-database).',
  },
  signal: { lines: '`stopping: …`', meaning: 'The signal that stops the server.' },
  sources: {
    lines: '`fetching`, `fetched`, `a fetch failed`, `the next fetch is planned`',
    meaning: 'The sources of the directory.',
  },
  nextAt: { lines: '`the next fetch is planned`', meaning: 'The time of the next fetch.' },
  validUntil: { lines: '`using certificate`', meaning: 'When the certificate expires.' },
  thread: { lines: 'lines about a server thread', meaning: 'The number of the thread, from 0.' },
  tokens: { lines: '`serving order responses`', meaning: 'The issuers of accepted tokens.' },
  key: { lines: '`serving order responses`', meaning: "The file of the installation's own key." },
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
  problem: { lines: 'warnings and errors', meaning: 'The reason, and usually the remedy.' },
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
};

interface ProblemText {
  readonly meaning: string;
  readonly remedy: string;
}

const PROBLEM_TEXTS: Readonly<Record<LogCode, ProblemText>> = {
  GZ101: {
    meaning: 'The folder of `data` did not exist.',
    remedy: 'If this is not the first start, check `data`.',
  },
  GZ102: {
    meaning: 'Clients on other machines cannot follow links.',
    remedy: 'Set `baseUrl` to the public address.',
  },
  GZ103: {
    meaning: 'This applies to macOS and Windows.',
    remedy: 'Set `threads` to 1, or use Linux.',
  },
  GZ110: {
    meaning: 'Requests that the thread was answering have no answer.',
    remedy: 'Report the line to the developers. If the machine is short of memory, add memory.',
  },
  GZ111: {
    meaning: 'A new thread takes the place of one that died.',
    remedy: 'Look at GZ110 before it.',
  },
  GZ112: {
    meaning: 'The other threads continue.',
    remedy: 'Remove the cause, and restart the server.',
  },
  GZ120: {
    meaning: 'The client got status 500, or the connection was closed.',
    remedy: 'Report the line to the developers. It contains no data of order responses.',
  },
  GZ130: {
    meaning: 'The server continues with the certificate that it has.',
    remedy: 'Correct the files of `tls.certificate` and `tls.key`, and send SIGHUP again.',
  },
  GZ140: {
    meaning: 'The server cannot start or continue. The exit code is 1.',
    remedy: 'Do what `problem` says. If the line has `err` instead, report it to the developers.',
  },
  GZ201: {
    meaning: 'Requests for the directory get status 503.',
    remedy: 'Run the import command that the line shows.',
  },
  GZ202: {
    meaning: 'Another version of the program made the edition.',
    remedy: 'Do what `problem` says.',
  },
  GZ203: {
    meaning: 'The server continues with the edition that it has.',
    remedy: 'Check the disk or the database, or import again.',
  },
  GZ204: {
    meaning: 'A client follows links of this edition. The current edition is not affected.',
    remedy: 'Check the disk or the database.',
  },
  GZ205: {
    meaning: 'A row was changed or is missing.',
    remedy: 'Run `gazetteer verify`, check the disk, and import again.',
  },
  GZ206: {
    meaning: 'The source does not contain relationships.',
    remedy: 'Import a release file.',
  },
  GZ207: {
    meaning: 'Downloads of it get status 503. The server tries again after half a minute.',
    remedy: 'Check the free space and the permissions of the data folder.',
  },
  GZ210: {
    meaning: 'The disk is full or failing.',
    remedy: 'Free space, or replace the disk. You need not restart the server.',
  },
  GZ211: {
    meaning: 'The server cannot look for new editions.',
    remedy: 'Check the database and the network.',
  },
  GZ301: {
    meaning: 'A write failed. Clients got status 503 or 500.',
    remedy: 'Check the disk or the database.',
  },
  GZ302: {
    meaning: 'The thread that writes order responses died.',
    remedy: 'Look at GZ301 before it.',
  },
  GZ303: {
    meaning: 'SQLite cannot truncate `orders.db-wal`.',
    remedy:
      'Wait for the export, backup or verification, or end the program that reads `orders.db`.',
  },
  GZ304: {
    meaning: 'Links in answers differ between the servers. A server without the setting has null.',
    remedy: 'Set the same `baseUrl` on all machines, and restart the servers.',
  },
  GZ305: {
    meaning: 'A search or a page of changes failed. Clients got status 503.',
    remedy: 'Check the disk or the database.',
  },
  GZ306: {
    meaning:
      'A replica without the last writes became the primary: writes that clients got status 200 or 201 for no longer exist.',
    remedy:
      'Find and repeat these writes, then run `gazetteer database confirm-losses`: see [What to know](database.md#what-to-know).',
  },
  GZ401: {
    meaning: 'The server cannot fetch or read keys, or cannot reach the issuer.',
    remedy: 'Check the settings `auth.*`, the issuer and the network.',
  },
  GZ402: {
    meaning: 'The server continues with the API keys that it has.',
    remedy: 'Correct the file of `directory.r4.apiKeys`.',
  },
  GZ403: {
    meaning: 'Everyone who can reach the server can read and write its order responses.',
    remedy: 'Set `pages.giveTokens` to false, unless all order responses are invented.',
  },
  GZ501: {
    meaning: 'The directory stays unchanged. The server tries again at the planned time.',
    remedy: 'Do what `problem` says.',
  },
  GZ502: {
    meaning: 'The system did not start the process of the fetch.',
    remedy: 'Check memory and the limits of the user.',
  },
  GZ503: {
    meaning: 'A fault ended the schedule of fetches.',
    remedy: 'Report the line to the developers, and restart the server.',
  },
  GZ504: {
    meaning: 'Another server may fetch in the meantime.',
    remedy: 'Check the database and the network.',
  },
  GZ505: {
    meaning: 'Other servers may fetch again.',
    remedy: 'Check the database and the network.',
  },
  GZ506: {
    meaning: 'After a restart, the server may fetch earlier than planned.',
    remedy: 'Check the free space and the permissions of the data folder.',
  },
  GZ601: {
    meaning:
      'The server drops the spans. It logs the next failure only after an export has succeeded.',
    remedy: 'Check `telemetry.endpoint`, `telemetry.headersFile` and the collector.',
  },
};

/** Name, lines, meaning. */
export function logFieldRows(): string[][] {
  return Object.entries(LOG_FIELDS).map(([name, { lines, meaning }]) => [
    `\`${name}\``,
    lines,
    meaning,
  ]);
}

/** Code, level, message, meaning, what to do. */
export function logProblemRows(): string[][] {
  return Object.keys(LOG_PROBLEMS)
    .filter(isLogCode)
    .map((code) => {
      const { level, message } = LOG_PROBLEMS[code];
      const { meaning, remedy } = PROBLEM_TEXTS[code];
      return [`\`${code}\``, level, `\`${message}\``, meaning, remedy];
    });
}

function isLogCode(code: string): code is LogCode {
  return Object.hasOwn(LOG_PROBLEMS, code);
}
