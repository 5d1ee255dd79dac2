/** The history of calls finds what a broken store does: each break is tried on a store in memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderAnswer, OrderClient } from './order-client.ts';
import { OrderHistory } from './order-history.ts';

type Break =
  | 'none'
  | 'lose a write'
  | 'store a write twice'
  | 'store a refused write'
  | 'read an old version'
  | 'leave a gap'
  | 'replace another version'
  | 'create two with one identifier';

const CALLS = 2000;
/** The call that goes wrong, or the first one of its kind after it. */
const BREAK_AT = 1000;

const EXPECTED: Readonly<Record<Break, RegExp | undefined>> = {
  none: undefined,
  'lose a write': /is lost/,
  'store a write twice': /stored twice/,
  'store a refused write': /told that it is not/,
  'read an old version': /saw version \d+ after \d+ had been seen/,
  'leave a gap': /lacks a version/,
  'replace another version': /instead of/,
  'create two with one identifier': /2 resources have the identifier/,
};

describe('the history of calls', () => {
  for (const [broken, expected] of Object.entries(EXPECTED) as [Break, RegExp | undefined][]) {
    it(`with a store that does this wrong: ${broken}`, async () => {
      const store = createStore(broken);
      const history = new OrderHistory();
      await history.createShared(store.client, 4);
      // Two clients: what one of them saw last may be old.
      const seen = [new Map<string, number>(), new Map<string, number>()] as const;
      while (history.calls < CALLS) {
        await history.call(store.client, seen[history.calls % 2 === 0 ? 0 : 1]);
      }
      const faults = history.faults(store.stored());
      if (expected === undefined) assert.deepEqual(faults, []);
      else assert.match(faults.join('\n'), expected);
    });
  }
});

/** Texts by id and version; answers as the program gives them. */
function createStore(broken: Break) {
  const resources = new Map<string, string[]>();
  const byValue = new Map<string, string>();
  let calls = 0;
  let clock = 0n;
  let hasBroken = false;
  const breaks = (what: Break) => {
    const isNow = broken === what && calls > BREAK_AT && !hasBroken;
    hasBroken ||= isNow;
    return isNow;
  };
  const answer = (status: number, id = '', version = 0, text = ''): OrderAnswer => ({
    ...{ status, text, headers: new Headers(), beganAt: clock++, endedAt: clock++ },
    ...(version > 0 && { stored: { id, version } }),
  });
  const add = (mark: string) => {
    const id = `id${resources.size}`;
    resources.set(id, breaks('lose a write') ? [] : [mark]);
    if (breaks('store a write twice')) resources.set(`copy of ${id}`, [mark]);
    return answer(201, id, 1);
  };
  const client: OrderClient = {
    create: async (mark, { value = '', isConditional = false } = {}) => {
      calls++;
      const known = isConditional ? byValue.get(value) : undefined;
      if (known !== undefined && !breaks('create two with one identifier')) {
        return { ...answer(200, known, 1) };
      }
      const created = add(mark);
      byValue.set(value, created.stored?.id ?? '');
      return created;
    },
    update: async (id, mark, base) => {
      calls++;
      const marks = resources.get(id) ?? [];
      const isOther = base !== undefined && base !== marks.length;
      if (isOther && !breaks('replace another version')) {
        if (breaks('store a refused write')) marks.push(mark);
        return answer(409);
      }
      if (breaks('leave a gap')) marks.length++;
      marks.push(mark);
      return answer(200, id, marks.length);
    },
    read: async (id) => {
      calls++;
      const marks = resources.get(id) ?? [];
      const version = marks.length > 1 && breaks('read an old version') ? 1 : marks.length;
      return answer(200, '', 0, JSON.stringify(resource(marks[version - 1], version)));
    },
    readVersion: async (id, version) => {
      calls++;
      const mark = resources.get(id)?.[version - 1];
      return answer(200, '', 0, JSON.stringify(resource(mark, version)));
    },
    history: async (id) => {
      calls++;
      const marks = resources.get(id) ?? [];
      const newest = resource(marks.at(-1), marks.length);
      return answer(200, '', 0, JSON.stringify({ entry: [{ resource: newest }] }));
    },
  };
  return {
    client,
    stored: () =>
      [...resources].flatMap(([id, marks]) =>
        marks.flatMap((mark, at): [string, string][] => [[mark, `${id}/${at + 1}`]]),
      ),
  };
}

function resource(mark = '', version = 0) {
  return { meta: { versionId: String(version) }, description: mark };
}
