/** The audit log as auditors use it: tokens, HTTP, and the command. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { serve } from './program.ts';
import { tokenFor } from './token.ts';

const EXAMPLE = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
const NHS_NUMBER = 'https://fhir.example.org/PAS/Patient/|1234DEF';

/** Entries 1 and 2: a client of dr-1 creates an order response, and dr-2 reads it. */
async function accessed(context: TestContext) {
  const folder = temporaryFolder(context);
  const { origin } = await serve(context, ['--data', folder, '--threads', '1']);
  const send = async (token: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json+fhir' };
    const answer = await fetch(`${origin}/${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    return { answer, text: await answer.text() };
  };
  const clinician = await tokenFor(folder, '--subject', 'dr-1', '--client', 'ward');
  const created = await send(clinician, 'OrderResponse', {
    method: 'POST',
    body: EXAMPLE,
    headers: { 'content-type': 'application/xml+fhir' },
  });
  assert.equal(created.answer.status, 201, created.text);
  const id = created.answer.headers.get('location')?.split('/').at(-3) ?? '';
  const reader = await tokenFor(folder, '--subject', 'dr-2', '--scope', 'system/*.*');
  const read = await send(reader, `OrderResponse/${id}`);
  assert.equal(read.answer.status, 200);
  const auditor = await tokenFor(
    folder,
    '--subject',
    'auditor',
    '--scope',
    'system/AuditEvent.read',
  );
  const found = async (query: string): Promise<string[]> => {
    const { answer, text } = await send(auditor, `AuditEvent?${query}`);
    assert.equal(answer.status, 200, text);
    const entries: { resource: { id: string } }[] = JSON.parse(text).entry ?? [];
    return entries.map(({ resource }) => resource.id);
  };
  const requestId = read.answer.headers.get('x-request-id') ?? '';
  return { folder, id, requestId, clinician, reader, auditor, send, found };
}

async function eventsOf(folder: string, words: readonly string[]) {
  const ended = await runInProcess(['audit', '--data', folder, ...words]);
  assert.equal(ended.code, 0, ended.stderr);
  return ended.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

async function idsOf(folder: string, ...words: string[]): Promise<string[]> {
  return (await eventsOf(folder, words)).map(({ id }) => id);
}

it('who accessed what is found over HTTP with a scope of its own', async (context) => {
  const { id, clinician, reader, auditor, send, found } = await accessed(context);
  for (const token of [clinician, reader]) {
    const { answer, text } = await send(token, 'AuditEvent');
    assert.equal(answer.status, 403);
    assert.match(
      JSON.parse(text).issue[0].diagnostics,
      /needs the scope system\/AuditEvent\.read\. The scope system\/\*\.read does not include it\.$/,
    );
    assert.match(answer.headers.get('www-authenticate') ?? '', /scope="system\/AuditEvent\.read"/);
  }
  assert.equal((await send(auditor, `OrderResponse/${id}`)).answer.status, 403);
  assert.deepEqual(await found(`reference=OrderResponse/${id}`), ['5', '2', '1']);
  assert.deepEqual(await found('user=dr-2&action=R'), ['2']);
  assert.deepEqual(await found(`patient.identifier=${NHS_NUMBER}`), ['5', '2', '1']);
});

it('the command selects entries', async (context) => {
  const { folder, id, requestId, found } = await accessed(context);
  assert.deepEqual(await found('user=dr-1'), ['1']);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const hourAhead = new Date(Date.now() + 3_600_000).toISOString();
  const cases: readonly (readonly [words: string[], ids: string[]])[] = [
    [[], ['1', '2', '3']],
    [['--since', hourAgo, '--until', hourAhead, '--user', 'dr-2'], ['2']],
    [['--since', hourAhead], []],
    [['--until', hourAgo], []],
    [['--user', 'ward'], ['1']],
    [['--user', 'nobody'], []],
    [['--action', 'C'], ['1']],
    [['--action', 'R', '--resource', `OrderResponse/${id}`], ['2']],
    [['--resource', 'AuditEvent/1'], ['3']],
    [['--resource', 'OrderResponse/none'], []],
    [
      ['--patient', NHS_NUMBER],
      ['1', '2'],
    ],
    [['--patient', '1234DEF', '--action', 'C'], ['1']],
    [['--patient', 'Patient/1'], []],
    [['--request', requestId, '--since', hourAgo], ['2']],
    [['--request', 'none', '--since', hourAgo], []],
    [
      ['--limit', '2'],
      ['2', '3'],
    ],
    [['--limit', '1', '--resource', `OrderResponse/${id}`], ['2']],
    [
      ['--limit', '999'],
      ['1', '2', '3'],
    ],
  ];
  for (const [words, ids] of cases) {
    assert.deepEqual(await idsOf(folder, ...words), ids, words.join(' '));
  }
});

it('an erasure keeps the entries, and erases searches that named the patient', async (context) => {
  const { folder, id, found } = await accessed(context);
  assert.deepEqual(await found(`patient.identifier=${NHS_NUMBER}`), ['2', '1']);
  const queries = async () =>
    (await eventsOf(folder, [])).flatMap(({ object }) =>
      object.flatMap(({ query = '' }: { query?: string }) =>
        query === '' ? [] : [Buffer.from(query, 'base64').toString()],
      ),
    );
  assert.match((await queries()).join(), /1234DEF/);
  const erased = await runInProcess(['orders', 'erase', id, '--reason', 'r', '--data', folder]);
  assert.equal(erased.code, 0, erased.stderr);
  assert.deepEqual(await queries(), []);
  assert.deepEqual(await found(`patient.identifier=${NHS_NUMBER}`), []);
  assert.deepEqual(await idsOf(folder, '--patient', NHS_NUMBER), []);
  assert.deepEqual(await idsOf(folder, '--resource', `OrderResponse/${id}`), ['1', '2', '4']);
  const verified = await runInProcess(['verify', '--data', folder]);
  assert.equal(verified.code, 0, verified.stdout);
});
