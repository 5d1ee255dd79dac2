/** The texts of the log reference: the fields of lines, and the warnings and errors. */
import type { LogDetails } from '../src/server/monitoring/log-fields.ts';
import { LOG_PROBLEMS, type LogCode } from '../src/server/monitoring/log-problems.ts';

interface LogFieldText {
  /** The lines that have the field. */
  readonly lines: string;
  /** Empty if the name says it. */
  readonly meaning: string;
}

/** In the order of the page. */
export const LOG_FIELDS: Readonly<Record<keyof LogDetails, LogFieldText>> = {
  method: { lines: 'requests', meaning: '' },
  path: { lines: 'requests', meaning: 'in a refused request, `…` replaces unknown segments' },
  parameters: {
    lines: 'requests',
    meaning: 'their names, and `?` for unknown ones; with `log.parameters`, the whole query',
  },
  status: { lines: 'requests', meaning: '' },
  ms: {
    lines: 'requests, `serving edition`, `fetched`, `a fetch failed`',
    meaning: 'the duration in milliseconds',
  },
  client: {
    lines: 'requests',
    meaning:
      'the address, from a trusted [proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy) if there is one',
  },
  requestId: { lines: 'requests and faults', meaning: 'the header `X-Request-Id`' },
  traceId: { lines: 'requests and faults', meaning: 'the [trace](traces.md)' },
  version: { lines: '`starting`', meaning: 'of Gazetteer' },
  runtime: { lines: '`starting`', meaning: 'the version of Node' },
  data: {
    lines: '`starting`, `created the data folder`, `there is no edition yet`',
    meaning: 'the data folder',
  },
  host: { lines: '`listening`, `health and metrics`, GZ102', meaning: 'the address' },
  port: { lines: '`listening`, `health and metrics`', meaning: '' },
  threads: { lines: '`listening`', meaning: 'the number of server threads' },
  url: { lines: '`listening`, GZ102', meaning: 'the base URL of the service' },
  edition: { lines: 'lines about an edition', meaning: 'its number' },
  publicationDate: { lines: '`serving edition`', meaning: 'that of the source' },
  records: { lines: '`serving edition`', meaning: 'their number' },
  postcodes: { lines: '`serving postcodes`', meaning: 'their number' },
  practitioners: { lines: '`serving practitioners`', meaning: 'their number' },
  reason: {
    lines: '`serving edition`, `edition leaves memory`, `a server thread cannot listen`',
    meaning: 'such as `start`, `import` or `rollback`',
  },
  finding: {
    lines: '`the list of editions is damaged: …`',
    meaning: 'the [row](storage.md#the-directory-database)',
  },
  signal: { lines: '`stopping: …`', meaning: '' },
  sources: {
    lines: '`fetching`, `fetched`, `a fetch failed`, `the next fetch is planned`',
    meaning: 'those of the directory',
  },
  nextAt: { lines: '`the next fetch is planned`', meaning: 'its time' },
  validUntil: { lines: '`using certificate`', meaning: 'when the certificate expires' },
  thread: { lines: 'lines about a server thread', meaning: 'its number, from 0' },
  tokens: { lines: '`serving order responses`', meaning: 'the issuers of accepted tokens' },
  key: { lines: '`serving order responses`', meaning: "the file of the installation's own key" },
  head: {
    lines: '`audit head`',
    meaning: 'the [head of the audit log](../how-to/verify-the-audit-log.md#keep-the-audit-head)',
  },
  bytes: {
    lines: '`migrating orders.db to the schema of this version`, `the write-ahead log grows`',
    meaning:
      'the size of `orders.db` before its [migration](storage.md#the-migration-from-earlier-schemas), or of its log',
  },
  resources: {
    lines: '`filling the search index of orders.db`',
    meaning: 'the number of resources that the index has',
  },
  entries: {
    lines: '`filling the index of the audit log of orders.db`',
    meaning: 'the number of entries that the index has',
  },
  total: { lines: '`filling the …`', meaning: 'the number of all of them' },
  endpoint: { lines: '`sending telemetry`, GZ601', meaning: 'the address of the collector' },
  lines: { lines: 'GZ108', meaning: 'the number of lost lines' },
  problem: { lines: 'warnings and errors', meaning: 'the reason, and usually the remedy' },
  baseUrl: { lines: 'GZ304', meaning: 'of this server' },
  other: { lines: 'GZ304', meaning: 'that of the other server' },
  node: { lines: 'GZ304', meaning: 'the host name of the other server' },
  subscription: { lines: 'GZ307', meaning: 'its id' },
  receiver: {
    lines: '`announced the edition`, GZ309',
    meaning: 'the scheme, host and port of a URL of `subscriptions.webhooks`',
  },
  type: { lines: '`order responses cannot be stored`', meaning: 'the name of the error' },
  message: { lines: '`order responses cannot be stored`', meaning: 'the reason' },
  err: {
    lines: 'errors',
    meaning: '`type`, `code`, `stack` and `message`, if it cannot have data of order responses',
  },
};

