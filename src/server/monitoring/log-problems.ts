/**
 * The warnings and errors of the log. Operators search for the code of a line, so a code never
 * changes its meaning, and the code of a line that is removed is never used again. The hundreds
 * group the codes: server, directory, order responses, keys, fetches, telemetry.
 */

interface LoggedProblem {
  readonly level: 'warn' | 'error' | 'fatal';
  readonly message: string;
}

export const LOG_PROBLEMS = {
  GZ101: { level: 'warn', message: 'created the data folder' },
  GZ102: {
    level: 'warn',
    message:
      'links in answers begin with an address of this machine; for clients on other machines set --base-url',
  },
  GZ103: {
    level: 'warn',
    message: 'this platform cannot share a port: the server runs one thread',
  },
  GZ104: {
    level: 'warn',
    message: 'another program has the default port of health and metrics: the server has none',
  },
  GZ105: {
    level: 'warn',
    message: 'the limit of open files is below limits.connections',
  },
  GZ106: {
    level: 'error',
    message: 'out of file descriptors: new connections are closed',
  },
  GZ107: { level: 'error', message: 'cannot tell systemd that the server listens' },
  GZ108: { level: 'error', message: 'lines of the log were lost' },
  GZ110: { level: 'error', message: 'a server thread died' },
  GZ111: { level: 'warn', message: 'a server thread is replaced' },
  GZ112: { level: 'error', message: 'a server thread cannot listen' },
  GZ120: { level: 'error', message: 'a request ended in a fault' },
  GZ130: { level: 'error', message: 'cannot reload the certificate' },
  GZ140: { level: 'fatal', message: 'the server ends with an error' },
  GZ201: { level: 'warn', message: 'there is no edition yet' },
  GZ202: { level: 'error', message: 'cannot open the edition' },
  GZ203: { level: 'error', message: 'cannot load an edition' },
  GZ204: { level: 'error', message: 'cannot load a replaced edition' },
  GZ205: {
    level: 'error',
    message: 'the list of editions is damaged: the server does not use the damaged row',
  },
  GZ206: { level: 'warn', message: 'the edition has no relationships' },
  GZ207: { level: 'error', message: 'cannot make a file of the edition' },
  GZ208: { level: 'error', message: 'cannot load the postcodes' },
  GZ209: { level: 'error', message: 'cannot load the practitioners' },
  GZ210: {
    level: 'error',
    message: 'cannot write to the disk: the server serves the stored directory',
  },
  GZ211: {
    level: 'error',
    message: 'cannot reach the database: the server cannot look for new editions',
  },
  GZ301: { level: 'error', message: 'order responses cannot be stored' },
  GZ302: { level: 'warn', message: 'the storage thread is replaced' },
  GZ303: { level: 'warn', message: 'the write-ahead log grows' },
  GZ304: { level: 'warn', message: 'another server of this database has a different baseUrl' },
  GZ305: { level: 'error', message: 'order responses cannot be read' },
  GZ306: { level: 'error', message: 'the database has lost writes that were stored' },
  GZ307: { level: 'warn', message: 'notifications of a subscription have ended' },
  GZ308: { level: 'error', message: 'the delivery thread is replaced' },
  GZ309: { level: 'warn', message: 'cannot announce the edition to a receiver' },
  GZ310: { level: 'error', message: 'a fault delays notifications' },
  GZ401: { level: 'warn', message: 'cannot use the keys or the issuer of tokens' },
  GZ402: { level: 'warn', message: 'the file of API keys cannot be used' },
  GZ403: { level: 'warn', message: 'the pages give everyone a token for order responses' },
  GZ501: { level: 'warn', message: 'a fetch failed' },
  GZ502: { level: 'error', message: 'a fetch could not be started' },
  GZ503: { level: 'error', message: 'the server no longer fetches' },
  GZ504: { level: 'warn', message: 'the time of the next fetch cannot be read' },
  GZ505: { level: 'warn', message: 'the time of the next fetch cannot be shared' },
  GZ506: { level: 'warn', message: 'the time of the next fetch cannot be stored' },
  GZ507: { level: 'warn', message: 'a fetch succeeded with a warning' },
  GZ601: { level: 'warn', message: 'cannot send telemetry' },
} as const satisfies Readonly<Record<string, LoggedProblem>>;

export type LogCode = keyof typeof LOG_PROBLEMS;
