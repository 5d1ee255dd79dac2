/** A proxy between a client and a PostgreSQL server that cuts connections around a COMMIT. */
import { once } from 'node:events';
import { connect as connectSocket, createServer, type Socket } from 'node:net';

/** Where the connection of the next COMMIT is cut. */
export type Cut =
  /** The server gets all statements before it. */
  | 'before the COMMIT'
  /** The server gets a part of it. */
  | 'within the COMMIT'
  /** The server carries it out, and the client gets no answer. */
  | 'after the COMMIT';

export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connections of the next COMMITs so, one each. */
  cutNext(...cuts: Cut[]): void;
  /** The cuts that are left. */
  readonly cutsLeft: number;
  /** New connections are refused while this is set. */
  isClosed: boolean;
  /** The connections that are open now stay open, and all their bytes are lost. */
  silence(): void;
  stop(): Promise<void>;
}

/** A simple query of the protocol: a letter, its length, its text and a zero byte. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const cuts: Cut[] = [];
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let isClosed = false;

  const listener = createServer((client) => {
    if (isClosed) {
      client.destroy();
      return;
    }
    const server = connectSocket(serverPort, '127.0.0.1');
    let isCut = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (socket === server || !isCut) for (const each of [client, server]) each.destroy();
      });
    }
    server.on('data', (bytes: Buffer) => {
      if (silent.has(client)) return;
      if (!isCut) client.write(bytes);
      // The server has answered, so it has carried the COMMIT out.
      else if (bytes.includes('COMMIT')) server.destroy();
    });
    client.on('data', (bytes: Buffer) => {
      if (silent.has(client)) return;
      const at = bytes.indexOf(COMMIT);
      const cut = at < 0 ? undefined : cuts.shift();
      if (cut === undefined) {
        server.write(bytes);
        return;
      }
      isCut = cut === 'after the COMMIT';
      const ends = { 'before the COMMIT': at, 'within the COMMIT': at + 7, 'after the COMMIT': at };
      if (isCut) {
        server.write(bytes);
        client.destroy();
      } else server.end(bytes.subarray(0, ends[cut]), () => client.destroy());
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cutNext: (...more) => cuts.push(...more),
    get cutsLeft() {
      return cuts.length;
    },
    get isClosed() {
      return isClosed;
    },
    set isClosed(value) {
      isClosed = value;
      if (value) for (const socket of sockets) socket.destroy();
    },
    silence: () => {
      for (const socket of sockets) silent.add(socket);
    },
    stop: async () => {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, 'close');
    },
  };
}
