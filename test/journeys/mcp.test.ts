/**
 * The tools of assistants as their users have them: the client of the SDK over the streams of the real
 * program and over HTTP, and the same questions at the other doors of the server.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { closedSchema } from '../directory/assistants/closed-schema.ts';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { ROOT } from '../tidy/source-files.ts';
import { gazetteer, keptEnvironment, type Server, serve, start } from './program.ts';

type Values = Record<string, unknown>;

/** JSON as a test reads it. */
type Json = ReturnType<typeof JSON.parse>;

const DAY = '2026-04-01';

describe('the tools of assistants', () => {
  const owner = ownerOfSuite();
  const stdio = new Client({ name: 'test', version: '1.0.0' });
  const http = new Client({ name: 'test', version: '1.0.0' });
  let data = '';
  let server: Server;

  before(async () => {
    data = await importedSample(owner);
    const sample = join(ROOT, 'sample', 'postcodes.zip');
    const { code, stderr } = await gazetteer(['import-postcodes', sample, '--data', data]);
    assert.equal(code, 0, stderr);
    const program = process.env.TEST_PROGRAM ?? join(ROOT, 'src/main.ts');
    const args = ['--disable-warning=ExperimentalWarning', program, 'mcp', '--data', data];
    const env = keptEnvironment() as Record<string, string>;
    await stdio.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const two = ['--mcp-enabled', '--threads', '2', '--base-url', 'http://localhost:8080'];
    server = await serve(owner, ['--data', data, ...two]);
    const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`));
    await http.connect(transport as Transport);
  });
  after(async () => {
    await stdio.close();
    await http.close();
  });

  /** The answer, which must not be an error, and must be the same by both ways. */
  const call = async (name: string, values: Values): Promise<Json> => {
    const [one, other] = await Promise.all([
      stdio.callTool({ name, arguments: values }),
      http.callTool({ name, arguments: values }),
    ]);
    const [{ text: answer }] = one.content as [{ text: string }];
    assert.notEqual(one.isError, true, answer);
    assert.deepEqual(other, one);
    assert.deepEqual(JSON.parse(answer), one.structuredContent);
    return one.structuredContent;
  };

  const door = async (path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${server.origin}${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    assert.equal(answer.status, 200, path);
    const isJson = answer.headers.get('content-type')?.includes('json');
    return isJson === true ? answer.json() : answer.text();
  };

  const codesOf = (rows: readonly { code: string }[]) => rows.map(({ code }) => code);
  const idsOf = ({ entry }: Json): string[] =>
    entry.map(({ resource }: Json) => resource.id as string);

  it('are the same by both ways, only read, and describe themselves and their values', async () => {
    const { tools } = await http.listTools();
    assert.deepEqual(await stdio.listTools(), { tools });
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      assert.match(name, /^[a-z]+(_[a-z]+)?$/);
      assert.match(title ?? '', /^[A-Z]/, name);
      assert.match(description ?? '', /^[A-Z].*\.$/s, name);
      assert.equal(annotations?.readOnlyHint, true);
      assert.equal(inputSchema.additionalProperties, false);
      for (const [key, schema] of Object.entries(inputSchema.properties ?? {})) {
        assert.match((schema as { description: string }).description, /^\S.*\.$/, `${name} ${key}`);
      }
      assert.equal(outputSchema?.type, 'object', name);
    }
  });

  const SEARCH = { name: 'leeds', status: 'active' };
  const STU3 = '/STU3/Organization?name:contains=leeds&active=true';

  /** For each tool a call, and the same at another door. */
  const SAME: readonly (readonly [
    tool: string,
    values: Values,
    same: (answer: Json) => unknown,
  ])[] = [
    [
      'search_organisations',
      SEARCH,
      async ({ total, organisations }) => {
        const found = await door(STU3);
        assert.equal(total, found.total);
        // FHIR has another order.
        assert.deepEqual(codesOf(organisations).toSorted(), idsOf(found).toSorted());
      },
    ],
    [
      'search_organisations',
      { ...SEARCH, full: true, limit: 3 },
      async ({ resources }) => {
        assert.equal(resources.length, 3);
        for (const resource of resources) {
          assert.deepEqual(resource, await door(`/STU3/Organization/${resource.id}`));
        }
      },
    ],
    [
      'search_organisations',
      { role: 'pharmacies', town: 'Leeds', postcode: 'LS' },
      async ({ total }) => {
        const query = 'ods-org-role=182&address-city=leeds&address-postalcode=LS';
        assert.equal(total, (await door(`/STU3/Organization?${query}`)).total);
        assert.ok(total > 0);
      },
    ],
    [
      'get_organisation',
      { code: ' rr8', full: true },
      async ({ resource }) => assert.deepEqual(resource, await door('/STU3/Organization/RR8')),
    ],
    [
      'get_organisation',
      { code: 'RR8' },
      ({ code, name, role, roleName, status, roles }) => {
        assert.deepEqual([code, role, status], ['RR8', 'RO197', 'active']);
        assert.match(name, /LEEDS TEACHING/);
        assert.equal(roles[0].roleName, roleName);
      },
    ],
    [
      'members',
      { of: 'y54', role: 'gp', status: 'active', limit: 100 },
      async ({ total, organisations }) => {
        assert.ok(total > 0);
        const { results } = await door('/hierarchy', { codes: codesOf(organisations) });
        for (const { code, levels } of results) {
          assert.ok(codesOf(levels).includes('Y54'), code);
        }
      },
    ],
    [
      'counts',
      { by: 'region', role: 'RO177', status: 'active' },
      async ({ total, counts, without }) => {
        const query = 'ods-org-role=177&active=true&_summary=count';
        assert.equal(total, (await door(`/STU3/Organization?${query}`)).total);
        const sum = counts.reduce((all: number, { count }: Json) => all + count, 0);
        assert.equal(sum + (without ?? 0), total);
        for (const { key, count } of counts.slice(0, 3)) {
          const values = { of: key, role: 'RO177', status: 'active' };
          assert.equal((await call('members', values)).total, count);
        }
      },
    ],
    [
      'counts',
      { by: 'role', town: 'leeds' },
      async ({ counts }) => {
        const { key, count } = counts[0];
        const query = `address-city=leeds&ods-org-role=${key}&ods-org-primaryRole=true`;
        const found = await door(`/STU3/Organization?${query}&_summary=count`);
        assert.equal(count, found.total);
      },
    ],
    [
      'counts',
      { by: 'status', of: 'Y54' },
      ({ total, counts }) => assert.equal(total, counts[0].count + counts[1].count),
    ],
    [
      'roles',
      { limit: 5 },
      async ({ total, roles, next }) => {
        const { results } = await door('/roles');
        assert.equal(total, results.length);
        const found = [...roles];
        for (let after = next; after !== undefined; ) {
          const page = await call('roles', { limit: 100, after });
          found.push(...page.roles);
          after = page.next;
        }
        const byCode = (a: Json, b: Json) => a.code.localeCompare(b.code);
        assert.deepEqual(found.sort(byCode), results.sort(byCode));
        const meant = await call('roles', { role: 'chemist' });
        const meantThere = (await door('/roles?role=chemist')).results;
        assert.deepEqual(meant.roles.sort(byCode), meantThere.sort(byCode));
      },
    ],
    [
      'resolve_codes',
      { codes: ['RR8', 'NOBODY'], on: DAY },
      async (answer) =>
        assert.deepEqual(answer, await door(`/resolve?code=RR8&code=NOBODY&on=${DAY}`)),
    ],
    [
      'match_names',
      {
        names: [{ name: 'leeds teaching', town: 'Leeds', role: 'RO197' }, { name: 'RR8' }],
        on: DAY,
      },
      async (answer) => {
        const rows = [{ name: 'leeds teaching', town: 'Leeds', role: 'RO197' }, { name: 'RR8' }];
        assert.deepEqual(answer, await door('/match', { rows, on: DAY }));
        assert.deepEqual(answer.results[0].candidates[0].why.slice(-2), ['town', 'role']);
      },
    ],
    [
      'hierarchy',
      { codes: ['A81001'], on: DAY },
      async (answer) => assert.deepEqual(answer, await door(`/hierarchy?code=A81001&on=${DAY}`)),
    ],
    [
      'postcode',
      { postcode: 'ls14ap' },
      async ({ place, nearest }) => {
        assert.deepEqual(place, await door('/postcodes/LS1%204AP'));
        const query = 'near=LS1%204AP|1000&active=true&_count=3';
        assert.deepEqual(
          codesOf(nearest.organisations),
          idsOf(await door(`/STU3/Organization?${query}`)),
        );
      },
    ],
    [
      'near',
      { place: 'LS1 4AP', role: 'pharmacy', within: 50, limit: 5 },
      async ({ total, organisations }) => {
        const query = 'near=LS1%204AP|50&active=true&ods-org-role=182&_count=5';
        const found = await door(`/STU3/Organization?${query}`);
        assert.equal(total, found.total);
        assert.deepEqual(codesOf(organisations), idsOf(found));
      },
    ],
    [
      'events',
      { since: '2015-01-01', until: '2026-09-01' },
      async ({ events, next }) => {
        const found = await door('/events?since=2015-01-01&until=2026-09-01');
        assert.deepEqual(events, found.events.slice(0, 20));
        const more = await call('events', {
          since: '2015-01-01',
          until: '2026-09-01',
          after: next,
        });
        assert.deepEqual(more.events, found.events.slice(20, 40));
      },
    ],
    [
      'reports',
      {},
      ({ reports }) =>
        assert.ok(reports.find((each: Json) => each.report === 'epraccur').organisations > 0),
    ],
    [
      'report_rows',
      { report: 'epraccur', on: DAY, limit: 2 },
      async ({ columns, rows, next }) => {
        const csv = await door(`/api/getReport?report=epraccur&asAt=${DAY}&headers=true`);
        const [headings, ...lines] = parse(csv);
        assert.deepEqual(columns, headings);
        assert.deepEqual(rows, lines.slice(0, 2));
        const values = { report: 'EPRACCUR', on: DAY, limit: 2, after: next };
        assert.deepEqual((await call('report_rows', values)).rows, lines.slice(2, 4));
      },
    ],
  ];
  for (const [tool, values, same] of SAME) {
    it(`${tool} ${JSON.stringify(values)} answers as the other doors do`, async () => {
      await same(await call(tool, values));
    });
  }

  it('have answers that agree with their schemas, which name every member', async () => {
    const { tools } = await http.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name).filter((name) => !SAME.some(([tool]) => tool === name)),
      [],
    );
    const ajv = new Ajv2020({ validateFormats: false });
    for (const [tool, values] of SAME) {
      const schema = tools.find(({ name }) => name === tool)?.outputSchema;
      const validate = ajv.compile(closedSchema(schema ?? {}));
      validate(await call(tool, values));
      assert.deepEqual(validate.errors, null, tool);
    }
  });

  it('answer a search with 20 short rows, which other pages follow', async () => {
    const first = await call('search_organisations', { status: 'active' });
    assert.equal(first.organisations.length, 20);
    assert.ok(JSON.stringify(first).length < 4_000);
    const codes = [...codesOf(first.organisations)];
    let { next } = first;
    for (let pages = 1; pages < 4; pages++) {
      const page = await call('search_organisations', { status: 'active', after: next });
      codes.push(...codesOf(page.organisations));
      next = page.next;
    }
    assert.equal(new Set(codes).size, 80);
    const known = idsOf(await door('/R4/Organization?active=true&_count=1000'));
    assert.deepEqual(
      codes.filter((code) => !known.includes(code)),
      [],
    );
  });

  const REFUSED: readonly (readonly [string, Values, RegExp])[] = [
    [
      'search_organisations',
      { name: 'le' },
      /^name must be a text of at least 3 characters\. Got "le"\.$/,
    ],
    ['search_organisations', { name: '[a]b' }, /invalid Character/],
    [
      'search_organisations',
      { postcod: 'LS1' },
      /^Unknown argument "postcod"\. Did you mean "postcode"\?/,
    ],
    [
      'search_organisations',
      { status: 'open' },
      /^status: Unknown value "open"\. The values are active, inactive\.$/,
    ],
    [
      'search_organisations',
      { limit: 101 },
      /^limit must be a whole number from 1 to 100\. Got 101\.$/,
    ],
    ['search_organisations', { after: '2' }, /^after must be the value of next/],
    ['search_organisations', { after: '9-20' }, /no edition with this number/],
    ['search_organisations', { role: 'wizard' }, /^Unknown role "wizard"/],
    ['search_organisations', { full: 'yes' }, /^full must be true or false\. Got "yes"\.$/],
    [
      'get_organisation',
      { code: 'NOBODY' },
      /no organisation with the code "NOBODY"\. Use match_names/,
    ],
    ['get_organisation', {}, /^code is missing\. The code of an organisation/],
    ['get_organisation', { code: '../metadata' }, /no organisation with the code/],
    ['members', { of: 'NOBODY' }, /no organisation with the code "NOBODY"/],
    [
      'counts',
      { by: 'regions' },
      /^by: Unknown value "regions"\. Did you mean "region"\? The values are role, /,
    ],
    ['roles', { role: 'wizard' }, /^Unknown role "wizard"\. See the tool roles for the list/],
    ['resolve_codes', { codes: [] }, /^codes is an empty list/],
    ['resolve_codes', { codes: 'RR8' }, /^codes must be a list\. Got "RR8"\.$/],
    ['resolve_codes', { codes: ['RR8', 5] }, /^codes: item 2 must be a text\. Got 5\.$/],
    ['resolve_codes', { codes: ['RR8'], on: 'today' }, /YYYY-MM-DD/],
    [
      'match_names',
      { names: Array.from({ length: 51 }, () => ({ name: 'x' })) },
      /^names has 51 items\. Give at most 50/,
    ],
    [
      'match_names',
      { names: [{ nam: 'x' }] },
      /^names: item 1: Unknown member "nam"\. Did you mean "name"\?/,
    ],
    ['near', { place: 'LS1' }, /not a whole one/],
    [
      'near',
      { place: 'LS1 4AP', within: 1e9 },
      /^within must be a number above 0, and at most 1000/,
    ],
    ['near', { place: 'LS1 4AP', role: 'wizard' }, /"wizard"\. See the tool roles for the list/],
    ['postcode', { postcode: 'ZZ99 9ZZ' }, /do not have ZZ99 9ZZ/],
    ['postcode', { postcode: 'Leeds' }, /not a postcode/],
    ['events', { since: 'yesterday' }, /since must be a date/],
    ['events', {}, /^since is missing/],
    ['events', { since: '2026-01-01', role: 'wizard' }, /See the tool roles for the list/],
    ['events', { knownSince: '2026-01-01', sinceEdition: 1 }, /not both/],
    ['events', { sinceEdition: 99 }, /^sinceEdition must be the number of an edition\. Got 99\./],
    ['events', { sinceEdition: '99' }, /^sinceEdition must be the number of an edition\. Got 99\./],
    ['events', { sinceEdition: 1.5 }, /^sinceEdition must be the number of an edition, such as 7/],
    [
      'report_rows',
      { report: 'epracur' },
      /Did you mean "epraccur"\? See the tool reports for the list/,
    ],
  ];
  for (const [name, values, problem] of REFUSED) {
    it(`say what is wrong with ${name} ${JSON.stringify(values).slice(0, 40)}`, async () => {
      for (const client of [stdio, http]) {
        const { content, isError } = await client.callTool({ name, arguments: values });
        assert.equal(isError, true);
        assert.match((content as [{ text: string }])[0].text, problem);
      }
    });
  }

  it('suggest the nearest tool for one that does not exist', async () => {
    for (const client of [stdio, http]) {
      const asked = client.callTool({ name: 'get_organization', arguments: {} });
      await assert.rejects(
        asked,
        /Unknown tool "get_organization"\. Did you mean "get_organisation"\?/,
      );
    }
  });

  it('end with the input, and write nothing but the protocol', async () => {
    const child = start(['mcp', '--data', data]);
    const output = text(child.stdout!);
    const params = { name: 'events', arguments: { since: '1990-01-01', limit: 100 } };
    const lines = [
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      '',
      '{"jsonrpc": "2.0", "id"',
      `"${'x'.repeat(2 ** 20)}"`,
      '[]',
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }),
    ];
    child.stdin?.end(`${lines.join('\r\n')}\n`);
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    const [ping, notJson, long, batch, events, ...others] = (await output)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(ping, { jsonrpc: '2.0', id: 1, result: {} });
    assert.equal(notJson.error.code, -32700);
    assert.match(long.error.message, /1048576 bytes/);
    assert.match(batch.error.message, /Send each of its messages alone/);
    assert.equal(events.result.structuredContent.events.length, 100);
    assert.deepEqual(others, []);
  });

  it('are counted as a service of the server, which names no tool in its log', async () => {
    const metrics = await (await fetch(`${server.operation}/metrics`)).text();
    assert.match(metrics, /service="mcp"\} [1-9]/);
    const line = server.log.find(({ path }) => path === '/mcp');
    assert.equal(line?.method, 'POST');
  });
});
