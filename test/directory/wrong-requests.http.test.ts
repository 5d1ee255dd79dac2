/**
 * Sixty wrong requests, ten for each kind of door: each is answered with the same form of message.
 * It says what was sent, the nearest name that exists, and which names exist or where they are listed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { type OrderServer, startOrders } from '../order-response/order-server.ts';
import { startWeb, type WebServer } from '../web/web-server.ts';
import { BASE, type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { RECORDS } from './records.ts';

/** `sent`: the wrong name as the message shows it. `meant`: the nearest one. */
type Case<Request> = readonly [request: Request, sent: string, meant?: string];

function checkMessage(message: string, sent: string, meant: string | undefined): void {
  const start = message.indexOf(`"${sent}"`);
  assert.match(message.slice(0, Math.max(0, start)), /(?:^|[\s])Unknown [\w ]+ $/, message);
  const [, nearest, list = ''] = AFTER_SENT.exec(message.slice(start + sent.length + 2)) ?? [];
  assert.equal(nearest, meant, message);
  assert.match(list, LIST, message);
}

const AFTER_SENT = /^(?: of \S+| of the \w+)?\. (?:Did you mean "([^"]+)"\? )?(.+)/s;
const LIST =
  /^(?:The [\w ]+ (?:are|is) |There are no [\w ]+ here\.|See .+ for the list of [\w ]+\.)/;

const STU3: readonly Case<string>[] = [
  ['Organization?Name=leeds', 'Name', 'name'],
  ['Organization?adress-city=leeds', 'adress-city', 'address-city'],
  ['Organization?postcode=LS1', 'postcode', 'address-postalcode'],
  ['Organization?roleCode=RO197', 'roleCode', 'ods-org-role'],
  ['Organization?name:contain=leeds', 'name:contain', 'name:contains'],
  ['Organization?ods-org-role=GP%20practise', 'GP practise', 'RO76 (GP PRACTICE)'],
  ['Organization?colour=red', 'colour'],
  ['Organisation/RR8', 'Organisation/RR8', 'Organization/RR8'],
  ['metdata', 'metdata', 'metadata'],
  ['Organization/RR8/$validate', '$validate'],
];

const SYSTEM = encodeURIComponent('https://fhir.nhs.uk/Id/ods-organization-code');

const R4: readonly Case<string>[] = [
  ['Organization?count=1', 'count', '_count'],
  ['Organization?ods-org-role=RO197', 'ods-org-role', 'roleCode'],
  ['Organization?status=active', 'status', 'active'],
  ['Organization?_summary=all', 'all'],
  ['Organization?_sort=nam', 'nam', 'name'],
  ['OrganizationAffiliation?_include=Organization:partof', 'Organization:partof'],
  ['Organizations', 'Organizations', 'Organization'],
  ['CodeSystem/$lookupp', '$lookupp', 'CodeSystem/$lookup'],
  [`CodeSystem/$lookup?system=${SYSTEM}&code=RR8&property=nam`, 'nam', 'name'],
  ['Organization?roleCode=RO1977', 'RO1977', 'RO197 (NHS TRUST)'],
];

const ORDERS: readonly Case<string>[] = [
  ['OrderResponse?status=completed', 'status', 'code'],
  ['OrderResponse?orderStatus=completed', 'orderStatus', 'code'],
  ['OrderResponse?code=complete', 'complete', 'completed'],
  ['OrderResponse?code:exact=completed', 'code:exact', 'code'],
  ['OrderResponse?_sort=dat', 'dat', 'date'],
  ['OrderResponse?_summary=all', 'all'],
  ['OrderResponse?lastUpdated=2026', 'lastUpdated', '_lastUpdated'],
  ['OrderResponses/1', '/base/OrderResponses/1', '/base/OrderResponse/1'],
  ['OrderResponse/$validat', '$validat', 'OrderResponse/$validate'],
  ['OrderResponse?who.identifer=1', 'who.identifer', 'who.identifier'],
];

const NATIONAL: readonly Case<string>[] = [
  ['ORD/2-0-0/organisations?name=leeds', 'name', 'Name'],
  ['ORD/2-0-0/organisations?Town=Leeds', 'Town'],
  ['ORD/2-0-0/organisation', '/fhir/ORD/2-0-0/organisation', '/fhir/ORD/2-0-0/organisations'],
  ['ORD/2-0-0/sync?LastChangeDates=2026-01-01', 'LastChangeDates', 'LastChangeDate'],
  ['ORD/2-0-0/role/RO197', '/fhir/ORD/2-0-0/role/RO197', '/fhir/ORD/2-0-0/roles/RO197'],
  ['api/getReport?report=epracur', 'epracur', 'epraccur'],
  ['api/getReport?reports=etr', 'reports', 'report'],
  ['api/getReport?reportBundle=prescribingPack', 'prescribingPack'],
  ['assets/ods/current/epraccur.csv', 'epraccur.csv', 'epraccur.zip'],
  ['api/getReports', '/fhir/api/getReports', '/fhir/api/getReport'],
];

const JSON_ONLY = { authorization: 'Bearer all', accept: 'application/json' };

type Question = string | { readonly to: string; readonly body: object };

