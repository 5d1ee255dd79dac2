/**
 * A model of who follows order responses: receivers of subscriptions and a reader of the feed, while
 * steps write, erase, hold, turn subscriptions off and move the store.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Access } from '../../../src/fhir/audit/audit.ts';
import {
  changeSubscription,
  createResponses,
  deleteResponse,
  startDeliverer,
  subscribe,
  until,
  updateResponse,
} from '../../subscriptions/delivery-place.ts';
import { type DeliveryLog, FOLLOWER_HEADER, startDeliveryLog } from './delivery-log.ts';
import {
  databasePlace,
  folderPlace,
  type MovingNode,
  type MovingPlace,
  move,
} from './move-places.ts';
import type { PostgresServer } from './server.ts';

const TYPE = 'OrderResponse';
const ACCESS: Access = { address: '', requestId: 'model', interaction: 'update' };

/** What a step does. `n` chooses the order response or the subscription. */
export const STEPS = {
  create: (model: Followers) => model.create(),
  update: (model: Followers, n: number) => model.update(n),
  delete: (model: Followers, n: number) => model.delete(n),
  erase: (model: Followers, n: number) => model.erase(n),
  eraseVersion: (model: Followers, n: number) => model.eraseVersion(n),
  hold: (model: Followers, n: number) => model.hold(n),
  subscribe: (model: Followers, n: number) => model.subscribe(n),
  turnOff: (model: Followers, n: number) => model.turnOff(n),
  turnOn: (model: Followers, n: number) => model.turnOn(n),
  eraseSubscription: (model: Followers, n: number) => model.eraseSubscription(n),
  deliver: (model: Followers) => model.deliver(),
  failToDeliver: (model: Followers) => model.failToDeliver(),
  read: (model: Followers) => model.read(),
  move: (model: Followers) => model.move(),
} as const;

export type StepName = keyof typeof STEPS;

interface Order {
  readonly id: string;
  version: number;
  isDeleted: boolean;
  isHeld: boolean;
  isErased: boolean;
  readonly erasedVersions: number[];
}

interface Follower {
  readonly id: string;
  /** Its name in the log of deliveries. */
  readonly name: string;
  /** The number of versions before it. */
  readonly since: number;
  isOn: boolean;
}

export class Followers {
  readonly #context: TestContext;
  readonly #server: PostgresServer;
  readonly #log: DeliveryLog;
  readonly #orders: Order[] = [];
  /** All subscriptions, without those that were erased. */
  #followers: readonly Follower[] = [];
  #names = 0;
  /** All versions of order responses in the order of their writing, as `id/version`. */
  readonly #written: string[] = [];
  /** When each version that the reader has seen was written. */
  readonly #seen = new Map<string, string>();
  #position = '0';
  #place: MovingPlace;
  #node: MovingNode;

  private constructor(
    { context, server, log }: { context: TestContext; server: PostgresServer; log: DeliveryLog },
    place: MovingPlace,
    node: MovingNode,
  ) {
    this.#context = context;
    this.#server = server;
    this.#log = log;
    this.#place = place;
    this.#node = node;
  }

  static async start(
    context: TestContext,
    server: PostgresServer,
    isInFolder: boolean,
  ): Promise<Followers> {
    const log = await startDeliveryLog(context);
    const place = isInFolder ? folderPlace(context) : await databasePlace(context, server);
    return new Followers({ context, server, log }, place, await place.open());
  }

