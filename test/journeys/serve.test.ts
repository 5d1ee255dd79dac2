/** From the sample to answers: import, serve, ask as the old guide does, stop. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { importedSample } from '../imported-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { gazetteer, SAMPLE, serve } from './program.ts';

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly meta: { readonly lastUpdated: string };
  readonly address?: readonly { readonly city?: string; readonly postalCode?: string }[];
  readonly extension: readonly {
    readonly extension?: readonly {
      readonly url: string;
      readonly valueCoding?: { readonly code: string };
      readonly valueBoolean?: boolean;
    }[];
  }[];
}

const rolesOf = ({ extension }: Organization) =>
  extension.flatMap(({ extension: parts = [] }) => {
    const code = parts.find(({ url }) => url === 'role')?.valueCoding?.code;
    const isPrimary = parts.some(({ valueBoolean }) => valueBoolean === true);
    return code === undefined ? [] : [{ code, isPrimary }];
  });
const hasRole = (organization: Organization, ...codes: string[]) =>
  rolesOf(organization).some(({ code }) => codes.includes(code));
const cityOf = ({ address }: Organization) => address?.[0]?.city ?? '';
const postcodeOf = ({ address }: Organization) => address?.[0]?.postalCode ?? '';

/** The searches of the old guide, and what each organisation found must be like. */
const GUIDE: readonly (readonly [query: string, matches: (found: Organization) => boolean])[] = [
  ['name=Leeds', ({ name }) => /^leeds/i.test(name)],
  ['name:contains=Leeds', ({ name }) => /leeds/i.test(name)],
  [
    'name:exact=LEEDS TEACHING HOSPITALS NHS TRUST',
    ({ name }) => name === 'LEEDS TEACHING HOSPITALS NHS TRUST',
  ],
  ['address-postalcode=LS1', (found) => /^LS1/i.test(postcodeOf(found))],
  ['address-postalcode:contains=LS6 4', (found) => /LS6 4/i.test(postcodeOf(found))],
  ['address-postalcode:exact=LS6 4JN', (found) => postcodeOf(found) === 'LS6 4JN'],
  ['address-city=Peter', (found) => /^peter/i.test(cityOf(found))],
  ['address-city:contains=land', (found) => /land/i.test(cityOf(found))],
  ['ods-org-role=76&ods-org-role=177', (found) => hasRole(found, '76') && hasRole(found, '177')],
  ['ods-org-role=197,198', (found) => hasRole(found, '197', '198')],
  [
    'ods-org-role=157&ods-org-role=29,15',
    (found) => hasRole(found, '157') && hasRole(found, '29', '15'),
  ],
  [
    'ods-org-role=157&ods-org-primaryRole=true',
    (found) => rolesOf(found).some(({ code, isPrimary }) => code === '157' && isPrimary),
  ],
  ['_lastUpdated=gt2017-04-01', ({ meta }) => meta.lastUpdated > '2017-04-02'],
  ['identifier=https://fhir.nhs.uk/Id/ods-organization-code|RTG', ({ id }) => id === 'RTG'],
];

it('the searches of the old guide find what they should, in JSON and XML', async (context) => {
  const data = temporaryFolder(context);
  const imported = await gazetteer(['import', SAMPLE, '--data', data]);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(
    imported.stdout,
    /^Edition 1, published \d{4}-\d\d-\d\d, is now current: \d+ added/m,
  );
  const server = await serve(context, ['--data', data, '--threads', '2']);

  for (const [query, matches] of GUIDE) {
    const bundles = await Promise.all(
      (['json', 'xml'] as const).map(async (format) => {
        const url = `${server.origin}/STU3/Organization?${encodeURI(query)}&_format=${format}`;
        const answer = await fetch(url);
        assert.equal(answer.status, 200);
        const decode = format === 'json' ? decodeJson : decodeXml;
        const body = Buffer.from(await answer.arrayBuffer());
        const { resource, findings } = decode(body, STU3.definitions);
        assert.deepEqual(findings, [], query);
        const { total, entry = [] } = resource as unknown as {
          total: number;
          entry?: { resource: Organization }[];
        };
        return { total, found: entry.map((one) => one.resource) };
      }),
    );
    const [json, xml] = bundles;
    assert.deepEqual(json, xml, query);
    assert.ok(json!.total > 0, `${query} finds something`);
    assert.equal(json!.found.length, Math.min(20, json!.total), query);
    for (const organization of json!.found) {
      assert.ok(matches(organization), `${query} does not match ${organization.id}`);
    }
  }
  const count = await fetch(`${server.origin}/STU3/Organization?_summary=count`);
  const { total, entry } = (await count.json()) as { total: number; entry?: unknown };
  assert.ok(total > 500);
  assert.equal(entry, undefined);

  assert.equal(await server.stop(), 0);
  assert.ok(server.log.some(({ msg, path }) => msg === 'request' && path === '/STU3/Organization'));
});

