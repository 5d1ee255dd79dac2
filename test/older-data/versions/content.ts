/** What the fixture of a version has: made with the commands of its program, and over HTTP. */

import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { organisation, releaseXml } from '../../sources/release-file/release-fixture.ts';
import { type OlderProgram, SYSTEM, send, sendRefused } from '../older-program.ts';
import {
  type RecordedAnswer,
  type RecordedSearch,
  recordAnswers,
  recordSearch,
} from '../record-answers.ts';
import { type Acknowledged, createWriter } from './acknowledged-writes.ts';
import type { Part } from './past-versions.ts';

/** What `expected.json` of the fixture has. */
export interface VersionContent {
  readonly acknowledged: readonly Acknowledged[];
  readonly resources: Readonly<Record<string, number>>;
  /** Order responses whose content was erased, all of it or that of version 1. */
  readonly erased: readonly string[];
  readonly deleted: string;
  readonly held: string;
  readonly answers: readonly RecordedAnswer[];
  /** The versions of the feed, the oldest first: `PUT OrderResponse/{id}`. */
  readonly feed: readonly string[];
  readonly directory: readonly RecordedSearch[];
  /** The rows of `editions --json`. */
  readonly editions: readonly EditionRow[];
  readonly verified: string;
  readonly postcode?: unknown;
  readonly subscriptions?: SubscriptionsContent;
}

export interface EditionRow {
  readonly number: number;
  readonly records: number;
  readonly publicationDate: string;
  readonly isCurrent: boolean;
}

export interface SubscriptionsContent {
  readonly active: string;
  readonly off: string;
  /** What the receiver of the active one accepted: `OrderResponse/{id}/_history/{version}`. */
  readonly delivered: readonly string[];
  /** What was written after the receiver had ended. */
  readonly pending: readonly string[];
}

export const SECRET = 'a secret of thirty characters.';
export const POSTCODE = 'LS1 4AP';
/** Options of `token`. */
export const ALL_SCOPES = ['OrderResponse', 'Subscription'].flatMap((type) => [
  '--scope',
  `system/${type}.*`,
]);

/** Three releases, of which the second is published, then the first again, and then the third. */
const RELEASES: readonly (readonly string[])[] = [
  ['A1', 'B2'],
  ['A1', 'B2', 'C3'],
  ['A1', 'C3', 'D4'],
];

/** A folder or database of a version, and how its program names it. */
export interface Place {
  readonly folder: string;
  /** The options of every command. */
  readonly words: readonly string[];
  readonly parts: readonly Part[];
}

/** Fills the place, and returns what its program answered. Writes `audit.ndjson` beside it. */
export async function fillPlace(program: OlderProgram, place: Place): Promise<VersionContent> {
  const { run } = program;
  const { folder, words } = place;
  const run1 = (...command: string[]): string => run(...command, ...words);
  importReleases(run1, folder);
  if (place.parts.includes('postcodes')) importPostcodes(run1, folder);
  const scopes = place.parts.includes('subscriptions') ? ALL_SCOPES : [];
  const token = run1('token', ...scopes).trim();
  const reader = run1('token', '--scope', 'system/OrderResponse.read').trim();
  const written = await writeOrders(program, place, token, reader);
  eraseAndHold(run1, place, written);
  const read = await readAgain(program, place, token, written.resources);
  run1('audit', '--output', join(folder, 'audit.ndjson'));
  const editions: EditionRow[] = JSON.parse(run1('editions', '--json'));
  return { ...written, ...read, editions, verified: run1('verify') };
}

type Run = (...command: string[]) => string;

function importReleases(run: Run, folder: string): void {
  for (const [at, codes] of RELEASES.entries()) {
    const path = join(folder, `release-${at + 1}.xml`);
    writeFileSync(
      path,
      releaseXml(
        codes.map((code) => organisationOf(code, at)),
        {
          publicationDate: `2026-0${at + 6}-28`,
        },
      ),
    );
    run('import', path, '--quiet', '--allow-shrink');
    rmSync(path);
    if (at === 1) run('rollback');
  }
}

/** Its name tells the release. */
function organisationOf(code: string, release: number): string {
  return organisation(
    `<Name>${code} Ward Ø ${release + 1}</Name><GeoLoc><Location><AddrLn1>1 High Street</AddrLn1>` +
      `<Town>LEEDS</Town><PostCode>${POSTCODE}</PostCode></Location></GeoLoc>`,
    { code },
  );
}

function importPostcodes(run: Run, folder: string): void {
  const path = join(folder, 'postcodes.csv');
  writeFileSync(path, POSTCODES);
  run('import-postcodes', path);
  rmSync(path);
}

const POSTCODES = `pcds,doterm,oslaua,oseast1m,osnrth1m,ctry,rgn,lsoa11,sicbl,lat,long,icb,lsoa21
${POSTCODE},,E08000035,429900,433600,E92000001,E12000003,E01033010,E38000225,53.797,-1.548,E54000054,E01033010
M1 3DZ,,E08000003,384600,397700,E92000001,E12000002,E01033658,E38000217,53.475,-2.233,E54000057,E01033658
`;

type Written = Pick<
  VersionContent,
  'acknowledged' | 'resources' | 'erased' | 'deleted' | 'held' | 'subscriptions'
>;

