/**
 * What clients did to a few order responses, which all of them share, and to many of their own. At
 * the end, `faults` compares it with what is stored.
 */
import { randomFor } from '../../scripts/release/random.ts';
import { type Call, orderFaults } from './one-order.ts';
import type { OrderAnswer, OrderClient } from './order-client.ts';

/** What calls do that are not about a shared resource. */
const CONDITIONAL_IN_1000 = 100;
const CREATES_IN_1000 = 200;
const SEARCHES_IN_1000 = 100;
/** About so many conditional creates share an identifier. */
const SHARED = 8;

/** What the answer says to a write that is not stored. */
const NOTHING_STORED = 'Nothing was stored';

export class OrderHistory {
  readonly #calls = new Map<string, Call[]>();
  /** The ids that conditional creates of one identifier returned. */
  readonly #conditional = new Map<string, Set<string>>();
  /** Where the answer says that the mark is. */
  readonly #acknowledged = new Map<string, string>();
  readonly #refused = new Set<string>();
  /** Marks whose answers say that nobody knows whether they were stored, or that had no answer. */
  readonly #unknown = new Set<string>();
  /** What was created with an identifier of its own. */
  readonly #created: { readonly value: string; readonly id: string }[] = [];
  readonly #searchFaults: string[] = [];
  #next = 0;

  /** How many calls there were. */
  get calls(): number {
    return this.#next;
  }

  get acknowledgedWrites(): number {
    return this.#acknowledged.size;
  }

  get unknownWrites(): number {
    return this.#unknown.size;
  }

  /** Creates the resources that all clients share. */
  async createShared(client: OrderClient, count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const mark = `first ${number};`;
      const answer = await client.create(mark);
      this.#note(mark, answer);
      if (answer.stored === undefined) throw new Error(`no create: ${answer.text}`);
      this.#calls.set(answer.stored.id, [written('write', mark, answer)]);
    }
  }

  /** One call. `seen` has the newest version of each resource that this client has seen. */
  async call(client: OrderClient, seen: Map<string, number>): Promise<OrderAnswer> {
    const number = this.#next++;
    const random = randomFor(1, number);
    const choice = random.below(1000);
    if (choice < CONDITIONAL_IN_1000) return await this.#createOnce(client, number);
    const mark = `call ${number};`;
    if (choice < CONDITIONAL_IN_1000 + CREATES_IN_1000) return await this.#create(client, mark);
    if (choice < CONDITIONAL_IN_1000 + CREATES_IN_1000 + SEARCHES_IN_1000) {
      return await this.#search(client, random.below(Math.max(1, this.#created.length)));
    }
    const id = random.pick([...this.#calls.keys()]);
    const { call, answer } = await ask(client, id, {
      mark,
      version: seen.get(id) ?? 1,
      choice: random.below(8),
    });
    if (call.kind === 'write' || call.kind === 'write-if-match') this.#note(mark, answer);
    this.#calls.get(id)?.push(call);
    if (call.isDone && call.kind !== 'vread') seen.set(id, call.version);
    return answer;
  }

  /** `stored`: each mark that is stored, with its address `id/version`. */
  faults(stored: readonly (readonly [mark: string, address: string])[]): string[] {
    const faults = [...this.#searchFaults];
    const addresses = new Map<string, string>();
    const marks = new Map<string, string[]>();
    for (const [mark, address] of stored) {
      if (addresses.has(mark)) faults.push(`${mark} is stored twice`);
      addresses.set(mark, address);
      const [id = '', version] = address.split('/');
      const ofOne = marks.get(id) ?? [];
      ofOne[Number(version) - 1] = mark;
      marks.set(id, ofOne);
    }
    for (const [mark, address] of this.#acknowledged) {
      if (addresses.get(mark) !== address) {
        faults.push(`${mark} was stored as ${address}, and is lost`);
      }
    }
    for (const mark of this.#refused) {
      if (addresses.has(mark)) {
        faults.push(`${mark} is stored, and its client was told that it is not`);
      }
    }
    for (const [value, ids] of this.#conditional) {
      if (ids.size > 1) faults.push(`${ids.size} resources have the identifier ${value}`);
    }
    for (const [id, ofOne] of marks) {
      if (ofOne.length !== Object.keys(ofOne).length) faults.push(`${id} lacks a version`);
    }
    for (const [id, ofOne] of this.#calls) {
      faults.push(
        ...orderFaults(
          ofOne,
          Array.from(marks.get(id) ?? [], (mark = '') => mark),
        ),
      );
    }
    return faults;
  }

  async #create(client: OrderClient, mark: string): Promise<OrderAnswer> {
    const answer = this.#note(mark, await client.create(mark, { value: mark }));
    if (answer.stored !== undefined) this.#created.push({ value: mark, id: answer.stored.id });
    return answer;
  }

  /** What was acknowledged before is found, through any server. */
  async #search(client: OrderClient, at: number): Promise<OrderAnswer> {
    const { value, id } = this.#created[at] ?? { value: 'nothing' };
    const answer = await client.search(value);
    if (answer.status !== 200) return answer;
    const { entry = [] }: { entry?: { resource: { id: string } }[] } = JSON.parse(answer.text);
    const found = entry.map(({ resource }) => resource.id).join();
    if (found !== (id ?? '')) this.#searchFaults.push(`a search for ${id} finds "${found}"`);
    return answer;
  }

  /** Several clients want to create what has the same identifier: one resource may come of it. */
  async #createOnce(client: OrderClient, number: number): Promise<OrderAnswer> {
    const value = `shared ${Math.floor(number / (10 * SHARED))}`;
    const mark = `once ${number};`;
    const answer = await client.create(mark, { value, isConditional: true });
    const { stored } = answer;
    if (stored !== undefined) {
      const known = this.#conditional.get(value) ?? new Set();
      this.#conditional.set(value, known.add(stored.id));
    }
    // The answer may be about the resource of another call.
    return answer.status === 200 ? answer : this.#note(mark, answer);
  }

  #note(mark: string, answer: OrderAnswer): OrderAnswer {
    const { stored, status, text } = answer;
    if (stored !== undefined) this.#acknowledged.set(mark, `${stored.id}/${stored.version}`);
    else if (status !== 0 && (status < 500 || text.includes(NOTHING_STORED)))
      this.#refused.add(mark);
    else this.#unknown.add(mark);
    return answer;
  }
}

