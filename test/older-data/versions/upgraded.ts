/** What must hold of the data of an earlier version, when the present program serves and writes it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSeal, sealKeyOf } from '../../../src/orders/subscriptions/channel-seal.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { readAuditKey } from '../../../src/storage/files/key-file.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { type Server, serve } from '../../journeys/program.ts';
import { tokenFor } from '../../journeys/token.ts';
import { startReceiver, until } from '../../subscriptions/delivery-place.ts';
import { send } from '../older-program.ts';
import { BASE_URL, type RecordedSearch, recordAnswers, recordSearch } from '../record-answers.ts';
import { headOf } from '../unpack.ts';
import { type Acknowledged, createWriter } from './acknowledged-writes.ts';
import {
  ALL_SCOPES,
  recordFeed,
  recordOrganisations,
  recordPostcode,
  SECRET,
  subscriptionTo,
  type VersionContent,
} from './content.ts';

/** A fixture of a version, which the present program can open. */
export interface Upgraded {
  /** The folder with what the fixture has beside the data. */
  readonly path: string;
  readonly data: string;
  /** The options of every command. */
  readonly words: readonly string[];
  readonly content: VersionContent;
}

export async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(words);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

/** Serves, writes and rolls back, and verifies what is there then. Returns what it wrote. */
export async function requireUsable(
  context: TestContext,
  upgraded: Upgraded,
): Promise<readonly Acknowledged[]> {
  const { words, data, content } = upgraded;
  const { received, url } = await startReceiver(context);
  const server = await serve(context, [
    ...words,
    '--base-url',
    BASE_URL,
    '--orders-allow-delete',
    '--subscriptions-allowed-hosts',
    new URL(url).host,
  ]);
  const token = await tokenFor(data, ...ALL_SCOPES, ...words.slice(2));
  await requireReadable(server, token, content);
  await requireSubscriptions(server, token, upgraded);
  const written = await write(server, token, content);
  await requireDeliveries(server, token, content, { url, received, written });
  await requireRollbacks(server, upgraded);
  await requireReadableOrders(server, token, content, written);
  assert.equal(await server.stop(), 0);
  await requireVerified(upgraded, CREATED);
  return written;
}

/** Demands what the version answered. */
async function requireReadable(
  { origin }: Server,
  token: string,
  content: VersionContent,
): Promise<void> {
  await requireAcknowledged(origin, token, content, content.acknowledged);
  assert.deepEqual(await recordAnswers(origin, token, content.resources), content.answers);
  assert.deepEqual(await recordFeed(origin, token), content.feed);
  assert.deepEqual((await recordOrganisations(origin)).map(found), content.directory.map(found));
  if (content.postcode !== undefined) {
    assert.deepEqual(await recordPostcode(origin), content.postcode);
  }
}

/** What an error says can change from one version to the next. */
function found({ status, resources, ...search }: RecordedSearch): RecordedSearch {
  return { status, resources: status === 200 ? resources : [], ...search };
}

/** Demands every version as it was acknowledged, unless it was erased since. */
export async function requireAcknowledged(
  origin: string,
  token: string,
  { erased: [whole, partly] }: Pick<VersionContent, 'erased'>,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  for (const { path, etag, body } of acknowledged) {
    const answer = await send('GET', `${origin}/${path}`, token);
    const [, id, , version] = path.split('/');
    const isErased = id === whole || (id === partly && version === '1');
    const text = await answer.text();
    if (isErased || body === '') {
      assert.equal(answer.status, 410, `${path}: ${text}`);
    } else {
      assert.deepEqual([answer.status, text], [200, body], path);
      assert.equal(answer.headers.get('etag'), etag ?? `W/"${version}"`);
    }
  }
}

