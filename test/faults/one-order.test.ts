/** Many clients on few resources, with kills between: all of them see one order of versions. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { randomFor } from '../../scripts/release-random.ts';
import { gazetteer, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Call, orderFaults } from './one-order.ts';
import { type OrderAnswer, orderClient } from './order-client.ts';
import { storedMarks } from './write-load.ts';

const CLIENTS = 16;
const RESOURCES = 4;
const CALLS_A_ROUND = 1500;
const KILLS = Number(process.env.FAULTS_KILLS ?? 3);
/** So many conditional creates share an identifier. */
const SHARED = 8;

type Client = ReturnType<typeof orderClient>;

it('clients see one order of versions, also over kills', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  const token = await tokenFor(data);
  const words = ['--data', data, '--threads', '2', '--log-requests', 'false'];
  const start = () => serve(context, [...words, '--directory-enabled', 'false']);
  const calls = new Map<string, Call[]>();
  const conditional = new Map<string, Set<string>>();

  let server = await start();
  for (let number = 0; number < RESOURCES; number++) {
    const mark = `first ${number};`;
    const answer = await orderClient(server.origin, token).create(mark);
    calls.set(answer.stored?.id ?? '', [written('write', mark, answer)]);
  }
  const ids = [...calls.keys()];
  let next = 0;
  const client = async (origin: string, until: number) => {
    const one = orderClient(origin, token);
    const seen = new Map<string, number>();
    while (next < until) {
      const number = next++;
      const random = randomFor(1, number);
      if (random.isChance(1000)) {
        await createOnce(one, number, conditional);
        continue;
      }
      const id = random.pick(ids);
      const version = seen.get(id) ?? 1;
      const { call, status } = await ask(one, id, { number, version, choice: random.below(8) });
      calls.get(id)?.push(call);
      if (call.isDone && call.kind !== 'vread') seen.set(id, call.version);
      if (status === 0) return;
    }
  };
  for (let round = 0; round <= KILLS; round++) {
    const until = next + CALLS_A_ROUND;
    const all = Promise.all(Array.from({ length: CLIENTS }, () => client(server.origin, until)));
    if (round < KILLS) {
      while (next < until - CALLS_A_ROUND / 2)
        await new Promise((resolve) => setImmediate(resolve));
      await server.stop(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await all;
      server = await start();
    } else await all;
  }
  await server.stop();

  const faults = await allFaults(data, calls, conditional);
  const acknowledged = [...calls.values()].flat().filter(isWriteDone).length;
  context.diagnostic(
    `figures: ${next} calls checked for one order, ${KILLS} kills, ` +
      `${acknowledged} acknowledged writes, ${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults.slice(0, 5), []);
});

it('a stale read, a lost write and a wrong refusal are found', () => {
  const at = (beganAt: bigint) => ({ beganAt, endedAt: beganAt + 1n });
  const write = (version: number, time: bigint): Call => ({
    ...{ kind: 'write', isDone: true, mark: `mark ${version}`, version },
    ...at(time),
  });
  const marks = ['mark 1', 'mark 2'];
  const sound = [write(1, 0n), write(2, 10n)];
  const read = { kind: 'read', isDone: true, mark: 'mark 1', version: 1 } as const;
  const refused = { kind: 'write-if-match', isDone: false, mark: 'x', version: 0 } as const;
  assert.deepEqual(orderFaults([...sound, { ...read, ...at(5n) }], marks), []);
  assert.equal(orderFaults([...sound, { ...read, ...at(20n) }], marks).length, 1);
  assert.equal(orderFaults(sound, ['mark 1']).length, 1);
  assert.deepEqual(orderFaults([...sound, { ...refused, expected: 1, ...at(20n) }], marks), []);
  assert.equal(orderFaults([...sound, { ...refused, expected: 2, ...at(20n) }], marks).length, 1);
});

interface Choice {
  readonly number: number;
  /** The newest that this client has seen. */
  readonly version: number;
  readonly choice: number;
}

async function ask(client: Client, id: string, { number, version, choice }: Choice) {
  const mark = `call ${number};`;
  if (choice < 2) {
    const answer = await client.update(id, mark, version);
    return { call: written('write-if-match', mark, answer, version), status: answer.status };
  }
  if (choice < 3) {
    const answer = await client.update(id, mark);
    return { call: written('write', mark, answer), status: answer.status };
  }
  const kind = choice < 6 ? 'read' : choice < 7 ? 'vread' : 'history';
  const answer =
    kind === 'read'
      ? await client.read(id)
      : kind === 'vread'
        ? await client.readVersion(id, version)
        : await client.history(id, 1);
  return { call: found(kind, answer), status: answer.status };
}

function written(kind: Call['kind'], mark: string, answer: OrderAnswer, expected?: number): Call {
  const { status, stored, beganAt, endedAt } = answer;
  const isDone = stored !== undefined ? true : status === 409 ? false : undefined;
  const times = { beganAt, endedAt };
  return {
    kind,
    mark,
    isDone,
    version: stored?.version ?? 0,
    ...times,
    ...(expected && { expected }),
  };
}

function found(kind: Call['kind'], { status, text, beganAt, endedAt }: OrderAnswer): Call {
  if (status !== 200) return { kind, isDone: undefined, mark: '', version: 0, beganAt, endedAt };
  const body = JSON.parse(text);
  const { meta, description } = kind === 'history' ? body.entry[0].resource : body;
  return {
    kind,
    isDone: true,
    mark: description,
    version: Number(meta.versionId),
    beganAt,
    endedAt,
  };
}

/** Several clients want to create what has the same identifier: one resource may come of it. */
async function createOnce(client: Client, number: number, made: Map<string, Set<string>>) {
  const value = `shared ${Math.floor(number / (10 * SHARED))}`;
  const { stored } = await client.create(`once ${number};`, { value, isConditional: true });
  if (stored === undefined) return;
  made.set(value, (made.get(value) ?? new Set()).add(stored.id));
}

async function allFaults(
  data: string,
  calls: ReadonlyMap<string, readonly Call[]>,
  conditional: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const verified = await gazetteer(['verify', '--data', data]);
  const faults = verified.code === 0 ? [] : [verified.stdout + verified.stderr];
  for (const [value, ids] of conditional) {
    if (ids.size > 1) faults.push(`${ids.size} resources have the identifier ${value}`);
  }
  const marks = new Map<string, string[]>();
  for (const [mark, address] of await storedMarks(data)) {
    const [id = '', version] = address.split('/');
    const ofOne = marks.get(id) ?? [];
    ofOne[Number(version) - 1] = mark;
    marks.set(id, ofOne);
  }
  for (const [id, ofOne] of calls) faults.push(...orderFaults(ofOne, marks.get(id) ?? []));
  return faults;
}

function isWriteDone({ kind, isDone }: Call): boolean {
  return isDone === true && (kind === 'write' || kind === 'write-if-match');
}