  async create(): Promise<void> {
    const [id = ''] = await createResponses(this.#writable);
    this.#orders.push({
      id,
      version: 1,
      isDeleted: false,
      isHeld: false,
      isErased: false,
      erasedVersions: [],
    });
    this.#written.push(`${id}/1`);
  }

  async update(n: number): Promise<void> {
    const order = this.#order(n);
    if (order === undefined || order.isErased) return;
    const { id } = order;
    const kind = await updateResponse(this.#writable, id, `version ${order.version + 1}`);
    assert.equal(kind, 'stored');
    order.isDeleted = false;
    this.#note(order);
  }

  async delete(n: number): Promise<void> {
    const order = this.#order(n);
    if (order === undefined || order.isErased || order.isDeleted) return;
    await deleteResponse(this.#writable, order.id);
    order.isDeleted = true;
    this.#note(order);
  }

  async erase(n: number): Promise<void> {
    const order = this.#order(n);
    if (order === undefined || order.isHeld) return;
    await this.#place.commands.eraseContent({ id: order.id }, 'asked');
    order.isErased = true;
  }

  async eraseVersion(n: number): Promise<void> {
    const order = this.#order(n);
    if (order === undefined || order.isHeld || order.isErased || order.version === 1) return;
    const version = 1 + (n % (order.version - 1));
    await this.#place.commands.eraseContent({ id: order.id, version }, 'asked');
    order.erasedVersions.push(version);
  }

  async hold(n: number): Promise<void> {
    const order = this.#order(n);
    if (order === undefined || order.isErased) return;
    await this.#place.commands.holdResource({ id: order.id }, 'inquest');
    order.isHeld = true;
  }

  async subscribe(n: number): Promise<void> {
    const since = this.#written.length;
    // With criteria, which every order response meets, the positions of pages are others.
    const criteria = n % 2 === 0 ? TYPE : `${TYPE}?_lastUpdated=gt2000`;
    const name = String(++this.#names);
    const channel = { header: `${FOLLOWER_HEADER}: ${name}` };
    const id = await subscribe(this.#writable, this.#log.url, { criteria, channel });
    this.#followers = [...this.#followers, { id, name, since, isOn: true }];
  }

  async turnOff(n: number): Promise<void> {
    await this.#turn(n, false);
  }

  async turnOn(n: number): Promise<void> {
    await this.#turn(n, true);
  }

  async eraseSubscription(n: number): Promise<void> {
    const follower = this.#follower(n);
    if (follower === undefined) return;
    await this.#place.commands.eraseContent({ type: 'Subscription', id: follower.id }, 'asked');
    this.#followers = this.#followers.filter((each) => each !== follower);
  }

  /** Every receiver gets what it lacks, each version once, under one id. */
  async deliver(): Promise<void> {
    // On a slow machine, a receiver that is cut off would get the version again.
    const options = { timeoutMs: COMPLETE_MS_MAX };
    const { problems, stop } = startDeliverer(this.#context, { store: this.#node.store }, options);
    const endMs = performance.now() + COMPLETE_MS_MAX;
    const isComplete = () => this.#active().every((each) => this.#missing(each).length === 0);
    await until(() => isComplete() || performance.now() > endMs);
    await stop();
    assert.deepEqual([...problems, ...this.#log.faults], []);
    for (const each of this.#active()) {
      assert.deepEqual(this.#missing(each), [], `follower ${each.name} missed versions`);
    }
    for (let name = 1; name <= this.#names; name++) {
      const told = this.#log.toldTo(String(name));
      const inOrder = this.#written.filter((each) => told.includes(each));
      assert.deepEqual(told, inOrder, `follower ${name} got versions again, or in another order`);
    }
  }

  /** Receivers refuse a few notifications. */
  async failToDeliver(): Promise<void> {
    const isNeeded = this.#active().some((each) => this.#missing(each).length > 0);
    if (!isNeeded) return;
    this.#log.isAway = true;
    const before = this.#log.refused;
    const { stop } = startDeliverer(this.#context, { store: this.#node.store });
    await until(() => this.#log.refused > before + 1);
    await stop();
    this.#log.isAway = false;
  }

  /** The reader of the feed goes on, or begins again where the store says that it must. */
  async read(): Promise<void> {
    for (let isEnd = false; !isEnd; ) {
      const request = { types: [TYPE], order: 'oldest-first', count: 3, lengthMax: 1e9 } as const;
      const page = await this.#node.store.changes({ ...request, position: this.#position }, ACCESS);
      if (page.kind === 'unknown-position') {
        this.#position = '0';
        continue;
      }
      for (const { id, version, writtenAt } of page.versions) {
        const name = `${id}/${version}`;
        assert.equal(this.#seen.get(name) ?? writtenAt, writtenAt);
        this.#seen.set(name, writtenAt);
      }
      this.#position = page.next;
      isEnd = !page.hasMore;
    }
    assert.deepEqual([...this.#seen.keys()].toSorted(), this.#written.toSorted());
  }

  async move(): Promise<void> {
    await this.#node.close();
    const to = this.#place.isFolder
      ? await databasePlace(this.#context, this.#server)
      : folderPlace(this.#context);
    await move(this.#place.commands, to.commands);
    this.#place = to;
    this.#node = await to.open();
  }

  /** All follow on, and have everything. */
  async finish(): Promise<void> {
    for (const [n, { isOn }] of this.#followers.entries()) if (!isOn) await this.turnOn(n);
    await this.create();
    await this.deliver();
    await this.read();
  }

  async close(): Promise<void> {
    await this.#node.close();
  }

  get #writable() {
    return { repository: this.#node.store };
  }

  #order(n: number): Order | undefined {
    return this.#orders[n % (this.#orders.length || 1)];
  }

  #follower(n: number): Follower | undefined {
    return this.#followers[n % (this.#followers.length || 1)];
  }

  #active(): readonly Follower[] {
    return this.#followers.filter(({ isOn }) => isOn);
  }

  #note(order: Order): void {
    order.version += 1;
    this.#written.push(`${order.id}/${order.version}`);
  }

  async #turn(n: number, isOn: boolean): Promise<void> {
    const follower = this.#follower(n);
    if (follower === undefined || follower.isOn === isOn) return;
    const status = isOn ? 'requested' : 'off';
    await changeSubscription(this.#writable, follower.id, { status });
    follower.isOn = isOn;
  }

  /** What its receiver does not have of all that has content. */
  #missing({ since, name }: Follower): readonly string[] {
    const told = this.#log.toldTo(name);
    const erased = this.#orders.flatMap(({ id, version, isErased, erasedVersions }) =>
      isErased
        ? Array.from({ length: version }, (_, at) => `${id}/${at + 1}`)
        : erasedVersions.map((each) => `${id}/${each}`),
    );
    return this.#written
      .slice(since)
      .filter((each) => !told.includes(each) && !erased.includes(each));
  }
}

/** A version that does not come in this time never comes. */
const COMPLETE_MS_MAX = 30_000;
