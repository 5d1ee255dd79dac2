/** The limits of the gate: connections of the server and of a client, overload, bodies. */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { FhirError } from '../../src/fhir/request/fhir-error.ts';
import {
  createGate,
  createGateMemory,
  forgetConnections,
  type Gate,
  type GateLimits,
  type GateMemory,
  openConnections,
} from '../../src/server/limits/gate.ts';

const LIMITS: GateLimits = {
  connections: 3,
  connectionsPerClient: 2,
  requestsPerSecond: 0,
  delayMs: 100,
  bodyBytesInFlight: 100,
  bodyBytesPerClient: 60,
  waiting: 3,
  waitingPerClient: 2,
};

const CLIENT = '192.0.2.1';

interface TestGate extends Gate {
  readonly refusals: string[];
  readonly memory: GateMemory;
  /** Admits a connection of a client. */
  connect(client?: string): Socket;
  /** The first issue that a request on the connection is refused with. */
  ask(socket: Socket): string | undefined;
}

function gateOf(
  options: Partial<GateLimits> & { lastingMs?: number; thread?: number } = {},
): TestGate {
  const { lastingMs = 0, thread = 0, ...limits } = options;
  const memory = createGateMemory({ ...LIMITS, ...limits }, 2, 7);
  return gateOn(memory, { ...LIMITS, ...limits }, thread, lastingMs);
}

function gateOn(memory: GateMemory, limits: GateLimits, thread = 0, lastingMs = 0): TestGate {
  const refusals: string[] = [];
  const clients = new Map<Socket, string>();
  const gate = createGate({
    limits,
    memory,
    thread,
    peerOf: (socket) => clients.get(socket),
    isFree: (path) => path.startsWith('/assets/'),
    delay: { lastingMs },
    onRefusal: (refusal) => refusals.push(refusal),
  });
  return {
    ...gate,
    refusals,
    memory,
    connect: (client = CLIENT) => {
      const socket = newSocket();
      clients.set(socket, client);
      gate.admit(socket);
      return socket;
    },
    ask: (socket) => kindOf(gate.refusalOf(socket, () => CLIENT, '/')),
  };
}

let ports = 1024;

/** A socket of a client that has its own port, as every connection has. */
function newSocket(port = ++ports): Socket {
  return Object.defineProperties(new Socket(), {
    remoteAddress: { value: CLIENT },
    remotePort: { value: port },
  });
}

function kindOf(error: FhirError | undefined): string | undefined {
  return error?.issues[0].kind;
}

const closed = (socket: Socket) => {
  socket.emit('close');
};

describe('connections', () => {
  it('are taken up to the limit of the server, and again when one is closed', () => {
    const gate = gateOf();
    const sockets = ['a', 'b', 'c', 'd'].map((client) => gate.connect(client));
    assert.deepEqual(sockets.map(gate.ask), [undefined, undefined, undefined, 'unavailable']);
    assert.deepEqual(gate.refusals, ['connections']);
    assert.equal(openConnections(gate.memory), 4);
    closed(sockets[3]!);
    closed(sockets[0]!);
    assert.equal(openConnections(gate.memory), 2);
    assert.equal(gate.ask(gate.connect('e')), undefined);
  });

  it('of one client are taken up to its limit, and again when one is closed', () => {
    const gate = gateOf();
    const sockets = [gate.connect(), gate.connect(), gate.connect()];
    assert.deepEqual(sockets.map(gate.ask), [undefined, undefined, 'throttled']);
    closed(sockets[2]!);
    closed(sockets[0]!);
    assert.equal(gate.ask(gate.connect()), undefined);
  });

  it('of one client have no limit if it is 0, or if the client is unknown', () => {
    const gate = gateOf({ connectionsPerClient: 0 });
    assert.deepEqual(
      [1, 2, 3].map(() => gate.ask(gate.connect())),
      [undefined, undefined, undefined],
    );
    const others = gateOf();
    const sockets = [1, 2, 3].map(newSocket);
    for (const socket of sockets) others.admit(socket);
    assert.deepEqual(sockets.map(others.ask), [undefined, undefined, undefined]);
  });

  it('above the limit get an answer up to 64 of them, and are closed then', () => {
    const gate = gateOf({ connections: 0, connectionsPerClient: 0 });
    const sockets = Array.from({ length: 66 }, () => gate.connect());
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      [...Array.from({ length: 64 }, () => false), true, true],
    );
    assert.equal(gate.ask(sockets[63]!), 'unavailable');
    assert.equal(gate.refusals.length, 66);
    closed(sockets[0]!);
    const next = gate.connect();
    assert.deepEqual([next.destroyed, gate.ask(next)], [false, 'unavailable']);
  });

  it('beyond the limit stay refused when another of the same address and port is closed', () => {
    const gate = gateOf({ connections: 1, connectionsPerClient: 0 });
    const [old, next] = [newSocket(9), newSocket(9)];
    gate.admit(old);
    gate.admit(next);
    closed(old);
    assert.equal(gate.ask(next), 'unavailable');
  });

  it('are counted together in all threads, and those of a dead thread are forgotten', () => {
    const first = gateOf();
    const second = gateOn(first.memory, LIMITS, 1);
    first.connect();
    second.connect();
    assert.equal(second.ask(second.connect()), 'throttled');
    assert.equal(openConnections(first.memory), 3);
    first.openBody(CLIENT).take(60);
    for (const _ of ['once', 'twice']) {
      forgetConnections(first.memory, 0);
      assert.equal(openConnections(first.memory), 2);
    }
    forgetConnections(first.memory, 1);
    assert.equal(openConnections(first.memory), 0);
    const again = gateOn(first.memory, LIMITS, 1);
    const socket = again.connect();
    assert.equal(again.ask(socket), undefined);
    closed(socket);
    assert.equal(openConnections(first.memory), 0);
    assert.equal(kindOf(again.openBody(CLIENT).take(60)), undefined);
  });
});

