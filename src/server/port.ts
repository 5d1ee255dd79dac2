/** The port of the server: reserved before threads share it, and what is said when it cannot be. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServerError } from './server-error.ts';

/** The flags that a message names as the remedy. */
export interface ListenFlags {
  readonly host: string;
  readonly port: string;
}

export interface ReservedPort {
  readonly port: number;
  /** To be called when the threads listen on it. */
  release(): void;
}

/**
 * The port that threads are to share. A port that was chosen is first bound alone, because with
 * `reusePort` a second program could share it unnoticed. For 0 the system chooses a free one, which
 * is held until it is released: it may be given to an outgoing connection of any program otherwise.
 */
export async function reservePort(host: string, port: number): Promise<ReservedPort> {
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
    throw listenError(error, host, port, { host: '--host', port: '--port' });
  }
}

/** Where the platform cannot share a port, one thread serves. */
export function canSharePort(platform: string = process.platform): boolean {
  return SHARING_PLATFORMS.has(platform);
}

/** Where Node can set SO_REUSEPORT so that connections are shared out. */
const SHARING_PLATFORMS = new Set(['linux', 'freebsd', 'dragonfly', 'solaris', 'aix']);

/** What the system says about an address as one line with a remedy. */
export function listenError(
  error: unknown,
  host: string,
  port: number,
  flags: ListenFlags,
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(
        `Port ${port} on ${host} is taken by another program. ` +
          `Stop it, or choose another port with ${flags.port}.`,
      );
    case 'EACCES':
      return new ServerError(
        `Port ${port} may not be used. Choose one above 1023 with ${flags.port}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(
        `${host} is no address of this machine. ` +
          `Choose one with ${flags.host}: 127.0.0.1, 0.0.0.0 or ::.`,
      );
    default:
      return new ServerError(`Cannot listen on ${host}, port ${port}: ${error.message}`);
  }
}
