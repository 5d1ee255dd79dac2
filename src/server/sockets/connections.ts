/**
 * The connections of one listener: it answers pipelined requests in order, and stops without
 * losing an answer.
 */
import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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

export class Connections {
  readonly #server: NetServer;
  readonly #connections = new Map<Duplex, Connection>();
  /** By the address of the client: connections whose TLS handshake is not finished. */
  readonly #handshakes = new Map<string, Socket>();
  #accepted = 0;
  #isStopping = false;
  #closesIdle = false;

  /** `server` is the server that accepts the connections. */
  constructor(server: NetServer) {
    this.#server = server;
  }

  /** Registers a new connection. If it uses TLS, call this before the handshake. */
  accept(socket: Socket): void {
    this.#accepted += 1;
    const peer = peerName(socket);
    this.#handshakes.set(peer, socket);
    socket.once('close', () => {
      if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer);
    });
  }

  /** Registers a connection that is ready for requests. */
  open(socket: Socket): void {
    this.#handshakes.delete(peerName(socket));
    const connection: Connection = {
      socket,
      newest: undefined,
      waiting: 0,
      refuseNewest: undefined,
      isPipelined: false,
    };
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    // Node resumes the connection when it has read a request.
    socket.on('resume', () => connection.waiting >= WAITING_MAX && socket.pause());
  }

  /** Calls `answer` when all earlier requests of the connection have been answered. */
  begin(outgoing: ServerResponse, answer: (outgoing: ServerResponse) => void): void {
    const { socket } = outgoing.req;
    const connection = this.#connections.get(socket);
    // A request that arrives after the end of the connection gets no answer.
    if (connection === undefined || socket.writableEnded) return;
    const before = connection.newest;
    connection.newest = outgoing;
    if (this.#isStopping) this.#watchEnd(connection);
    if (before !== undefined && !isDone(before)) {
      answerAfter(before, connection, () => answer(outgoing));
    } else if (this.#isStopping) {
      // In the next turn the server knows whether more requests arrived with this one.
      setImmediate(answer, outgoing);
    } else {
      answer(outgoing);
    }
  }

  /**
   * Calls `refuse` for bytes that are not a request, after the requests before them have been
   * answered. Closes the connection if the bytes belong to a request that was already answered.
   */
  refuse(socket: Duplex, refuse: () => void): void {
    const connection = this.#connections.get(socket);
    const newest = connection?.newest;
    if (connection === undefined || newest === undefined) {
      refuse();
      return;
    }
    const { complete: isRead } = newest.req;
    const then = isRead ? refuse : () => socket.destroy();
    if (isDone(newest)) then();
    else if (isRead || newest.headersSent) newest.once('close', then);
    // An answer has no socket before its turn.
    else if (newest.socket === null) connection.refuseNewest = refuse;
    else refuse();
  }

  /** Whether the answer that begins now must have `Connection: close`. */
  isLast(outgoing: ServerResponse): boolean {
    if (!this.#isStopping) return false;
    const connection = this.#connections.get(outgoing.req.socket);
    // Node destroys the connection after its last answer. If the server has not read all bytes by
    // then, the system resets the connection, and the client can lose the answer.
    const isRead = connection?.newest === outgoing && outgoing.req.complete;
    return isRead && !connection.isPipelined;
  }

  /** Whether the client waits for the server, and not the server for the client. */
  isWaiting(socket: Socket): boolean {
    const newest = this.#connections.get(socket)?.newest;
    return newest !== undefined && !isDone(newest) && socket.writableLength === 0;
  }

  /**
   * Accepts the connections that wait in the queue, and closes each connection after its last
   * answer.
   */
  stop(): void {
    this.#isStopping = true;
    for (const connection of this.#connections.values()) this.#watchEnd(connection);
    afterAccepting(
      () => this.#accepted,
      () => this.#stopListening(),
    );
  }

  #stopListening(): void {
    // The close of Node's HTTP servers destroys every connection whose request has been read, even
    // if the client has not received the whole answer.
    NetServer.prototype.close.call(this.#server);
    setTimeout(() => {
      this.#closesIdle = true;
      for (const socket of this.#handshakes.values()) socket.destroy();
      for (const connection of this.#connections.values()) this.#closeWhenIdle(connection);
    }, IDLE_MS);
  }

  #watchEnd(connection: Connection): void {
    const { newest } = connection;
    newest?.once('close', () => this.#closeWhenIdle(connection));
    // The server reads the rest of a refused body after its answer.
    newest?.req.once('close', () => this.#closeWhenIdle(connection));
  }

  /**
   * Closes an idle connection two turns of the event loop later: by then the server has read
   * what arrived.
   */
  #closeWhenIdle(connection: Connection): void {
    if (!this.#closesIdle) return;
    afterTurns(2, () => isIdle(connection) && closeGently(connection.socket));
  }
}

/** Calls `answer` for the newest request when the answer `before` is done. */
function answerAfter(before: ServerResponse, connection: Connection, answer: () => void): void {
  const { socket, newest } = connection;
  connection.isPipelined = true;
  connection.waiting += 1;
  if (connection.waiting === WAITING_MAX) socket.pause();
  before.once('close', () => {
    connection.waiting -= 1;
    if (connection.waiting === WAITING_MAX - 1) socket.resume();
    if (!socket.writable) return;
    const refuse = connection.newest === newest ? connection.refuseNewest : undefined;
    if (refuse === undefined) answer();
    else refuse();
  });
}

/** Whether the system has received the whole answer, or the client has disconnected. */
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
  const check = (before: number): void =>
    afterTurns(2, () => {
      const now = accepted();
      if (now === before || now >= end) then();
      else check(now);
    });
  check(accepted());
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else setImmediate(() => afterTurns(turns - 1, then));
}

/** The address of the client, which is the same for a connection and for its TLS socket. */
export function peerName({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The server stops reading from a client while this many of its requests wait for answers. */
const WAITING_MAX = 16;

/** The backlog of `listen` that Node sets. */
const QUEUE_LENGTH = 511;

/** Requests that are in transit when the server gets the signal to stop arrive within this time. */
const IDLE_MS = 100;

/** A client closes its side at once when it sees that the server has closed its own. */
const LINGER_MS = 1000;