async function writeOrders(
  { run, serve }: OlderProgram,
  { words, parts }: Place,
  token: string,
  reader: string,
): Promise<Written> {
  const hasSubscriptions = parts.includes('subscriptions');
  const receiver = await startReceiver();
  const { origin, stop } = await serve(
    ...words,
    '--orders-allow-delete',
    ...(hasSubscriptions ? ['--subscriptions-allowed-hosts', new URL(receiver.url).host] : []),
  );
  const writer = createWriter(origin, token);
  const active = hasSubscriptions ? await subscribe(origin, token, receiver.url) : undefined;
  const off = hasSubscriptions ? await subscribe(origin, token, receiver.url) : undefined;
  if (off !== undefined) run('subscriptions', 'off', off, ...words);
  const ids: string[] = [];
  for (const [number, versions] of [1, 2, 3, 4, 2, 3, 1].entries()) {
    ids.push(await writer.create(number, versions));
  }
  const [first = '', whole = '', partly = '', held = '', deleted = '', revived = ''] = ids;
  await writer.createTogether([20, 21]);
  const before = writer.acknowledged.length;
  while (active !== undefined && receiver.received.length < before) await pause(20);
  await receiver.close();
  await writer.remove(deleted);
  await writer.remove(revived);
  await writer.update(revived, 5);
  await writer.update(first, 0);
  await sendRefused(origin, token, reader, held);
  await stop('SIGTERM');
  const erased = parts.includes('version-erasures') ? [whole, partly] : [whole];
  return {
    acknowledged: writer.acknowledged,
    resources: writer.resources,
    erased,
    deleted,
    held,
    ...(active !== undefined &&
      off !== undefined && {
        subscriptions: {
          active,
          off,
          delivered: receiver.received,
          pending: writer.acknowledged.slice(before).map(({ path }) => path),
        },
      }),
  };
}

interface Receiver {
  readonly url: string;
  readonly received: readonly string[];
  close(): Promise<void>;
}

/** Accepts every notification. */
async function startReceiver(): Promise<Receiver> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received.push(String(request.headers['gazetteer-resource']));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A subscription to all order responses of the fixture, as a client sends it. */
export function subscriptionTo(endpoint: string, id?: string): string {
  return JSON.stringify({
    resourceType: 'Subscription',
    ...(id !== undefined && { id }),
    criteria: `OrderResponse?identifier=${SYSTEM}|shared`,
    reason: 'The outcomes of our orders',
    status: 'requested',
    channel: {
      extension: [
        {
          url: 'https://gazetteer-fhir.example/StructureDefinition/subscription-secret',
          valueString: SECRET,
        },
      ],
      type: 'rest-hook',
      endpoint,
      payload: 'application/json',
    },
  });
}

async function subscribe(origin: string, token: string, endpoint: string): Promise<string> {
  const answer = await send('POST', `${origin}/Subscription`, token, subscriptionTo(endpoint));
  const id = answer.headers.get('location')?.split('/').at(-3);
  if (id === undefined) throw new Error(await answer.text());
  return id;
}

function eraseAndHold(run: Run, { parts }: Place, { erased, held }: Written): void {
  const [whole = '', partly = ''] = erased;
  run('orders', 'erase', `OrderResponse/${whole}`, '--reason', 'asked for');
  if (parts.includes('version-erasures')) {
    run('orders', 'erase', `OrderResponse/${partly}`, '--version', '1', '--reason', 'asked for');
  }
  run('orders', 'hold', `OrderResponse/${held}`, '--reason', 'dispute');
}

async function readAgain(
  { serve }: OlderProgram,
  { words, parts }: Place,
  token: string,
  resources: Readonly<Record<string, number>>,
): Promise<Pick<VersionContent, 'answers' | 'feed' | 'directory' | 'postcode'>> {
  const { origin, stop } = await serve(...words, '--orders-allow-delete');
  try {
    return {
      answers: await recordAnswers(origin, token, resources),
      feed: await recordFeed(origin, token),
      directory: await recordOrganisations(origin),
      ...(parts.includes('postcodes') && { postcode: await recordPostcode(origin) }),
    };
  } finally {
    await stop('SIGTERM');
  }
}

/** All versions of the feed, the oldest first. */
export async function recordFeed(origin: string, token: string): Promise<string[]> {
  const rows: string[] = [];
  let path: string | undefined = '/OrderResponse/_history?_after=0&_count=5';
  while (path !== undefined) {
    const answer = await send('GET', origin + path, token);
    const { entry = [], link }: FeedPage = JSON.parse(await answer.text());
    rows.push(...entry.map(({ request }) => `${request.method} ${request.url}`));
    const next = link.find(({ relation }) => relation === 'next');
    path = next === undefined ? undefined : pathOf(next.url);
  }
  return rows;
}

interface FeedPage {
  readonly entry?: readonly {
    readonly request: { readonly method: string; readonly url: string };
  }[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const ORGANISATION_PATHS = [
  ...['A1', 'B2', 'C3', 'D4'].map((code) => `/STU3/Organization/${code}`),
  '/STU3/Organization?name%3Acontains=ard&active=true',
  '/STU3/Organization?address-postalcode=LS1',
];

export async function recordOrganisations(origin: string): Promise<RecordedSearch[]> {
  const recorded: RecordedSearch[] = [];
  for (const path of ORGANISATION_PATHS) recorded.push(await recordSearch(origin, '', path));
  return recorded;
}

export async function recordPostcode(origin: string): Promise<unknown> {
  const answer = await fetch(`${origin}/postcodes/${POSTCODE.replace(' ', '')}`);
  return await answer.json();
}
