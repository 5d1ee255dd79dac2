/** Starts servers on a free port of the loopback interface. */
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import type { Owner } from './owner.ts';

/** Returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

/** The same, and closes the server with its connections after the test. */
export async function serveOnLoopback(
  owner: Owner,
  server: HttpServer | HttpsServer,
): Promise<number> {
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return await listenOnLoopback(server);
}

/** A port that no server uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}
