/**
 * The connections of one listener: it answers pipelined requests in turn, and stops without
 * losing an answer.
 */
import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Connections {
  /** To be called for each new connection; before its handshake, where it speaks TLS. */
  accept(socket: Socket): void;
  /** To be called when the connection is ready for requests. */
  open(socket: Socket): void;
  /** Calls `answer` when all earlier requests of the connection have been answered. */
  begin(outgoing: ServerResponse, answer: (outgoing: ServerResponse) => void): void;
  /**
   * Calls `refuse` for bytes that are not a request, after the requests before them have been
   * answered. Closes the connection where the bytes belong to a request that was already
   * answered.
   */
  refuse(socket: Duplex, refuse: () => void): void;
  /** Whether the answer that begins now must have `Connection: close`. */
  isLast(outgoing: ServerResponse): boolean;
  /** Whether the client waits for the server, and not the server for the client. */
  isWaiting(socket: Socket): boolean;
  /**
   * Accepts the connections that wait in the queue, and closes each connection after its last
   * answer.
   */
  stop(): void;
}

interface Connection {
  readonly socket: Socket;
  /** The answer to the newest request. */
  newest: ServerResponse | undefined;
  /** Requests that wait for the answers to earlier ones. */
  waiting: number;
  /** Replaces the answer to the newest request, whose body is not valid. */
  refuseNewest: (() => void) | undefined;
  /** Whether the client pipelines requests: more of them may wait than the server has read. */
  isPipelined: boolean;
}

/** `server` is the server that accepts the connections. */
export function createConnections(server: NetServer): Connections {
  const connections = new Map<Duplex, Connection>();
  /** By the address of the client: connections whose TLS handshake is not finished. */
  const handshakes = new Map<string, Socket>();
  let accepted = 0;
  let isStopping = false;
  let closesIdle = false;

  /**
   * Closes an idle connection two turns of the event loop later: by then the server has read
   * what arrived.
   */
  const closeWhenIdle = (connection: Connection): void => {
    if (closesIdle) afterTurns(2, () => isIdle(connection) && closeGently(connection.socket));
  };
  const watchEnd = (connection: Connection): void => {
    const { newest } = connection;
    newest?.once('close', () => closeWhenIdle(connection));
    // The rest of a refused body is read after its answer.
    newest?.req.once('close', () => closeWhenIdle(connection));
  };
  const stopListening = (): void => {
    // The close of Node's HTTP servers destroys every connection whose request has been read, also
    // where the client has not received the whole answer yet.
    NetServer.prototype.close.call(server);
    setTimeout(() => {
      closesIdle = true;
      for (const socket of handshakes.values()) socket.destroy();
      for (const connection of connections.values()) closeWhenIdle(connection);
    }, IDLE_MS);
  };

  return {
    accept: (socket) => {
      accepted += 1;
      const peer = peerName(socket);
      handshakes.set(peer, socket);
      socket.once('close', () => handshakes.get(peer) === socket && handshakes.delete(peer));
    },
    open: (socket) => {
      handshakes.delete(peerName(socket));
      const connection: Connection = {
        socket,
        newest: undefined,
        waiting: 0,
        refuseNewest: undefined,
        isPipelined: false,
      };
      connections.set(socket, connection);
      socket.once('close', () => connections.delete(socket));
      // Node resumes the connection when it has read a request.
      socket.on('resume', () => connection.waiting >= WAITING_MAX && socket.pause());
    },
    begin: (outgoing, answer) => {
      const { socket } = outgoing.req;
      const connection = connections.get(socket);
      // A request that arrives after the end of the connection gets no answer.
      if (connection === undefined || socket.writableEnded) return;
      const before = connection.newest;
      connection.newest = outgoing;
      if (isStopping) watchEnd(connection);
      if (before !== undefined && !isDone(before)) {
        connection.isPipelined = true;
        connection.waiting += 1;
        if (connection.waiting === WAITING_MAX) socket.pause();
        before.once('close', () => {
          connection.waiting -= 1;
          if (connection.waiting === WAITING_MAX - 1) socket.resume();
          if (!socket.writable) return;
          const refuse = connection.newest === outgoing ? connection.refuseNewest : undefined;
          if (refuse === undefined) answer(outgoing);
          else refuse();
        });
      } else if (isStopping) {
        // In the next turn the server knows whether more requests arrived with this one.
        setImmediate(answer, outgoing);
      } else {
        answer(outgoing);
      }
    },
    refuse: (socket, refuse) => {
      const connection = connections.get(socket);
      const newest = connection?.newest;
      if (connection === undefined || newest === undefined) return refuse();
      const { complete: isRead } = newest.req;
      const then = isRead ? refuse : () => socket.destroy();
      if (isDone(newest)) then();
      else if (isRead || newest.headersSent) newest.once('close', then);
      // An answer has no socket before its turn.
      else if (newest.socket === null) connection.refuseNewest = refuse;
      else refuse();
    },
    isLast: (outgoing) => {
      if (!isStopping) return false;
      const connection = connections.get(outgoing.req.socket);
      // Node destroys the connection after its last answer; bytes that were not read by then would
      // make the system reset it, and the client might lose the answer.
      const isRead = connection?.newest === outgoing && outgoing.req.complete;
      return isRead && !connection.isPipelined;
    },
    isWaiting: (socket) => {
      const newest = connections.get(socket)?.newest;
      return newest !== undefined && !isDone(newest) && socket.writableLength === 0;
    },
    stop: () => {
      isStopping = true;
      for (const connection of connections.values()) watchEnd(connection);
      afterAccepting(() => accepted, stopListening);
    },
  };
}

/** Whether the system has taken the whole answer, or the client is gone. */
function isDone(answer: ServerResponse): boolean {
  return answer.writableFinished || answer.destroyed;
}

function isIdle({ newest }: Connection): boolean {
  return newest === undefined || (isDone(newest) && newest.req.complete);
}

/**
 * Ends the server's side of the connection, and reads what the client still sends, so that the
 * system does not reset the connection.
 */
function closeGently(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Calls `then` when the connections that the system has queued are accepted: none came in two
 * turns of the event loop, or as many as the queue can hold.
 */
function afterAccepting(accepted: () => number, then: () => void): void {
  const end = accepted() + QUEUE_LENGTH;
  const look = (before: number): void =>
    afterTurns(2, () => {
      const now = accepted();
      if (now === before || now >= end) then();
      else look(now);
    });
  look(accepted());
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else setImmediate(() => afterTurns(turns - 1, then));
}

/** The same for a connection and for the TLS that it carries. */
export function peerName({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** A client that sends more requests before it has answers is not read until they are fewer. */
const WAITING_MAX = 16;

/** The backlog of `listen` that Node sets. */
const QUEUE_LENGTH = 511;

/** Requests that are in transit when the server gets the signal to stop arrive within this time. */
const IDLE_MS = 100;

/** A client closes its side at once when it sees that the server has closed its own. */
const LINGER_MS = 1000;
