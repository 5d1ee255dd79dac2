/** What every repository must do for clients that follow only what matches criteria, and that wait. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ResourceCriterion } from '../../src/fhir/search/criterion.ts';
import {
  type Change,
  type ChangesPage,
  type ChangesWait,
  type Repository,
  START_POSITION,
} from '../../src/fhir/stored/repository.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { criterionOf } from './conditions.ts';
import {
  ACCESS,
  createOrder,
  identifierOf,
  type RepositoryPlace,
  TYPE,
  updateOrder,
} from './repository.contract.ts';
import type { StorePlace } from './store-place.ts';

const AS_HISTORY = { ...ACCESS, interaction: 'history-type' } as const;
const [ONE, TWO] = [identifierOf('1'), identifierOf('2')];
const IS_ONE = [criterionOf(ONE)];
/** No test waits this long. */
const LONG_MS = 60_000;

interface Asked {
  readonly criteria?: readonly ResourceCriterion[];
  readonly position?: string;
  readonly count?: number;
}

async function pageOf(store: Repository, asked: Asked, wait?: ChangesWait): Promise<ChangesPage> {
  const page = { types: [TYPE], count: 100, lengthMax: 1e9, order: 'oldest-first' } as const;
  const request = { ...page, position: START_POSITION, ...asked };
  const found = await store.changes(request, AS_HISTORY, wait);
  assert.ok(found.kind === 'found');
  return found;
}

/** All pages. */
async function follow(store: Repository, asked: Asked): Promise<Change[]> {
  const all: Change[] = [];
  for (let position = asked.position ?? START_POSITION; ; ) {
    const page = await pageOf(store, { ...asked, position });
    all.push(...page.versions);
    if (!page.hasMore) return all;
    assert.notEqual(page.next, position);
    position = page.next;
  }
}

const namesOf = (changes: readonly Change[]) =>
  changes.map(({ id, version }) => `${id}/${version}`);

const deleteOrder = (store: Repository, id: string) =>
  store.delete({ type: TYPE, id, preconditions: {} }, { ...ACCESS, interaction: 'delete' });

export function describeFeedCriteria(makePlace: () => Promise<RepositoryPlace>): void {
  describe('a change feed with criteria', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    it('shows what matches, and what no longer does', async () => {
      await createOrder(store, 'a', [ONE]);
      await createOrder(store, 'b', [TWO]);
      await updateOrder(store, 'a', { entries: [TWO] });
      await updateOrder(store, 'a', { entries: [TWO], note: 'third' });
      await updateOrder(store, 'b', { entries: [ONE] });
      await deleteOrder(store, 'b');
      await deleteOrder(store, 'a');
      const shown = await follow(store, { criteria: IS_ONE });
      assert.deepEqual(namesOf(shown), ['a/1', 'a/2', 'b/2', 'b/3']);
      const byId = { type: 'token', field: '_id', values: [{ code: 'b' }] } as const;
      const ofB = await follow(store, { criteria: [byId] });
      assert.deepEqual(namesOf(ofB), ['b/1', 'b/2', 'b/3']);
      const both = await follow(store, { criteria: [byId, criterionOf(TWO)] });
      assert.deepEqual(namesOf(both), ['b/1', 'b/2']);
    });

    it('moves on over what does not match, a limited number for each page', async () => {
      const ids = Array.from({ length: 1050 }, (_, at) => `other-${at}`);
      await Promise.all(ids.map((id) => createOrder(store, id, [TWO])));
      await createOrder(store, 'a', [ONE]);
      const first = await pageOf(store, { criteria: IS_ONE });
      const second = first.hasMore
        ? await pageOf(store, { criteria: IS_ONE, position: first.next })
        : first;
      assert.deepEqual([namesOf(second.versions), second.hasMore], [['a/1'], false]);
      assert.equal(second.next, second.end);
    });

    it('is the feed without those that match neither before nor after, on pages of any size', async () => {
      const step = fc.record({
        at: fc.nat(3),
        code: fc.constantFrom('1', '2', ''),
        count: fc.nat(4),
      });
      const criterion = fc.constantFrom<ResourceCriterion>(
        criterionOf(ONE),
        criterionOf(TWO),
        { type: 'not', criterion: criterionOf(ONE) },
        { type: 'missing', field: 'identifier', isMissing: true },
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), criterion, async (steps, one) => {
          run++;
          const position = (await pageOf(store, { count: 1 })).end;
          const exists = new Set<string>();
          for (const { at, code, count } of steps) {
            const id = `r${run}-${at}`;
            const entries = code === '' ? [] : [identifierOf(code)];
            if (!exists.has(id)) await createOrder(store, id, entries);
            else if (count === 0) await deleteOrder(store, id);
            else await updateOrder(store, id, { entries });
            exists.add(id);
          }
          const all = await follow(store, { position });
          const codes = new Map(
            all.map((change) => [`${change.id}/${change.version}`, codeOf(change)]),
          );
          const expected = all.filter(({ id, version }) =>
            [version, version - 1].some((each) => holds(one, codes.get(`${id}/${each}`))),
          );
          const count = 1 + (steps[0]?.count ?? 0);
          const shown = await follow(store, { position, criteria: [one], count });
          assert.deepEqual(shown, expected);
        }),
        { numRuns: repetitions(10, 25) },
      );
    });
  });
}

