/**
 * kill -9 of real servers under load: receivers get everything that was acknowledged, in order, and
 * readers that wait miss nothing. `npm run test:kills` sets the number of kills.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { repetitions } from '../campaign.ts';
import { type Server, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { EXAMPLE_XML, JSON_TYPE, XML_TYPE } from '../order-response/order-server.ts';
import {
  describePostgres,
  type PostgresServer,
  startPostgres,
} from '../storage/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from './delivery-place.ts';
import { SUBSCRIPTION_EXAMPLE } from './example.ts';
import { judge, type Recorder, startRecorders, untilComplete } from './recorders.ts';

const KILLS = Number(process.env.TEST_KILLS ?? repetitions(3, 200));
const RECEIVERS = 5;
const READERS = 5;

/** Clients that write, and follow the changes; both try again while no server answers. */
class Clients {
  readonly token: string;
  readonly originOf: () => string;
  readonly acknowledged = new Set<string>();
  readonly read: string[][] = Array.from({ length: READERS }, () => []);
  #isWriting = true;
  #isOver = false;
  readonly #writing: Promise<void>[] = [];
  readonly #reading: Promise<void>[] = [];

  constructor(token: string, originOf: () => string) {
    this.token = token;
    this.originOf = originOf;
  }

  start(): void {
    for (let at = 0; at < 4; at++) this.#writing.push(this.#write());
    for (const read of this.read) this.#reading.push(this.#follow(read));
  }

  /** Also after a test that failed, so that its process can end. */
  async stop(): Promise<void> {
    this.#isWriting = false;
    this.#isOver = true;
    await Promise.all(this.#reading);
  }

  async send(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const headers = { authorization: `Bearer ${this.token}`, accept: JSON_TYPE, ...init.headers };
    try {
      return await fetch(this.originOf() + path, { ...init, headers });
    } catch {
      await pause(20);
      return undefined;
    }
  }

  async #write(): Promise<void> {
    const init = { method: 'POST', headers: { 'content-type': XML_TYPE }, body: EXAMPLE_XML };
    while (this.#isWriting) {
      await pause(10);
      const response = await this.send('/OrderResponse', init);
      const location = response?.headers.get('location') ?? '';
      const text = await response?.text().catch(() => undefined);
      if (response?.status !== 201 || text === undefined) await pause(20);
      else this.acknowledged.add(location.replace(/^.*\/(?=OrderResponse\/)/, ''));
    }
  }

  async #follow(read: string[]): Promise<void> {
    let path = '/OrderResponse/_history?_after=0&_wait=1';
    while (!this.#isOver) {
      const response = await this.send(path);
      const bundle = Object(await response?.json().catch(() => undefined));
      if (response?.status !== 200 || bundle.link === undefined) {
        await pause(20);
        continue;
      }
      for (const { resource } of bundle.entry ?? []) {
        read.push(`OrderResponse/${resource.id}/_history/${resource.meta.versionId}`);
      }
      const links: { relation: string; url: string }[] = bundle.link;
      const next = links.find(({ relation }) => relation === 'follow')?.url ?? '';
      path = next.replace(/^https?:\/\/[^/]+/, '');
    }
  }

  async subscribe(endpoint: string): Promise<void> {
    const channel = { type: 'rest-hook', endpoint, payload: 'application/json' };
    const body = JSON.stringify({ ...SUBSCRIPTION_EXAMPLE, criteria: 'OrderResponse', channel });
    const init = { method: 'POST', headers: { 'content-type': JSON_TYPE }, body };
    for (;;) {
      const response = await this.send('/Subscription', init);
      if (response?.status === 201) return;
      assert.ok(response === undefined || response.status === 401, `${await response?.text()}`);
      await pause(20);
    }
  }

  /** Waits until all have everything; answers the figures. */
  async requireAll(recorders: readonly Recorder[]): Promise<string> {
    this.#isWriting = false;
    await Promise.all(this.#writing);
    await untilComplete(this.acknowledged, [...recorders.map(({ got }) => got), ...this.read]);
    await this.stop();
    const { faults, repeats } = judge(recorders, this.read);
    assert.deepEqual(faults, []);
    const notifications = recorders.reduce((sum, { got }) => sum + got.length, 0);
    return (
      `${this.acknowledged.size} acknowledged writes, ${notifications} notifications, ` +
      `${repeats} repeats of notifications, 0 missed`
    );
  }
}