/** Demands the state of subscriptions, and secrets that the server can read. */
async function requireSubscriptions(
  { origin }: Server,
  token: string,
  { content: { subscriptions }, data }: Upgraded,
): Promise<void> {
  if (subscriptions === undefined) return;
  const { active, off } = subscriptions;
  const [found, ended] = await Promise.all(
    [active, off].map((id) => recordSearch(origin, token, `/Subscription/${id}`)),
  );
  const key = readAuditKey(openDataFolder(data).auditKey);
  assert.ok(key);
  const resource = Object(found?.resources[0]);
  assert.equal(openSeal(resource, active, sealKeyOf(key))?.secret, SECRET);
  assert.equal(Object(ended?.resources[0]).status, 'off');
}

/** The order responses that `write` creates. */
const CREATED = 3;

/** A create, an update of what each client can update, and a transaction. */
async function write(
  { origin }: Server,
  token: string,
  { resources, erased, deleted }: VersionContent,
): Promise<readonly Acknowledged[]> {
  const writer = createWriter(origin, token, resources);
  const id = await writer.create(30, 2);
  const [whole] = erased;
  for (const each of Object.keys(resources))
    if (each !== whole && each !== deleted) {
      await writer.update(each, 40);
    }
  await writer.update(deleted, 41);
  await writer.remove(id);
  await writer.createTogether([50, 51]);
  return writer.acknowledged;
}

interface Delivered {
  readonly url: string;
  readonly received: readonly { readonly headers: Readonly<Record<string, unknown>> }[];
  readonly written: readonly Acknowledged[];
}

/** Demands that a receiver gets what it missed, and everything that was written since, once. */
async function requireDeliveries(
  { origin }: Server,
  token: string,
  { subscriptions }: VersionContent,
  { url, received, written }: Delivered,
): Promise<void> {
  if (subscriptions === undefined) return;
  const { active, pending } = subscriptions;
  const body = subscriptionTo(url, active);
  const answer = await send('PUT', `${origin}/Subscription/${active}`, token, body);
  assert.equal(answer.status, 200, await answer.text());
  const expected = [...pending, ...written.map(({ path }) => path)];
  await until(() => received.length >= expected.length);
  assert.deepEqual(
    received.map(({ headers }) => headers['gazetteer-resource']),
    expected,
  );
}

/** Demands that the second edition can be published again, and the last one after that. */
async function requireRollbacks({ origin }: Server, { words }: Upgraded): Promise<void> {
  const editions: { number: number; isCurrent: boolean }[] = JSON.parse(
    await run('editions', '--json', ...words),
  );
  const current = editions.find(({ isCurrent }) => isCurrent)?.number;
  const statusOf = async (code: string) =>
    (await fetch(`${origin}/STU3/Organization/${code}`)).status;
  await run('rollback', '--to', '2', ...words);
  await until(async () => (await statusOf('B2')) === 200);
  assert.equal(await statusOf('D4'), 404);
  await run('rollback', '--to', String(current), ...words);
  await until(async () => (await statusOf('D4')) === 200);
  assert.equal(await statusOf('B2'), 404);
}

async function requireReadableOrders(
  { origin }: Server,
  token: string,
  content: VersionContent,
  written: readonly Acknowledged[],
): Promise<void> {
  await requireAcknowledged(origin, token, content, [...content.acknowledged, ...written]);
  const feed = await recordFeed(origin, token);
  assert.deepEqual(feed.slice(0, content.feed.length), content.feed);
  assert.equal(feed.length, content.feed.length + written.length);
}

/** Demands that nothing is lost, and that the audit log continues. */
export async function requireVerified(
  { path, words, content }: Upgraded,
  created = 0,
): Promise<void> {
  const verified = await run('verify', ...words, '--head', headOf(content.verified));
  const count = Object.keys(content.resources).length + created;
  assert.match(verified, new RegExp(`: sound, ${count} order responses`));
  const audit = readFileSync(join(path, 'audit.ndjson'), 'utf8');
  assert.ok((await run('audit', ...words)).startsWith(audit), 'the audit log continues');
}