describe('a request', () => {
  it('is refused while the thread is later than the limit', () => {
    const ask = (lastingMs: number, delayMs = 100) => {
      const gate = gateOf({ lastingMs, delayMs });
      return [gate.ask(gate.connect()), gate.refusals];
    };
    assert.deepEqual(ask(100), [undefined, []]);
    assert.deepEqual(ask(101), ['unavailable', ['overload']]);
    assert.deepEqual(ask(10_000, 0), [undefined, []]);
  });

  it('beyond the requests per second is refused, unless it is free', () => {
    const gate = gateOf({ requestsPerSecond: 1 });
    const socket = gate.connect();
    assert.equal(gate.ask(socket), undefined);
    const refusal = gate.refusalOf(socket, () => CLIENT, '/');
    assert.equal(kindOf(refusal), 'throttled');
    assert.deepEqual(refusal?.headers, ['Retry-After', '1']);
    assert.equal(
      gate.refusalOf(socket, () => CLIENT, '/assets/a.css'),
      undefined,
    );
    assert.deepEqual(gate.refusals, ['rate']);
  });

  it('that is refused gets a Retry-After of two seconds', () => {
    const gate = gateOf({ lastingMs: 1000 });
    assert.deepEqual(gate.refusalOf(gate.connect(), () => CLIENT, '/')?.headers, [
      'Retry-After',
      '2',
    ]);
  });
});

describe('bodies', () => {
  it('of one client are taken up to its limit, and again when one is answered', () => {
    const gate = gateOf();
    const [first, second] = [gate.openBody(CLIENT), gate.openBody(CLIENT)];
    assert.equal(first.take(40), undefined);
    assert.equal(second.take(20), undefined);
    assert.equal(kindOf(second.take(1)), 'unavailable');
    assert.deepEqual(gate.refusals, ['bodies']);
    first.close();
    second.close();
    assert.equal(gate.openBody(CLIENT).take(40), undefined);
  });

  it('of all clients are taken up to the limit of the server', () => {
    const gate = gateOf();
    assert.equal(gate.openBody('192.0.2.1').take(50), undefined);
    assert.equal(gate.openBody('192.0.2.2').take(50), undefined);
    assert.equal(kindOf(gate.openBody('192.0.2.3').take(1)), 'unavailable');
  });

  it('are not refused where there is one alone', () => {
    const account = gateOf().openBody(CLIENT);
    assert.equal(account.take(61), undefined);
    assert.equal(account.take(100), undefined);
  });

  it('are refused beyond the limit also where the other one is a single byte', () => {
    const gate = gateOf();
    assert.equal(gate.openBody(CLIENT).take(1), undefined);
    assert.equal(kindOf(gate.openBody(CLIENT).take(60)), 'unavailable');
  });
});
