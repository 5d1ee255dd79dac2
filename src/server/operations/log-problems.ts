/**
 * The warnings and errors of the log. Operators search for the code of a line, so a code never
 * changes its meaning, and the code of a line that is removed is never used again. The hundreds
 * group the codes: server, directory, order responses, keys, fetches, telemetry.
 */

interface LoggedProblem {
  readonly level: 'warn' | 'error' | 'fatal';
  readonly message: string;
  /** Sentences for the reference. */
  readonly meaning: string;
  readonly remedy: string;
}

export const LOG_PROBLEMS = {
  GZ101: {
    level: 'warn',
    message: 'created the data folder',
    meaning: 'The folder of `data` did not exist.',
    remedy:
      'If this is the first start, do nothing. Otherwise check `data`: the server may use the wrong folder.',
  },
  GZ102: {
    level: 'warn',
    message:
      'links in answers begin with an address of this machine; for clients on other machines set --base-url',
    meaning: 'Clients on other machines can reach the server, but cannot follow its links.',
    remedy: 'Set `baseUrl` to the public address.',
  },
  GZ103: {
    level: 'warn',
    message: 'this platform cannot share a port: the server runs one thread',
    meaning: 'macOS and Windows cannot share a port between threads.',
    remedy: 'Set `threads` to 1. To use all cores, run the server on Linux.',
  },
  GZ110: {
    level: 'error',
    message: 'a server thread died',
    meaning: 'A fault ended a thread. The requests that it was answering have no answer.',
    remedy: 'Report the line to the developers. If the machine is short of memory, add memory.',
  },
  GZ111: {
    level: 'warn',
    message: 'a server thread is replaced',
    meaning: 'A new thread takes the place of one that died.',
    remedy: 'Look at the line with GZ110 before it.',
  },
  GZ112: {
    level: 'error',
    message: 'a server thread cannot listen',
    meaning: 'The new thread cannot share the port. The other threads continue.',
    remedy: 'The field `reason` has the cause. Remove the cause, and restart the server.',
  },
  GZ120: {
    level: 'error',
    message: 'a request ended in a fault',
    meaning: 'The program failed. The client got status 500, or the connection was closed.',
    remedy: 'Report the line to the developers. It contains no data of order responses.',
  },
  GZ130: {
    level: 'error',
    message: 'cannot reload the certificate',
    meaning: 'The files cannot be used. The server continues with the certificate that it has.',
    remedy: 'Correct the files of `tls.certificate` and `tls.key`, and send SIGHUP again.',
  },
  GZ140: {
    level: 'fatal',
    message: 'the server ends with an error',
    meaning: 'The server cannot start or continue. The exit code is 1.',
    remedy:
      'The field `problem` has the cause and the remedy. If the line has `err` instead, report it to the developers.',
  },
  GZ201: {
    level: 'warn',
    message: 'there is no edition yet',
    meaning: 'The directory is empty. Requests for it get status 503.',
    remedy: 'Run the import command that the line shows. The server then loads the edition.',
  },
  GZ202: {
    level: 'error',
    message: 'cannot open the edition',
    meaning: 'Another version of the program made the edition.',
    remedy: 'The field `problem` has the cause and the remedy.',
  },
  GZ203: {
    level: 'error',
    message: 'cannot load an edition',
    meaning: 'A new edition cannot be read. The server continues with the one that it has.',
    remedy: 'The field `err` has the reason. Check the disk or the database, or import again.',
  },
  GZ204: {
    level: 'error',
    message: 'cannot load a replaced edition',
    meaning: 'A client follows links of an older edition, and the server cannot read that edition.',
    remedy: 'The field `err` has the reason. The current edition is not affected.',
  },
  GZ205: {
    level: 'error',
    message: 'the list of editions is damaged: the server does not use the damaged row',
    meaning: 'A row was changed or is missing. The field `finding` names it.',
    remedy: 'Run `gazetteer verify`, check the disk, and import again.',
  },
  GZ206: {
    level: 'warn',
    message: 'the edition has no relationships',
    meaning: 'Its source does not contain the relationships of organisations.',
    remedy: 'Import a release file.',
  },
  GZ207: {
    level: 'error',
    message: 'cannot make a file for analysis',
    meaning:
      'Clients that download it get status 503. After half a minute, the server tries again.',
    remedy: 'The field `err` has the reason. Most often the disk of the data folder is full.',
  },
  GZ210: {
    level: 'error',
    message: 'cannot write to the disk: the server serves the stored directory',
    meaning: 'The disk is full or failing. The field `problem` has the reason.',
    remedy:
      'Free space, or replace the disk. If the disk works again, you need not restart the server.',
  },
  GZ211: {
    level: 'error',
    message: 'cannot reach the database: the server serves the editions that it has',
    meaning: 'The server cannot look for new editions.',
    remedy:
      'Check the database and the network. When the server reaches the database again, it logs another line.',
  },
  GZ301: {
    level: 'error',
    message: 'order responses cannot be stored',
    meaning: 'A write failed. Clients got status 503 or 500.',
    remedy: 'The field `message` has the reason. Check the disk or the database.',
  },
  GZ302: {
    level: 'warn',
    message: 'the storage thread is replaced',
    meaning: 'The thread that writes order responses died, and a new one is ready.',
    remedy: 'Look at the line with GZ301 before it.',
  },
  GZ303: {
    level: 'warn',
    message: 'the write-ahead log grows',
    meaning: 'SQLite cannot truncate `orders.db-wal`. The field `problem` has the reason.',
    remedy:
      'Wait for the export, backup or verification, or end the program that reads `orders.db`.',
  },
  GZ304: {
    level: 'warn',
    message: 'another server of this database has a different baseUrl',
    meaning:
      'Links in answers differ between the servers. The fields `baseUrl` and `other` have the ' +
      'values of this server and of the server `node`, or null for a server without the setting.',
    remedy: 'Set `baseUrl` to the same public address on all machines, and restart the servers.',
  },
  GZ305: {
    level: 'error',
    message: 'order responses cannot be read',
    meaning: 'A search or a page of changes failed. Clients got status 503.',
    remedy: 'The field `problem` has the reason. Check the disk or the database.',
  },
  GZ306: {
    level: 'error',
    message: 'the database has lost writes that were stored',
    meaning:
      'A replica without the last writes became the primary, so writes that clients got status 200 or 201 for no longer exist.',
    remedy:
      'Find and repeat these writes, then run `gazetteer database confirm-losses`: see [What to know](database.md#what-to-know).',
  },
  GZ401: {
    level: 'warn',
    message: 'cannot use the keys or the issuer of tokens',
    meaning:
      'The server cannot fetch or read keys, or cannot reach the issuer. The field `problem` has the reason.',
    remedy: 'Check the settings `auth.*`, the issuer and the network.',
  },
  GZ402: {
    level: 'warn',
    message: 'the file of API keys cannot be used',
    meaning: 'The server continues with the API keys that it has.',
    remedy: 'Correct the file of `directory.r4.apiKeys`, as the field `problem` says.',
  },
  GZ403: {
    level: 'warn',
    message: 'the pages give everyone a token for order responses',
    meaning: 'Everyone who can reach the server can read and write its order responses.',
    remedy: 'Set `pages.giveTokens` to false, unless all order responses are invented.',
  },
  GZ501: {
    level: 'warn',
    message: 'a fetch failed',
    meaning: 'The directory stays unchanged. The server tries again at the planned time.',
    remedy: 'The field `problem` has the reason and the remedy.',
  },
  GZ502: {
    level: 'error',
    message: 'a fetch could not be started',
    meaning: 'The system did not start the process of the fetch.',
    remedy: 'The field `problem` has the reason. Check memory and the limits of the user.',
  },
  GZ503: {
    level: 'error',
    message: 'the server no longer fetches',
    meaning: 'A fault ended the schedule of fetches. The directory is still served.',
    remedy: 'Report the line to the developers, and restart the server.',
  },
  GZ504: {
    level: 'warn',
    message: 'the time of the next fetch cannot be read',
    meaning: 'The database cannot be reached. Another server may fetch in the meantime.',
    remedy: 'Check the database and the network.',
  },
  GZ505: {
    level: 'warn',
    message: 'the time of the next fetch cannot be shared',
    meaning: 'The database cannot be reached. Other servers may fetch again.',
    remedy: 'Check the database and the network.',
  },
  GZ506: {
    level: 'warn',
    message: 'the time of the next fetch cannot be stored',
    meaning: 'After a restart, the server may fetch earlier than planned.',
    remedy: 'Check the free space and the permissions of the data folder.',
  },
  GZ601: {
    level: 'warn',
    message: 'cannot send telemetry',
    meaning:
      'The collector does not accept spans. The server drops them, and answers requests as before. It logs the next failure only after an export has succeeded.',
    remedy: 'Check `telemetry.endpoint`, `telemetry.headersFile` and the collector.',
  },
} as const satisfies Readonly<Record<string, LoggedProblem>>;

export type LogCode = keyof typeof LOG_PROBLEMS;