const SCOPES = ['--scope', 'system/OrderResponse.*', '--scope', 'system/Subscription.*'];
const WORDS = [
  '--log-requests',
  'false',
  '--directory-enabled',
  'false',
  '--limits-requests-per-second',
  '0',
  '--subscriptions-allowed-hosts',
  '127.0.0.1',
];

it(`receivers and readers miss nothing after ${KILLS} kills`, async (context) => {
  const folder = temporaryFolder(context);
  const words = ['--data', folder, ...WORDS];
  const token = await tokenFor(folder, ...SCOPES, '--expires', '1d');
  const receivers = await startRecorders(context, RECEIVERS);
  let server: Server = await serve(context, words);
  const clients = new Clients(token, () => server.origin);
  context.after(() => clients.stop());
  for (const { url } of receivers) await clients.subscribe(url);
  clients.start();
  for (let kill = 0; kill < KILLS; kill++) {
    const wanted = clients.acknowledged.size + 1 + ((kill * 37) % 80);
    await until(() => clients.acknowledged.size >= wanted);
    await server.stop('SIGKILL');
    server = await serve(context, words);
  }
  context.diagnostic(`figures: ${KILLS} kills, ${await clients.requireAll(receivers)}`);
});

describePostgres('servers of one database', () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it('deliver one at a time, and soon replace one that was killed', async (context) => {
    const folder = temporaryFolder(context);
    const url = postgres.url(await postgres.createDatabase());
    const wordsOf = (node: string) => [
      '--data',
      join(folder, node),
      '--database-url',
      url,
      '--orders-audit-key-file',
      join(folder, 'audit.key'),
      ...WORDS,
      '--auth-own-key-file',
      join(folder, 'token-key.json'),
    ];
    const nodes = [await serve(context, wordsOf('a')), await serve(context, wordsOf('b'))];
    const tokenWords = ['--auth-own-key-file', join(folder, 'token-key.json')];
    const token = await tokenFor(join(folder, 'a'), ...SCOPES, ...tokenWords);
    const receivers = await startRecorders(context, RECEIVERS);
    let turn = 0;
    const clients = new Clients(token, () => nodes[turn++ % nodes.length]?.origin ?? '');
    context.after(() => clients.stop());
    for (const { url: endpoint } of receivers) await clients.subscribe(endpoint);
    const delivers = async (node: Server | undefined) => {
      const text = await (await fetch(`${node?.operation}/metrics`)).text();
      return text.includes(`\ngazetteer_subscriptions ${RECEIVERS}\n`);
    };
    clients.start();
    const takeoversMs: number[] = [];
    const kills = Math.max(3, Math.ceil(KILLS / 3));
    for (let kill = 0; kill < kills; kill++) {
      let holder = -1;
      await until(async () => {
        const found = await Promise.all(nodes.map(delivers));
        holder = found.indexOf(true);
        return holder >= 0;
      });
      await until(() => receivers.every(({ got }) => got.length > 10));
      await nodes[holder]?.stop('SIGKILL');
      const killedMs = performance.now();
      const counts = receivers.map(({ got }) => got.length);
      const [other] = nodes.filter((_, at) => at !== holder);
      await until(() => receivers.every(({ got }, at) => got.length > (counts[at] ?? 0) + 1));
      takeoversMs.push(performance.now() - killedMs);
      assert.ok(other);
      nodes[holder] = await serve(context, wordsOf(holder === 0 ? 'a' : 'b'));
    }
    const longestMs = Math.round(Math.max(...takeoversMs));
    const text = `the longest time until another server delivered is ${longestMs} ms`;
    context.diagnostic(text);
    // Other tests can keep the machine busy, so the time counts only where kills are asked for.
    if (process.env.TEST_KILLS !== undefined) assert.ok(longestMs < 10_000, text);
    context.diagnostic(`figures: ${kills} kills, ${await clients.requireAll(receivers)}`);
  });
});
