/** Opens connections that send nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The connections that are opened at the same time. The queue of a listening socket is limited. */
const BATCH = 200;

/** Opens connections to a port, and returns a function that closes them. */
export async function openIdle(port: number, count: number): Promise<() => void> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(BATCH, count - sockets.length) }, () =>
      connect({ host: '127.0.0.1', port }),
    );
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    sockets.push(...batch);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
