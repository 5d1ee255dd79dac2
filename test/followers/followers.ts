/** Programs that keep a copy of the directory. To add one, add a line to `FOLLOWERS`. */
import assert from 'node:assert/strict';
import { Webhooks } from '../../src/orders/subscriptions/webhooks.ts';
import type { World } from './world.ts';

/** Reads an address of the directory, which must answer 200. */
export type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Follower {
  /** Brings the copy up to date, and compares it with a fresh reading. */
  look(world: World): Promise<void>;
  end?(): Promise<void>;
}

/** Resources as JSON, by id. */
type Copy = Map<string, string>;

const ALL = '/fhir/R4/Organization?_count=200';

/** `isDue`: whether it looks after a step, so that some followers look seldom. */
export const FOLLOWERS: Readonly<Record<string, (get: Get) => Follower>> = {
  'R4 by the newest date of a resource': (get) => lastUpdatedFollower(get, 1, newestDate),
  'R4 by the date of the answer': (get) => lastUpdatedFollower(get, 1, dateOfAnswer),
  'R4 after every third step': (get) => lastUpdatedFollower(get, 3, newestDate),
  'R4 by entity tag': entityTagFollower,
  'ORD by sync': syncFollower,
  'events since the last edition': eventFollower,
  'webhooks of editions': webhookFollower,
};

interface Bundle {
  readonly meta: { readonly lastUpdated: string };
  readonly total: number;
  readonly entry?: readonly { readonly resource: Resource }[];
}

interface Resource {
  readonly id: string;
  readonly meta: { readonly lastUpdated: string; readonly versionId: string };
}

const newestDate = (_: Bundle, dates: readonly string[]) => dates.toSorted().at(-1);
const dateOfAnswer = ({ meta }: Bundle) => meta.lastUpdated;

/** Asks for what changed after the last date it has seen, and reads the list of deletions. */
function lastUpdatedFollower(
  get: Get,
  every: number,
  seenOf: (bundle: Bundle, dates: readonly string[]) => string | undefined,
): Follower {
  const copy: Copy = new Map();
  const versions = new Map<string, number>();
  let seen: string | undefined;
  let looks = 0;
  return {
    look: async () => {
      looks += 1;
      if (looks % every !== 0) return;
      const since = seen === undefined ? '' : `&_lastUpdated=gt${encodeURIComponent(seen)}`;
      const bundle = await bundleOf(get, `${ALL}${since}`);
      const deletions = await deletionsOf(get);
      for (const { id, date } of deletions) if (date > (seen ?? '')) copy.delete(id);
      for (const { resource } of bundle.entry ?? []) {
        copy.set(resource.id, JSON.stringify(resource));
        const version = Number(resource.meta.versionId);
        assert.ok(version > (versions.get(resource.id) ?? 0), `a new version of ${resource.id}`);
        versions.set(resource.id, version);
      }
      const dates = [
        ...(seen === undefined ? [] : [seen]),
        ...(bundle.entry ?? []).map(({ resource }) => resource.meta.lastUpdated),
        ...deletions.map(({ date }) => date),
      ];
      const now = seenOf(bundle, dates);
      assert.ok((now ?? '') >= (seen ?? ''), `dates never go back: ${seen}, then ${now}`);
      seen = now;
      const fresh = await freshCopy(get);
      assert.deepEqual(sorted(copy), sorted(fresh));
      const listed = deletions.filter(({ id }) => fresh.has(id));
      assert.deepEqual(listed, [], 'what is deleted is not there');
    },
  };
}

async function freshCopy(get: Get): Promise<Copy> {
  const { entry = [] } = await bundleOf(get, ALL);
  return new Map(entry.map(({ resource }) => [resource.id, JSON.stringify(resource)]));
}

async function bundleOf(get: Get, path: string): Promise<Bundle> {
  const bundle: Bundle = JSON.parse((await get(path)).text);
  assert.equal(bundle.entry?.length ?? 0, bundle.total);
  return bundle;
}

async function deletionsOf(get: Get): Promise<readonly { id: string; date: string }[]> {
  const list = JSON.parse((await get('/fhir/R4/List/Organization-deletion')).text);
  const entries: readonly DeletedEntry[] = list.entry ?? [];
  return entries.map(({ extension, item }) => ({
    id: item.identifier.value,
    date: extension[0].extension[1].valueDateTime,
  }));
}

interface DeletedEntry {
  readonly extension: readonly [
    { readonly extension: readonly [unknown, { readonly valueDateTime: string }] },
  ];
  readonly item: { readonly identifier: { readonly value: string } };
}

/** Asks with the entity tag of its last answer. */
function entityTagFollower(get: Get): Follower {
  let last: { readonly tag: string; readonly text: string } | undefined;
  return {
    look: async () => {
      const fresh = await get(ALL);
      if (last !== undefined) {
        const { status } = await get(ALL, { 'if-none-match': last.tag });
        if (status === 304) assert.equal(last.text, fresh.text);
      }
      last = { tag: fresh.headers.get('etag') ?? '', text: fresh.text };
    },
  };
}

/**
 * Asks for the changes since the newest date of a record. The dates are those of the source, so it
 * reads everything again after a step that they do not show.
 */
