/** The national services R4 and ORD for tests: they answer from the same records, one day at a time. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { organisationElement } from '../../../src/directory/record/organisation-element.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { listenOnLoopback } from '../../loopback.ts';
import type { Owner } from '../../owner.ts';
import { r4Affiliation, r4Organization } from './top-up-fixture.ts';

export interface NationalServer {
  readonly r4: string;
  readonly ord: string;
  /** By code. A test changes them. */
  readonly records: Map<string, SourceRecord>;
  /** The dates of removed organisations by code. */
  readonly removed: Map<string, string>;
  /** The requests so far: path and query. */
  readonly requests: string[];
  /** The API key that R4 requires. */
  apiKey: string | undefined;
  /** Answers in its place if it returns true. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The requests since the last call. */
  asked(): string[];
}

export async function startNational(owner: Owner, pageSize = 2): Promise<NationalServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', origin);
    national.requests.push(`${url.pathname}${url.search}`);
    if (national.answer(request, response)) return;
    if (url.pathname.startsWith('/fhir/')) {
      if (national.apiKey !== undefined && request.headers.apikey !== national.apiKey) {
        send(response, 401, outcome('Invalid API key'));
      } else answerR4(url, national, pageSize, response);
    } else answerOrd(url, national, response);
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const requests: string[] = [];
  let seen = 0;
  const national: NationalServer = {
    r4: `${origin}/fhir`,
    ord: `${origin}/ORD/2-0-0`,
    records: new Map(),
    removed: new Map(),
    requests,
    apiKey: undefined,
    answer: () => false,
    asked: () => {
      const since = requests.slice(seen);
      seen = requests.length;
      return since;
    },
  };
  return national;
}

function changedSince({ records }: NationalServer, since: string, isAfter: boolean) {
  return [...records.values()].filter((record) =>
    isAfter ? record.lastUpdated > since : record.lastUpdated >= since,
  );
}

function answerR4(
  url: URL,
  national: NationalServer,
  size: number,
  response: ServerResponse,
): void {
  const [, list] = /^\/fhir\/List\/(.+)$/.exec(url.pathname) ?? [];
  if (list === 'Organization-deletion') {
    const entry = [...national.removed].map(([value, date]) => ({
      date,
      item: { identifier: { value } },
    }));
    send(response, 200, {
      resourceType: 'List',
      id: list,
      status: 'current',
      mode: 'working',
      entry,
    });
    return;
  }
  if (url.pathname !== '/fhir/Organization') {
    send(response, 404, outcome('HAPI-2001: Resource is not known'));
    return;
  }
  const since = (url.searchParams.get('lastChangeDate') ?? '').replace(/^gt/, '');
  const found = changedSince(national, since, true);
  const offset = Number(url.searchParams.get('_offset') ?? 0);
  const page = found.slice(offset, offset + size);
  const next = new URL(url);
  next.searchParams.set('_offset', String(offset + size));
  send(response, 200, {
    resourceType: 'Bundle',
    type: 'searchset',
    link: [
      { relation: 'self', url: url.href },
      ...(offset + size < found.length ? [{ relation: 'next', url: next.href }] : []),
    ],
    entry: page.flatMap((record) => [
      { resource: r4Of(record), search: { mode: 'match' } },
      ...(record.relationships ?? []).map(({ uniqueId = 0, type, isActive, target }) => ({
        resource: r4Affiliation(uniqueId, [record.code, target.code], {
          code: `RE${type}`,
          active: isActive,
        }),
        search: { mode: 'include' },
      })),
    ]),
  });
}

function r4Of({ code, name = '', isActive, lastUpdated, roles }: SourceRecord): object {
  return r4Organization(code, {
    changed: lastUpdated,
    name,
    active: isActive,
    roles: roles.map((role) => ({
      code: `RO${role.code}`,
      id: role.uniqueId ?? 1,
      active: role.isActive,
      start: role.periods[0]?.start ?? '',
    })),
  });
}

function answerOrd(url: URL, national: NationalServer, response: ServerResponse): void {
  const base = national.ord;
  const [, code] = /\/organisations\/(\w+)$/.exec(url.pathname) ?? [];
  const record = national.records.get(code ?? '');
  if (url.pathname.endsWith('/sync')) {
    const since = url.searchParams.get('LastChangeDate') ?? '';
    const found = changedSince(national, since, false);
    send(response, 200, {
      Organisations: found.map((one) => ({ OrgLink: `${base}/organisations/${one.code}` })),
    });
  } else if (record === undefined) {
    send(response, 404, { errorCode: 404, errorText: 'Not found' });
  } else send(response, 200, { Organisation: organisationElement(record) });
}

function outcome(diagnostics: string): object {
  return {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'x', diagnostics }],
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
