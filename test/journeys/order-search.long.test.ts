/** Searches of order responses as their users meet them: pages, a restart, and what the audit log keeps. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

const EXAMPLE = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
const PATIENT = '1234DEF';

// biome-ignore lint/suspicious/noExplicitAny: a Bundle or an outcome, whose content the test checks
type Body = any;

const idsIn = (bundle: Body): string[] => bundle.entry.map(({ resource }: Body) => resource.id);
const linkIn = (bundle: Body, wanted: string): string =>
  bundle.link.find(({ relation }: Body) => relation === wanted)?.url ?? '';

it('order responses are found after kill -9, also by earlier links', async (context) => {
  const folder = temporaryFolder(context);
  const words = ['--data', folder, '--threads', '1', '--directory-enabled', 'false'];
  const token = await tokenFor(folder, '--scope', 'system/OrderResponse.*');
  const authorization = `Bearer ${token}`;
  const create = async (server: Server) => {
    const answer = await fetch(`${server.origin}/OrderResponse`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/xml+fhir' },
      body: EXAMPLE,
    });
    assert.equal(answer.status, 201, await answer.text());
    return answer.headers.get('location')?.split('/').at(-3) ?? '';
  };
  const search = async (server: Server, link: string): Promise<Body> => {
    const path = link.includes('://') ? new URL(link).pathname + new URL(link).search : link;
    const answer = await fetch(server.origin + path, {
      headers: { authorization, accept: 'application/json+fhir' },
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text);
  };

  const first = await serve(context, words);
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.unshift(await create(first));
  const query = `/OrderResponse?request.patient.identifier=${PATIENT}&_count=2`;
  const page = await search(first, query);
  assert.deepEqual([page.total, idsIn(page)], [5, ids.slice(0, 2)]);
  first.process.kill('SIGKILL');

  const second = await serve(context, words);
  ids.unshift(await create(second));
  const next = await search(second, linkIn(page, 'next'));
  assert.deepEqual([next.total, idsIn(next)], [5, ids.slice(3, 5)]);
  assert.equal((await search(second, query)).total, 6);
  assert.equal(await second.stop(), 0);

  const audit = await runInProcess(['audit', '--data', folder]);
  const events = audit.stdout
    .trim()
    .split('\n')
    .map((line): Body => JSON.parse(line))
    .filter(({ event }) => event.subtype?.[0].code === 'search-type');
  assert.equal(events.length, 3);
  const [asked, ...found] = events[0].object;
  assert.match(Buffer.from(asked.query, 'base64').toString(), new RegExp(PATIENT));
  assert.deepEqual(
    found.map(({ reference }: Body) => reference.reference),
    idsIn(page).map((id) => `OrderResponse/${id}`),
  );
  const verified = await runInProcess(['verify', '--data', folder]);
  assert.equal(verified.code, 0, verified.stdout);
});
