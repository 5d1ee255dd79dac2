/** A directory of another vendor to sync from: legacy JSON, twenty organisations on a page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { lastUpdatedMs, type OrganizationRecord } from '../../../src/directory/record/record.ts';
import { LEGACY_JSON } from '../../../src/directory/stu3/legacy-json.ts';
import { serveOnLoopback } from '../../loopback.ts';
import { resourceOf } from '../fhir/fhir-fixture.ts';

export const PAGE = 20;

export interface ScriptedPeer {
  /** Its FHIR base. */
  readonly url: string;
  readonly origin: string;
  /** What it has; a test may change it. */
  records: OrganizationRecord[];
  /** The requests so far: path and query, and the token sent. */
  readonly requests: { readonly target: string; readonly token: string | undefined }[];
  /** Answers in its place where it says so. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** What a page is changed into before it is sent. */
  change: (bundle: LegacyBundle, page: number) => object | string;
  /** The targets of requests since it was asked last. */
  asked(): string[];
}

export interface LegacyBundle {
  readonly resourceType: string;
  readonly type: string;
  readonly total: string;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry: readonly { readonly fullUrl: string; readonly resource: object }[];
}

export async function startPeer(
  context: TestContext,
  records: readonly OrganizationRecord[],
): Promise<ScriptedPeer> {
  const server = createServer((request, response) => {
    const { url: target = '', headers } = request;
    peer.requests.push({ target, token: headers.authorization });
    if (peer.answer(request, response)) return;
    const url = new URL(target, peer.origin);
    if (url.pathname === '/STU3/metadata') {
      const fhirVersion = '3.0.1';
      sendJson(response, { resourceType: 'CapabilityStatement', fhirVersion, software: {} });
    } else if (url.pathname === '/STU3/Organization') {
      const page = Number(url.searchParams.get('_page') ?? 1);
      sendJson(response, peer.change(legacyBundle(peer, url, page), page));
    } else {
      response.writeHead(404).end();
    }
  });
  let seen = 0;
  const peer: ScriptedPeer = {
    url: '',
    origin: '',
    records: [...records],
    requests: [],
    answer: () => false,
    change: (bundle) => bundle,
    asked: () => {
      const targets = peer.requests.slice(seen).map(({ target }) => target);
      seen = peer.requests.length;
      return targets;
    },
  };
  const port = await serveOnLoopback(context, server);
  const origin = `http://127.0.0.1:${port}`;
  return Object.assign(peer, { origin, url: `${origin}/STU3` });
}

export function sendJson(response: ServerResponse, body: object | string): void {
  response.writeHead(200, { 'Content-Type': 'application/fhir+json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Links are not percent-encoded and entries have no `search.mode`, as with the retired service. */
function legacyBundle(peer: ScriptedPeer, url: URL, page: number): LegacyBundle {
  const since = url.searchParams.get('_lastUpdated')?.replace(/^gt/, '');
  const found = peer.records.filter(
    (record) => since === undefined || lastUpdatedMs(record) > Date.parse(since),
  );
  const start = (page - 1) * PAGE;
  const query = since === undefined ? '' : `_lastUpdated=gt${since}&`;
  const pageUrl = (number: number) =>
    `${peer.url}/Organization?${query}note=a b|c&_count=${PAGE}&_page=${number}`;
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total: String(found.length),
    link: [
      { relation: 'self', url: pageUrl(page) },
      ...(start + PAGE < found.length ? [{ relation: 'next', url: pageUrl(page + 1) }] : []),
    ],
    entry: found.slice(start, start + PAGE).map((record) => ({
      fullUrl: `${peer.url}/Organization/${record.code}`,
      resource: LEGACY_JSON.organization(resourceOf(record)),
    })),
  };
}

/** Records with the codes P001, P002, …, changed on the first of September 2026. */
export function manyRecords(count: number): OrganizationRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    code: `P${String(i + 1).padStart(3, '0')}`,
    name: `PRACTICE ${i + 1}`,
    isActive: true,
    lastUpdated: '2026-09-01',
    recordClass: '1',
    periods: [{ kind: 'Operational' as const, start: '2001-04-01' }],
    roles: [{ code: '177', isPrimary: true, isActive: true, periods: [] }],
    telecoms: [],
  }));
}