interface Choice {
  readonly mark: string;
  /** The newest that this client has seen. */
  readonly version: number;
  readonly choice: number;
}

async function ask(client: OrderClient, id: string, { mark, version, choice }: Choice) {
  if (choice < 2) {
    const answer = await client.update(id, mark, version);
    return { call: written('write-if-match', mark, answer, version), answer };
  }
  if (choice < 3) {
    const answer = await client.update(id, mark);
    return { call: written('write', mark, answer), answer };
  }
  const kind = choice < 6 ? 'read' : choice < 7 ? 'vread' : 'history';
  const answer =
    kind === 'read'
      ? await client.read(id)
      : kind === 'vread'
        ? await client.readVersion(id, version)
        : await client.history(id, 1);
  return { call: found(kind, answer), answer };
}

function written(kind: Call['kind'], mark: string, answer: OrderAnswer, expected?: number): Call {
  const { status, stored, beganAt, endedAt } = answer;
  const isDone = stored !== undefined ? true : status === 409 ? false : undefined;
  return {
    kind,
    mark,
    isDone,
    version: stored?.version ?? 0,
    beganAt,
    endedAt,
    ...(expected && { expected }),
  };
}

function found(kind: Call['kind'], { status, text, beganAt, endedAt }: OrderAnswer): Call {
  if (status !== 200) return { kind, isDone: undefined, mark: '', version: 0, beganAt, endedAt };
  const body = JSON.parse(text);
  const { meta, description: mark } = kind === 'history' ? body.entry[0].resource : body;
  return { kind, isDone: true, mark, version: Number(meta.versionId), beganAt, endedAt };
}