const QUESTIONS: readonly Case<Question>[] = [
  ['resolve?cod=RW6', 'cod', 'code'],
  ['hierarchy?codes=A81001', 'codes', 'code'],
  ['match?name=leeds&city=leeds', 'city', 'town'],
  ['postcodes?post_code=LS1', 'post_code', 'postcode'],
  ['events?since=2026-01-01&kind=close', 'close', 'closed'],
  ['events?since=2026-01-01&role=GP%20practise', 'GP practise', 'RO76 (GP PRACTICE)'],
  ['roles?role=nhs%20trsut', 'nhs trsut', 'RO197 (NHS TRUST)'],
  [{ to: 'resolve', body: { code: ['RW6'] } }, 'code', 'codes'],
  [toolCall('search_organizations', {}), 'search_organizations', 'search_organisations'],
  [toolCall('events', { since: '2026-01-01', kinds: 'closed' }), 'kinds', 'kind'],
];

function toolCall(name: string, values: object): Question {
  const params = { name, arguments: values };
  return { to: 'mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } };
}

type Page = { readonly page: string };
type Command = { readonly words: string; readonly environment?: Record<string, string> };

const PEOPLE: readonly Case<Page | Command>[] = [
  [{ page: '/?rol=177' }, 'rol', 'role'],
  [{ page: '/?role=GP+practise' }, 'GP practise', 'RO76 (GP PRACTICE)'],
  [{ page: '/changes?form=2026-01-01' }, 'form'],
  [{ page: '/results.csv?as=names' }, 'names', 'name'],
  [{ words: 'serv' }, 'serv', 'serve'],
  [{ words: 'serve --prot 1' }, '--prot', '--port'],
  [{ words: 'orders exprt' }, 'exprt', 'export'],
  [{ words: 'export nam=leeds --format csv' }, 'nam', 'name'],
  [{ words: 'export --format geo-json' }, 'geo-json', 'geojson'],
  [{ words: 'serve', environment: { GAZETTEER_PROT: '1' } }, 'GAZETTEER_PROT', 'GAZETTEER_PORT'],
];

describe('a wrong request', () => {
  let directory: DirectoryServer;
  let orders: OrderServer;
  let web: WebServer;
  before(async () => {
    const edition = editionOf(RECORDS);
    directory = await startDirectory();
    orders = await startOrders();
    web = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
  });
  after(async () => {
    await Promise.all([directory.close(), orders.close(), web.close()]);
  });

  const ask = async (path: string) => {
    const { text } = await directory.get(`/fhir/${path}`);
    return messageOf(JSON.parse(text));
  };
  const send = async ({ to, body }: Exclude<Question, string>) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return messageOf(
      JSON.parse((await directory.post(`/fhir/${to}`, JSON.stringify(body), headers)).text),
    );
  };
  const show = async ({ page }: Page) => plainText((await web.get(page)).text);
  const run = async ({ words, environment }: Command) =>
    (await runInProcess(words.split(' '), environment)).stderr;

  checkAll('of STU3', STU3, (path) => ask(`STU3/${path}`));
  checkAll('of R4', R4, (path) => ask(`R4/${path}`));
  checkAll('of order responses', ORDERS, async (path) =>
    messageOf(JSON.parse((await orders.send('GET', path, JSON_ONLY)).text)),
  );
  checkAll('of ORD, the reports and their files', NATIONAL, ask);
  checkAll('of questions, events, roles and tools', QUESTIONS, (request) =>
    typeof request === 'string' ? ask(request) : send(request),
  );
  checkAll('of pages and commands', PEOPLE, (request) =>
    'page' in request ? show(request) : run(request),
  );

  it('keeps the texts of the national services', async () => {
    const { text } = await directory.get('/fhir/STU3/Organization?Name=leeds');
    assert.equal(JSON.parse(text).issue[0].diagnostics, 'Unknown argument found - Name');
    const ord = await directory.get('/fhir/ORD/2-0-0/organisations?name=leeds');
    assert.equal(JSON.parse(ord.text).errorText, 'Unknown argument found.');
  });

  it('with a long text of control characters is shown shortened and escaped', async () => {
    const sent = encodeURIComponent(`\u001b[31m\n${'x'.repeat(500)}`);
    const message = await ask(`resolve?${sent}=1`);
    checkMessage(message, `\\u{1b}[31m\\u{a}${'x'.repeat(54)}…`, undefined);
  });
});

function checkAll<Request>(
  door: string,
  cases: readonly Case<Request>[],
  answer: (request: Request) => Promise<string>,
): void {
  it(`${door} says what was sent, what is nearest, and where the list is`, async () => {
    assert.equal(cases.length, 10);
    for (const [request, sent, meant] of cases) {
      checkMessage(await answer(request), sent, meant);
    }
  });
}

/** JSON as a test reads it. */
type Json = ReturnType<typeof JSON.parse>;

/** The message of an error, wherever the door has it. */
function messageOf(body: Json): string {
  const outcome = body.entry?.find((entry: Json) => entry.search.mode === 'outcome')?.resource;
  const issue = (outcome ?? body).issue?.[0];
  const tool = body.result?.content?.[0]?.text ?? body.error?.message;
  const found = issue?.details?.text ?? issue?.diagnostics ?? body.errorHint ?? tool ?? body.error;
  assert.equal(typeof found, 'string', JSON.stringify(body));
  return found.replaceAll(BASE, '');
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
}