function syncFollower(get: Get): Follower {
  const copy: Copy = new Map();
  let seen = '1948-07-05';
  const changedCodes = async (since: string): Promise<readonly string[]> => {
    const { Organisations } = JSON.parse(
      (await get(`/fhir/ORD/2-0-0/sync?LastChangeDate=${since}`)).text,
    );
    return Organisations.map(({ OrgLink }: { OrgLink: string }) => OrgLink.split('/').at(-1));
  };
  const read = async (codes: readonly string[]): Promise<Copy> => {
    const found: Copy = new Map();
    for (const code of codes) {
      found.set(code, (await get(`/fhir/ORD/2-0-0/organisations/${code}`)).text);
    }
    return found;
  };
  return {
    look: async ({ goesBack }) => {
      if (goesBack) {
        copy.clear();
        seen = '1948-07-05';
      }
      const changes = await read(await changedCodes(seen));
      for (const [code, text] of changes) {
        copy.set(code, text);
        const { LastChangeDate } = JSON.parse(text).Organisation;
        if (LastChangeDate > seen) seen = LastChangeDate;
      }
      const fresh = await read(await changedCodes('1948-07-05'));
      // Neither the release nor ORD says what a release no longer has.
      for (const code of copy.keys()) if (!fresh.has(code)) copy.delete(code);
      assert.deepEqual(sorted(copy), sorted(fresh));
    },
  };
}

/** Asks for what became known since its last answer, and reads everything again if nobody can tell. */
function eventFollower(get: Get): Follower {
  const copy: Copy = new Map();
  let seen: number | undefined;
  const read = async (code: string): Promise<string> =>
    (await get(`/fhir/R4/Organization/${code}`)).text;
  const contentOf = (text: string): string => {
    const { meta: _, ...content } = JSON.parse(text);
    return JSON.stringify(content);
  };
  return {
    look: async ({ served, damaged }) => {
      const rows = served?.edition.rows ?? assert.fail('nothing is served');
      const codes = Array.from({ length: rows.count }, (_, row) => rows.recordAt(row).code);
      const fresh: Copy = new Map();
      for (const code of codes) fresh.set(code, contentOf(await read(code)));
      // What a damaged edition said cannot be told.
      const isLost = seen === undefined || damaged.has(seen);
      const answer = isLost ? undefined : await get(`/fhir/events?sinceEdition=${seen}`);
      if (answer?.status === 200) {
        const { events, edition } = JSON.parse(answer.text);
        const texts: readonly string[] = events.map((event: object) => JSON.stringify(event));
        assert.equal(new Set(texts).size, texts.length, 'each event once');
        for (const { code } of events) {
          if (fresh.has(code)) copy.set(code, contentOf(await read(code)));
          else copy.delete(code);
        }
        seen = edition.number;
        assert.deepEqual(sorted(copy), sorted(fresh));
        return;
      }
      copy.clear();
      for (const [code, text] of fresh) copy.set(code, text);
      seen = JSON.parse((await get('/fhir/events?since=2100-01-01')).text).edition.number;
    },
  };
}

/** Gets each edition that is served, once, and never an earlier one after a later one. */
function webhookFollower(): Follower {
  const told: number[] = [];
  const ids = new Set<string>();
  let known: Parameters<Webhooks['look']> | undefined;
  let webhooks: Webhooks | undefined;
  let wake = () => {};
  let world: World | undefined;
  const states = new Map<string, unknown>();
  void known;
  const start = (): Webhooks =>
    new Webhooks({
      urls: ['https://receiver.example/'],
      secret: undefined,
      states: {
        exclusively: (receiver, action) =>
          action(
            (states.get(receiver) as Parameters<typeof action>[0]) ?? {
              accepted: 0,
              sent: 0,
              turn: 0,
            },
            async (state) => void states.set(receiver, state),
          ),
      },
      receivers: {
        post: async (_url, headers) => {
          const id = headers['Gazetteer-Delivery'] ?? '';
          assert.ok(!ids.has(id), 'a new id');
          ids.add(id);
          return { kind: 'delivered' };
        },
        close: () => {},
      },
      clock: { now: () => 0, sleep: async () => {}, random: () => 0.5 },
      current: async () => {
        const number = world?.served?.info.number;
        if (number === undefined) return undefined;
        return { number, isServed: true, body: async () => JSON.stringify({ edition: number }) };
      },
      onAccepted: (_url, edition) => {
        told.push(edition);
        wake();
      },
      onProblem: (_url, problem) => assert.fail(problem),
    });
  return {
    look: async (now) => {
      world = now;
      const { number = 0 } = now.served?.info ?? {};
      if (number === told.at(-1)) return;
      const accepted = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (webhooks === undefined) webhooks = start();
      else webhooks.look();
      await accepted;
      assert.deepEqual(
        told,
        [...new Set(told)].toSorted((one, other) => one - other),
      );
      assert.equal(told.at(-1), number);
    },
    end: async () => {
      await webhooks?.stop();
    },
  };
}

function sorted(copy: Copy): readonly (readonly [string, unknown])[] {
  return [...copy]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, text]) => [id, JSON.parse(text)]);
}
