/** The errors of PostgreSQL and of its connections, each as a sentence that names the remedy. */
import pg from 'pg';
import { StorageError, type StorageErrorKind } from '../../files/storage-error.ts';

/** A connection was lost, or there is none. Statements sent over it may have been carried out. */
export class ConnectionLost extends StorageError {
  constructor(message: string, cause?: unknown) {
    super('unreachable', message, cause);
  }
}

/** What a message may name. */
export interface ErrorContext {
  /** `db1:5432` */
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

/** The SQLSTATE of an error that the server sent. */
export function sqlStateOf(fault: unknown): string | undefined {
  if (fault instanceof pg.DatabaseError) return fault.code;
  return fault instanceof StorageError ? sqlStateOf(fault.cause) : undefined;
}

/** Whether the same transaction can succeed when it is repeated. */
export function isTransient(fault: unknown): boolean {
  return TRANSIENT.has(sqlStateOf(fault) ?? '');
}

/** `serialization_failure`, `deadlock_detected`, `lock_not_available` */
const TRANSIENT = new Set(['40001', '40P01', '55P03']);

/**
 * Turns an error of the server or of the connection into a `StorageError`. Errors of the program,
 * such as a violated constraint, are returned as they are.
 */
export function databaseError(fault: unknown, context: ErrorContext): unknown {
  if (!(fault instanceof Error) || fault instanceof StorageError) return fault;
  if (!(fault instanceof pg.DatabaseError)) return connectionError(fault, context);
  if (endsSession(fault)) {
    return new ConnectionLost(
      `${context.host}: the server ended the connection: ${fault.message}`,
      fault,
    );
  }
  const reason = reasonOf(fault, context);
  return reason === undefined
    ? fault
    : new StorageError(reason[0], `${context.host}: ${reason[1]}`, fault);
}

/** Class 57 is an operator's action. A server that only reads is a former primary. */
function endsSession({ code = '', severity }: pg.DatabaseError): boolean {
  return ENDS_SESSION.test(code) || severity === 'PANIC';
}

/**
 * Too many connections; the server shuts down, crashed, or starts; the session was idle for too
 * long; the server no longer accepts writes.
 */
const ENDS_SESSION = /^(?:08...|53300|57P0.|25P03|25006)$/;

function reasonOf(
  { code = '', message }: pg.DatabaseError,
  { user, database }: ErrorContext,
): readonly [StorageErrorKind, string] | undefined {
  switch (code) {
    case '28P01':
      return [
        'denied',
        `the password of the user ${user} is wrong; check database.url, ` +
          'database.passwordFile, PGPASSWORD and ~/.pgpass',
      ];
    case '28000':
      return ['denied', `the server refuses the user ${user}: ${message}`];
    case '3D000':
      return [
        'unusable',
        `there is no database ${database}; create it with "createdb ${database}", or correct database.url`,
      ];
    case '42501':
      return [
        'denied',
        `the user ${user} lacks a right: ${message}; connect as the owner of the database, or for a ` +
          'server, run the SQL that "gazetteer database grants" prints',
      ];
    case '42P01':
    case '42703':
      return ['unusable', `${message}; run "gazetteer database migrate"`];
    case '53100':
      return ['full', 'no space is left on the disk of the database server; free some space'];
    case '53200':
      return ['unreachable', 'the database server has no memory left; give it more, and try again'];
    case '40001':
    case '40P01':
      return ['locked', `other transactions prevent this one: ${message}; try again`];
    case '55P03':
      return ['locked', 'another session holds a lock for too long; try again'];
    case '57014':
      return ['unreachable', 'the database server took too long for a statement; try again'];
    case '58030':
      return ['disk', `the disk of the database server reports an error: ${message}`];
    default:
      return code.startsWith('XX') ? ['damaged', `the database is damaged: ${message}`] : undefined;
  }
}

/** Errors of the socket, of TLS and of the library, which has no class for its own errors. */
function connectionError(fault: Error, { host, user }: ErrorContext): Error {
  const code = 'code' in fault ? String(fault.code) : '';
  const { message } = fault;
  const refused = (why: string) => new StorageError('denied', `${host}: ${why}`, fault);
  const certificateProblem =
    /^(?:CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_)/.test(code) ||
    /certificate/i.test(message);
  if (certificateProblem) {
    return refused(
      `the certificate of the server is refused: ${message}; set database.caFile to the ` +
        'certificate of its authority, and use a host name that is in the certificate',
    );
  }
  if (/does not support SSL/i.test(message)) {
    return refused(
      'the server does not offer TLS; switch it on there, or add ?sslmode=disable to ' +
        'database.url in a network that you trust',
    );
  }
  if (/password must be a string/i.test(message)) {
    return refused(
      `the server asks for the password of the user ${user}, and there is none; give it in ` +
        'database.passwordFile, PGPASSWORD or ~/.pgpass',
    );
  }
  if (!('syscall' in fault) && !LOST.test(message)) return fault;
  const why = CONNECTION_PROBLEMS[code] ?? (message === 'timeout expired' ? 'no answer' : message);
  return new ConnectionLost(`${host}: the database is not reachable: ${why}`, fault);
}

/** The messages of the library. */
const LOST =
  /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired|write )/;

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no host with this name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
};
