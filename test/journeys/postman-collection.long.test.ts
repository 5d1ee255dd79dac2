/** The Postman collection: it is current, and each of its requests succeeds against the sample. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { COLLECTION_FILE, collectionText } from '../../scripts/generate-postman.ts';
import {
  type PostmanEvent,
  type PostmanItem,
  postmanCollection,
} from '../../scripts/postman-collection.ts';
import { writeFiles } from '../directory/practitioners/practitioner-files.ts';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

type Collection = ReturnType<typeof postmanCollection>;

const file = readFileSync(join(ROOT, COLLECTION_FILE), 'utf8');

it('the file is current', () => {
  assert.equal(file, collectionText(), 'run `npm run generate:reference`');
});

describe('each request of the collection', () => {
  const collection: Collection = JSON.parse(file);
  const owner = ownerOfSuite();
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  let server: Server;
  before(async () => {
    const data = await importedSample(owner);
    const postcodes = join(ROOT, 'sample', 'postcodes.zip');
    await gazetteer(['import-postcodes', postcodes, '--data', data]);
    // The sample has none.
    const practitioners = writeFiles(join(temporaryFolder(owner), 'practitioners'));
    await gazetteer(['import-practitioners', ...practitioners, '--data', data]);
    server = await serve(owner, ['--data', data, '--threads', '1']);
    variables.set('base', server.origin);
    const scopes = ['system/*.*', 'system/AuditEvent.read'];
    const words = scopes.flatMap((scope) => ['--scope', scope]);
    variables.set('token', await tokenFor(data, ...words));
  });

  it('is one that the description of the server has', async () => {
    const answer = await fetch(`${server.origin}/openapi.json`);
    assert.deepEqual(postmanCollection(await answer.json()), collection);
  });

  for (const { name: folder, item: items } of collection.item) {
    for (const item of items) {
      it(`${folder}: ${item.name}`, async () => {
        const { status, headers, text } = await send(item, variables);
        assert.ok(status < 400, `${status} ${text}`);
        const found = /"resourceType":"Bundle".*?"total":"?(\d+)/.exec(text)?.[1];
        if (/\/_search$|^GET .*\/[A-Z]\w+$/.test(item.name)) assert.notEqual(found, '0', text);
        const events = [...collection.event, ...(item.event ?? [])];
        runTests(events, { status, headers, text }, variables);
      });
    }
  }
});

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(
  { request }: PostmanItem,
  variables: ReadonlyMap<string, string>,
): Promise<Answered> {
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
  const { method, header, url, body, auth } = request;
  const address = new URL(filled(`{{base}}/${url.path.join('/')}`));
  for (const { key, value } of url.query) address.searchParams.append(key, filled(value));
  const sent =
    body?.mode === 'urlencoded'
      ? new URLSearchParams(body.urlencoded.map(({ key, value }) => [key, filled(value)]))
      : body && filled(body.raw);
  const answer = await fetch(address, {
    method,
    headers: {
      ...Object.fromEntries(header.map(({ key, value }) => [key, filled(value)])),
      ...(auth === undefined && { Authorization: filled('Bearer {{token}}') }),
    },
    ...(sent !== undefined && { body: sent }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Runs the scripts with the few parts of Postman's `pm` that they use. */
function runTests(
  events: readonly PostmanEvent[],
  { status, headers, text }: Answered,
  variables: Map<string, string>,
): void {
  const pm = {
    response: { code: status, headers, json: () => JSON.parse(text) },
    collectionVariables: { set: (name: string, value: string) => void variables.set(name, value) },
    expect: (actual: number) => ({ below: (limit: number) => assert.ok(actual < limit) }),
    test: (_: string, check: () => void) => check(),
  };
  const context = createContext({ pm });
  for (const { script } of events) runInContext(script.exec.join('\n'), context);
}
