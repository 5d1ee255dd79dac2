/**
 * Reserves the port of the server before the threads share it, and explains why a port cannot be
 * used.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The server cannot start or continue. The message says what to do. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

/** Another program listens on the port. */
export class PortTakenError extends ServerError {}

/** The flags that a message names as the remedy. */
export interface ListenFlags {
  readonly host: string;
  readonly port: string;
}

const LISTEN_FLAGS: ListenFlags = { host: '--host', port: '--port' };

export interface ReservedPort {
  readonly port: number;
  /** Call it when the threads listen on the port. */
  release(): void;
}

/**
 * Reserves the port that the threads share. A configured port is first bound without
 * `reusePort`, because with it a second program could share the port unnoticed. For 0 the system
 * chooses a free port. This function holds it until `release`, because the system could
 * otherwise give it to an outgoing connection.
 */
export async function reservePort(
  host: string,
  port: number,
  flags: ListenFlags = LISTEN_FLAGS,
): Promise<ReservedPort> {
  const isHeld = port === 0 && canSharePort();
  const probe = createServer((socket) => socket.destroy());
  const release = () => void probe.close();
  try {
    probe.listen({ host, port, ...(isHeld ? { reusePort: true } : { exclusive: true }) });
    await once(probe, 'listening');
    const address = probe.address();
    if (!isHeld) release();
    return {
      port: typeof address === 'object' && address !== null ? address.port : port,
      release: isHeld ? release : () => {},
    };
  } catch (error) {
    throw listenError(error, host, port, flags);
  }
}

/** Whether threads can share a port. If they cannot, the server runs one thread. */
export function canSharePort(platform: string = process.platform): boolean {
  return SHARING_PLATFORMS.has(platform);
}

/** The platforms on which SO_REUSEPORT distributes connections. */
const SHARING_PLATFORMS = new Set(['linux', 'freebsd', 'dragonfly', 'solaris', 'aix']);

/** Describes an error of `listen` in one line with a remedy. */
export function listenError(
  error: unknown,
  host: string,
  port: number,
  flags: ListenFlags,
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { message, code } = error;
  return describeListenFailure({ message, code }, host, port, flags);
}

/** An error of `listen` as a thread can send it. */
export interface ListenFailure {
  readonly message: string;
  /** The system's code: `EADDRINUSE`. */
  readonly code: unknown;
}

/** As `listenError`, for the error of a thread. */
export function describeListenFailure(
  { message, code }: ListenFailure,
  host: string,
  port: number,
  flags: ListenFlags = LISTEN_FLAGS,
): ServerError {
  switch (code) {
    case 'EADDRINUSE':
      return new PortTakenError(
        `Port ${port} on ${host} is taken by another program. ` +
          `Stop it, or choose another port with ${flags.port}.`,
      );
    case 'EACCES':
      return new ServerError(
        `The system does not allow this user to use port ${port}. Choose one above 1023 with ${flags.port}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(
        `${host} is not an address of this machine. ` +
          `Choose one with ${flags.host}: 127.0.0.1, 0.0.0.0 or ::.`,
      );
    default:
      return new ServerError(`Cannot listen on ${host}, port ${port}: ${message}`);
  }
}
