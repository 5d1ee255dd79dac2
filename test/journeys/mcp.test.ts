/** `gazetteer mcp` as an assistant uses it: the client of the SDK over the streams of the real program. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, keptEnvironment, start } from './program.ts';

const TOOLS = [
  'search_organisations',
  'get_organisation',
  'resolve_codes',
  'match_names',
  'hierarchy',
  'near',
  'events',
];

describe('the directory for assistants', () => {
  const owner = ownerOfSuite();
  const client = new Client({ name: 'test', version: '1.0.0' });
  let data = '';

  before(async () => {
    data = await importedSample(owner);
    const sample = join(ROOT, 'sample', 'postcodes.zip');
    const { code, stderr } = await gazetteer(['import-postcodes', sample, '--data', data]);
    assert.equal(code, 0, stderr);
    const program = process.env.TEST_PROGRAM ?? join(ROOT, 'src/main.ts');
    const args = ['--disable-warning=ExperimentalWarning', program, 'mcp', '--data', data];
    const env = keptEnvironment() as Record<string, string>;
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  });
  after(() => client.close());

  /** The answer of a tool, which must not be an error. */
  const call = async (name: string, values: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: values });
    const [{ text: answer }] = content as [{ text: string }];
    assert.equal(isError, false, answer);
    return JSON.parse(answer);
  };

  const refusalOf = async (name: string, values: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: values });
    assert.equal(isError, true);
    return (content as [{ text: string }])[0].text;
  };

  it('lists tools that only read, each with a description of itself and of its values', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    );
    for (const { name, description, inputSchema, annotations } of tools) {
      assert.match(description ?? '', /^[A-Z].*\.$/, name);
      assert.equal(annotations?.readOnlyHint, true);
      const values = Object.entries(inputSchema.properties ?? {});
      assert.ok(values.length > 0);
      for (const [key, schema] of values) {
        assert.match(key, /^[a-zA-Z]+$/);
        assert.match((schema as { description: string }).description, /^\S.*\.$/, key);
      }
    }
  });

  it('searches and reads organisations', async () => {
    const found = await call('search_organisations', { name: 'leeds teaching', active: 'true' });
    const ids = found.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
    assert.ok(ids.includes('RR8'), ids);
    assert.equal(found.total, ids.length);
    assert.equal((await call('get_organisation', { code: 'rr8' })).id, 'RR8');
  });

  it('answers questions about codes and names', async () => {
    const { answers } = await call('resolve_codes', { codes: ['RR8', 'NOBODY'], on: '2026-04-01' });
    assert.deepEqual(
      answers.map(({ outcome }: { outcome: string }) => outcome),
      ['current', 'unknown'],
    );
    const hinted = await call('match_names', {
      names: ['Leeds Teaching Hospitals'],
      postcode: 'LS9 7TF',
      town: 'Leeds',
      role: 'RO197',
    });
    assert.deepEqual(hinted.answers[0].candidates[0].why.slice(-2), ['town', 'role']);
    const read = await call('get_organisation', { code: ' rr8' });
    assert.equal(read.id, 'RR8');
    const matched = await call('match_names', { names: ['Leeds Teaching Hospitals NHS Trust'] });
    const codes = matched.answers[0].candidates.map(({ code }: { code: string }) => code);
    assert.ok(codes.includes('RR8'), codes);
    const belonging = await call('hierarchy', { codes: ['A81001'] });
    assert.equal(belonging.answers[0].outcome, 'found');
  });

  it('finds what is near, and what happened', async () => {
    const near = await call('near', { place: 'LS1 4AP', role: 'pharmacy', limit: 3 });
    assert.equal(near.organizations.length, 3);
    const distances: number[] = near.organizations.map(
      ({ kilometres }: { kilometres: number }) => kilometres,
    );
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
    const { events, hasMore } = await call('events', { since: '2015-01-01', until: '2026-09-01' });
    assert.equal(events.length, 100);
    assert.equal(hasMore, true);
  });

  const REFUSED: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['search_organisations', { name: 'le' }, /minimum of 3 Characters/],
    ['search_organisations', { nam: 'leeds' }, /nam/],
    ['get_organisation', { code: 'NOBODY' }, /no organisation with this code/],
    ['search_organisations', { page: 'x' }, /^page is not valid: expected number/],
    ['get_organisation', {}, /^code is not valid: expected string, received undefined\.$/],
    ['resolve_codes', { codes: [] }, /codes/],
    ['resolve_codes', { codes: ['RR8'], on: 'today' }, /YYYY-MM-DD/],
    ['match_names', { names: Array.from({ length: 51 }, () => 'x') }, /names/],
    ['near', { place: 'LS1' }, /not a whole one/],
    ['near', { place: 'LS1 4AP', within: 1e9 }, /at most 1000 kilometres/],
    ['near', { place: 'LS1 4AP', role: 'wizard' }, /role must be/],
    ['events', { since: 'yesterday' }, /since must be a date/],
    ['erase_everything', {}, /no tool erase_everything/],
  ];
  for (const [name, values, problem] of REFUSED) {
    it(`says what is wrong with ${name} ${JSON.stringify(values).slice(0, 40)}`, async () => {
      assert.match(await refusalOf(name, values), problem);
    });
  }

  it('ends with its input, and writes nothing but the protocol', async () => {
    const child = start(['mcp', '--data', data]);
    const output = text(child.stdout!);
    const params = { name: 'events', arguments: { since: '1990-01-01' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
    ];
    child.stdin?.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    const [ping, events] = (await output)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(ping, { jsonrpc: '2.0', id: 1, result: {} });
    assert.equal(JSON.parse(events.result.content[0].text).events.length, 100);
  });
});