it('requests are logged without the values of parameters unless a setting says so', async (context) => {
  const data = await importedSample(context);
  const lines = [];
  for (const words of [[], ['--log-parameters'], ['--log-requests=false']]) {
    const server = await serve(context, ['--data', data, '--threads', '1', ...words]);
    await fetch(`${server.origin}/STU3/Organization?name=Secret&active=true`);
    await server.stop();
    lines.push(server.log.find(({ msg }) => msg === 'request')?.parameters);
  }
  assert.deepEqual(lines, ['name active', 'name=Secret&active=true', undefined]);
});

it('without data it serves 503, names the command to run, and picks the first edition up', async (context) => {
  const data = temporaryFolder(context);
  const server = await serve(context, ['--data', data]);
  const ask = () => fetch(`${server.origin}/STU3/Organization/RTG`);
  assert.equal((await ask()).status, 503);
  const { msg } = await server.logged(/no edition yet/);
  assert.match(msg, /run "gazetteer import FILE --data /);
  assert.equal((await gazetteer(['import', SAMPLE, '--data', data])).code, 0);
  await server.logged(/serving edition/);
  while ((await ask()).status !== 200);
  assert.equal(await server.stop('SIGINT'), 0);
});

it('a request in progress when it is asked to stop is answered, and the exit code is 0', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, ['--data', data, '--threads', '1']);
  const socket = connect(server.port, '127.0.0.1');
  context.after(() => socket.destroy());
  const closed = once(socket, 'close');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(
    'POST /STU3/Organization/_search HTTP/1.1\r\nHost: localhost\r\n' +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\nactive',
  );
  // A whole request on another connection shows that the server has read the half one.
  await fetch(`${server.origin}/STU3/metadata`);
  const ended = server.stop();
  await refusesConnections(server.port);
  socket.write('=true');
  await closed;
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /\r\nConnection: close\r\n/);
  assert.equal(await ended, 0);
});

/** Resolves once the port is closed: the threads know by then that they are to stop. */
async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const probe = connect(port, '127.0.0.1');
    const isOpen = await once(probe, 'connect').then(
      () => true,
      () => false,
    );
    probe.destroy();
    if (!isOpen) return;
  }
}

it('links show the base URL, and its path is part of every path', async (context) => {
  const data = await importedSample(context);
  const server = await serve(context, [
    '--data',
    data,
    '--base-url',
    'https://fhir.example.org/ods/',
  ]);
  const answer = await fetch(`${server.origin}/ods/STU3/Organization?_count=1`);
  const { link, entry } = (await answer.json()) as {
    link: { url: string }[];
    entry: { fullUrl: string }[];
  };
  assert.match(link[0]!.url, /^https:\/\/fhir\.example\.org\/ods\/STU3\/Organization\?/);
  assert.match(entry[0]!.fullUrl, /^https:\/\/fhir\.example\.org\/ods\/STU3\/Organization\//);
  assert.equal((await fetch(`${server.origin}/STU3/Organization`)).status, 404);
});

it('a base URL beyond ASCII is encoded, as links and headers need it', async (context) => {
  const data = await importedSample(context);
  const environment = {
    GAZETTEER_SERVICE_HOST: '10.0.0.1',
    GAZETTEER_PORT_80_TCP: 'tcp://10.0.0.1',
  };
  const server = await serve(
    context,
    ['--data', data, '--base-url', 'HTTPS://Stra\u00dfe.example/\u65e5 b//'],
    { environment },
  );
  const answer = await fetch(`${server.origin}/%E6%97%A5%20b/STU3/Organization/rtg`);
  assert.equal(answer.status, 200);
  assert.match(
    answer.headers.get('content-location') ?? '',
    /^https:\/\/[a-z0-9.-]+\.example\/%E6%97%A5%20b\/STU3\/Organization\/RTG$/,
  );
  assert.equal(await server.stop(), 0);
});

it('a malformed request is answered with an outcome', async (context) => {
  const server = await serve(context, ['--data', temporaryFolder(context), '--threads', '1']);
  const cases: readonly (readonly [sent: string, status: RegExp])[] = [
    ['NONSENSE\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['WHAT /STU3/metadata HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    [`GET /STU3/metadata?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 431 /],
    [
      'GET /STU3/metadata HTTP/1.1\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 [\s\S]*header Host/,
    ],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', /^HTTP\/1\.1 417 /],
  ];
  for (const [sent, status] of cases) {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(sent);
    await once(socket, 'close');
    assert.match(answer, status);
    assert.match(answer, /"resourceType":"OperationOutcome"/);
    assert.match(answer, /^X-Request-Id: [\w.-]+\r$/m);
  }
});