interface ProblemText {
  readonly meaning: string;
  readonly remedy: string;
}

const PROBLEM_TEXTS: Readonly<Record<LogCode, ProblemText>> = {
  GZ101: {
    meaning: 'It did not exist.',
    remedy: 'If this is not the first start, check `data`.',
  },
  GZ102: {
    meaning: 'Clients on other machines cannot follow links.',
    remedy: 'Set `baseUrl` to the public address.',
  },
  GZ103: {
    meaning: 'macOS and Windows cannot do this.',
    remedy: 'Set `threads` to 1, or use Linux.',
  },
  GZ104: {
    meaning:
      'Probes and monitoring reach the other program, such as another Gazetteer, at this port.',
    remedy:
      'Set `metrics.port` to a free port, or to `off`. If a port that you set is taken, the server refuses to start.',
  },
  GZ105: {
    meaning:
      'The server can run out of file descriptors before it has `limits.connections` connections.',
    remedy:
      'Raise the limit (`LimitNOFILE` in systemd, `ulimit -n` in a shell), or lower `limits.connections`.',
  },
  GZ106: {
    meaning: 'New clients get no answer. The server logs this at most once a minute.',
    remedy:
      'Raise the limit (`LimitNOFILE` in systemd, `ulimit -n` in a shell), or lower `limits.connections`.',
  },
  GZ107: {
    meaning:
      'The unit has `Type=notify`, so systemd waits for the message, and ends the server after `TimeoutStartSec`.',
    remedy: 'Install the program `systemd-notify`, or set `Type=exec`.',
  },
  GZ108: {
    meaning: 'They could not be written, and stood before this line.',
    remedy: 'Do what [When the log cannot be written](#when-the-log-cannot-be-written) says.',
  },
  GZ110: {
    meaning: 'Requests that the thread was answering have no answer.',
    remedy: 'Report the line to the developers, or add memory.',
  },
  GZ111: {
    meaning: '',
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
    meaning: 'The server keeps its certificate.',
    remedy: 'Correct the files, and send SIGHUP again.',
  },
  GZ140: {
    meaning: 'The exit code is 1.',
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
    meaning: 'The server keeps its edition.',
    remedy: 'Check the disk or the database, or import again.',
  },
  GZ204: {
    meaning: 'Only links to its pages are affected.',
    remedy: 'Check the disk or the database.',
  },
  GZ205: {
    meaning: 'A row was changed or is missing.',
    remedy: 'Run `gazetteer verify`, check the disk, and import again.',
  },
  GZ206: {
    meaning: '',
    remedy: 'Import a release file.',
  },
  GZ207: {
    meaning:
      'Downloads of a file for analysis get status 503. `/editions/current.xml` is answered ' +
      'without a file. The server tries again after half a minute.',
    remedy: 'Check the free space and the permissions of the data folder.',
  },
  GZ208: {
    meaning: 'The server keeps those that it has, or has none.',
    remedy: 'Run `gazetteer import-postcodes` again.',
  },
  GZ209: {
    meaning: 'The server keeps those that it has, or has none.',
    remedy: 'Run `gazetteer import-practitioners` again.',
  },
  GZ210: {
    meaning: 'The disk is full or failing.',
    remedy: 'Free space, or replace the disk.',
  },
  GZ211: {
    meaning:
      'The server continues with the editions that it has. It has none on a machine that has not ' +
      'served them before: requests for the directory then get status 503.',
    remedy: 'Check the database and the network.',
  },
  GZ301: {
    meaning: 'A write failed. Clients got status 503 or 500.',
    remedy: 'Check the disk or the database.',
  },
  GZ302: {
    meaning: '',
    remedy: 'Look at GZ301 before it.',
  },
  GZ303: {
    meaning: 'SQLite cannot truncate `orders.db-wal`.',
    remedy:
      'Wait for the export, backup or verification, or end the program that reads `orders.db`.',
  },
  GZ304: {
    meaning: '',
    remedy: 'Set the same `baseUrl` on all machines, and restart the servers.',
  },
  GZ305: {
    meaning: 'A search or a page of changes failed. Clients got status 503.',
    remedy: 'Check the disk or the database.',
  },
  GZ306: {
    meaning:
      'A replica without the last writes became the primary: acknowledged writes no longer exist.',
    remedy: 'See [What to know](database.md#what-to-know).',
  },
  GZ307: {
    meaning:
      'The receiver answered 410 or failed for too long, the end has passed, or the subscription cannot be read.',
    remedy:
      'Correct the receiver, or `end`, and [request it again](../how-to/get-notifications.md#what-a-receiver-must-know).',
  },
  GZ308: {
    meaning: '',
    remedy: 'Report the fault.',
  },
  GZ309: {
    meaning:
      'The server tries again, after an answer of 410 with the next edition, and logs only a new reason.',
    remedy:
      'Do what `problem` says, or correct the [receiver](../how-to/get-notifications.md#get-notifications-of-editions).',
  },
  GZ310: {
    meaning: 'A fault of the program. Deliveries continue within a minute, and nothing is lost.',
    remedy: 'Report the line to the developers.',
  },
  GZ401: {
    meaning: 'The server cannot fetch or read keys, or cannot reach the issuer.',
    remedy: 'Check the settings `auth.*`, the issuer and the network.',
  },
  GZ402: {
    meaning: 'The server keeps its API keys.',
    remedy: 'Correct the file of `directory.r4.apiKeys`.',
  },
  GZ403: {
    meaning: 'Everyone who can reach the server can read and write its order responses.',
    remedy: 'Set `pages.giveTokens` to false, unless all order responses are invented.',
  },
  GZ501: {
    meaning: 'The directory stays unchanged. The server tries again.',
    remedy: 'Do what `problem` says.',
  },
  GZ502: {
    meaning: '',
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
  GZ507: {
    meaning: 'The edition is published. `problem` describes the warning.',
    remedy: 'Do what `problem` says.',
  },
  GZ601: {
    meaning: 'The server drops the spans. It logs only the first failure.',
    remedy: 'Check `telemetry.endpoint`, `telemetry.headersFile` and the collector.',
  },
};

/** Lines, and their fields with what a name does not say. */
export function logFieldRows(): string[][] {
  const byLines = Map.groupBy(Object.entries(LOG_FIELDS), ([, { lines }]) => lines);
  return Array.from(byLines, ([lines, fields]) => [
    lines,
    `${fields
      .map(([name, { meaning }]) => (meaning === '' ? `\`${name}\`` : `\`${name}\` (${meaning})`))
      .join(', ')}.`,
  ]);
}

/** Code, level, message, and the meaning with the remedy. */
export function logProblemRows(): string[][] {
  return Object.keys(LOG_PROBLEMS)
    .filter(isLogCode)
    .map((code) => {
      const { level, message } = LOG_PROBLEMS[code];
      const { meaning, remedy } = PROBLEM_TEXTS[code];
      return [`\`${code}\``, level, `\`${message}\``, `${meaning} ${remedy}`.trim()];
    });
}

function isLogCode(code: string): code is LogCode {
  return Object.hasOwn(LOG_PROBLEMS, code);
}
