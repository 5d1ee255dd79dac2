/** A Gazetteer to sync from, as a script: it offers its edition as a release, or only as FHIR. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { serveOnLoopback } from '../../loopback.ts';
import { linesOf, resourceOf } from '../fhir/fhir-fixture.ts';
import { organisation, releaseXml } from '../release-file/release-fixture.ts';

export interface ScriptedPeer {
  /** Its FHIR base. */
  readonly url: string;
  readonly origin: string;
  /** What it has; a test may change it. */
  records: OrganizationRecord[];
  /** Whether it offers a release, as a Gazetteer does whose edition has relationships. */
  hasRelease: boolean;
  etag: string;
  /** The requests so far: the path, and the token sent. */
  readonly requests: { readonly target: string; readonly token: string | undefined }[];
  /** Answers in its place if it returns true. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The targets of requests since it was asked last. */
  asked(): string[];
}

export const RELEASE = '/editions/current.xml';
export const LINES = '/editions/current.ndjson';

export async function startPeer(
  context: TestContext,
  records: readonly OrganizationRecord[],
): Promise<ScriptedPeer> {
  const server = createServer((request, response) => {
    const { url: target = '', headers } = request;
    peer.requests.push({ target, token: headers.authorization });
    if (peer.answer(request, response)) return;
    const isThere = target === LINES || (target === RELEASE && peer.hasRelease);
    if (!isThere) response.writeHead(404).end();
    else if (headers['if-none-match'] === peer.etag) response.writeHead(304).end();
    else sendEdition(peer, target, response);
  });
  let seen = 0;
  const peer: ScriptedPeer = {
    url: '',
    origin: '',
    records: [...records],
    hasRelease: true,
    etag: 'W/"1"',
    requests: [],
    answer: () => false,
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

function sendEdition(peer: ScriptedPeer, target: string, response: ServerResponse): void {
  const type = target === RELEASE ? 'application/xml' : 'application/fhir+ndjson';
  response.writeHead(200, { 'Content-Type': type, ETag: peer.etag });
  response.end(
    target === RELEASE ? releaseOf(peer) : linesOf(peer.records.map((one) => resourceOf(one))),
  );
}

export function releaseOf({ records }: ScriptedPeer): string {
  return releaseXml(
    records.map(({ code, name, lastUpdated }) =>
      organisation(`<Name>${name}</Name><LastChangeDate value="${lastUpdated}"/>`, { code }),
    ),
  );
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