/** Undefined if there is no content; '' without an identifier. */
function codeOf({ text }: Change): string | undefined {
  return text === undefined ? undefined : (JSON.parse(text).identifier[0]?.value ?? '');
}

function holds(criterion: ResourceCriterion, code: string | undefined): boolean {
  if (code === undefined) return false;
  if (criterion.type === 'missing') return code === '';
  if (criterion.type === 'not') return code !== '1';
  assert.ok(criterion.type === 'token');
  return criterion.values[0]?.code === code;
}

export function describeWaitingFeed(makePlace: () => Promise<RepositoryPlace>): void {
  describe('a change feed that waits', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    it('answers when something that matches is committed', async () => {
      await createOrder(store, 'a', [ONE]);
      const now = await pageOf(store, { criteria: IS_ONE }, { ms: LONG_MS });
      assert.deepEqual(namesOf(now.versions), ['a/1'], 'what is there is not waited for');
      const waits = [
        { criteria: IS_ONE },
        { criteria: IS_ONE },
        { criteria: [criterionOf(TWO)] },
        {},
      ];
      const pages = waits.map((asked) =>
        pageOf(store, { ...asked, position: now.next }, { ms: LONG_MS }),
      );
      await createOrder(store, 'b', [TWO]);
      const [, , two, any] = pages;
      assert.deepEqual(namesOf((await two)?.versions ?? []), ['b/1']);
      assert.deepEqual(namesOf((await any)?.versions ?? []), ['b/1']);
      await updateOrder(store, 'b', { entries: [ONE] });
      for (const page of pages.slice(0, 2))
        assert.deepEqual(namesOf((await page).versions), ['b/2']);
    });

    it('misses nothing while many write', async () => {
      const seen: string[] = [];
      const isLast = ({ id }: Change) => id === 'last';
      const reader = async () => {
        for (let position = START_POSITION; ; ) {
          const page = await pageOf(store, { criteria: IS_ONE, position }, { ms: LONG_MS });
          seen.push(...namesOf(page.versions));
          if (page.versions.some(isLast)) return;
          position = page.next;
        }
      };
      const reading = reader();
      const write = async (writer: number) => {
        for (let at = 0; at < 10; at++)
          await createOrder(store, `${writer}-${at}`, [at % 2 ? ONE : TWO]);
      };
      await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)));
      await createOrder(store, 'last', [ONE]);
      await reading;
      assert.deepEqual(seen, namesOf(await follow(store, { criteria: IS_ONE })));
      assert.equal(seen.length, 31);
    });

    it('ends without versions, with the position to go on from', async () => {
      const ended = new AbortController();
      const { signal } = ended;
      const waiting = pageOf(store, { criteria: IS_ONE }, { ms: LONG_MS, signal });
      await createOrder(store, 'a', [TWO]);
      // Another reader answers only after the first one was compared with the same change.
      await pageOf(store, {}, { ms: LONG_MS });
      ended.abort();
      const page = await waiting;
      assert.deepEqual([page.versions, page.hasMore], [[], false]);
      const short = await pageOf(store, { criteria: IS_ONE, position: page.next }, { ms: 1 });
      assert.deepEqual(short.versions, []);
      await createOrder(store, 'b', [ONE]);
      const rest = await pageOf(store, { criteria: IS_ONE, position: short.next });
      assert.deepEqual(namesOf(rest.versions), ['b/1']);
    });

    it('refuses a position that the store does not have', async () => {
      const request = { types: [TYPE], count: 1, lengthMax: 1, order: 'oldest-first' } as const;
      const asked = { ...request, position: '4711-00' };
      const found = await store.changes(asked, AS_HISTORY, { ms: LONG_MS });
      assert.equal(found.kind, 'unknown-position');
    });
  });
}

export function describeErasedFeed(makePlace: () => Promise<StorePlace>): void {
  it('a feed with criteria never shows erased content, and shows that a resource has gone', async (context) => {
    const place = await makePlace();
    context.after(() => place.remove());
    const { store, commands } = place;
    await createOrder(store, 'a', [ONE]);
    await createOrder(store, 'b', [ONE]);
    await createOrder(store, 'c', [TWO]);
    await updateOrder(store, 'b', { entries: [TWO] });
    await deleteOrder(store, 'c');
    const { next } = await pageOf(store, { criteria: IS_ONE });
    await deleteOrder(store, 'a');
    for (const id of ['a', 'b', 'c']) await commands.eraseContent({ id }, 'asked');
    const shown = await follow(store, { criteria: IS_ONE });
    // Nobody can tell any more whether c/1 matched.
    assert.deepEqual(namesOf(shown), ['b/2', 'c/2', 'a/2']);
    assert.ok(shown.every(({ text }) => text === undefined));
    assert.deepEqual(namesOf(await follow(store, { criteria: IS_ONE, position: next })), ['a/2']);
    const byId = { type: 'token', field: '_id', values: [{ code: 'b' }] } as const;
    assert.deepEqual(namesOf(await follow(store, { criteria: [byId] })), ['b/2']);
  });
}
