/** Questions to the issuer about opaque tokens: who may ask how many, and what is logged. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createIntrospection } from '../../src/auth/introspection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createClock } from './clock.ts';
import { describeRefusal } from './refused.ts';

const URL = 'https://issuer.example/introspect';
const ACTIVE = { active: true, sub: 'clinic' };

const folder = temporaryFolder({ after });
const secretFile = join(folder, 'secret');
beforeEach(() => writeFileSync(secretFile, 'secret\n'));

const asJson = (answer: object, status = 200) =>
  new Response(JSON.stringify(answer), {
    status,
    headers: { 'Content-Type': 'application/json' },
  });

/** What an issuer is that answers by `fetch`. */
function introspectionBy(fetch: () => Promise<Response>, file = secretFile) {
  const clock = createClock();
  const problems: string[] = [];
  const { verify, reload } = createIntrospection({
    url: URL,
    client: 'gazetteer',
    secretFile: file,
    issuer: undefined,
    audience: 'https://gazetteer.example',
    skewSeconds: 30,
    now: clock.now,
    fetch,
    onProblem: (problem) => problems.push(problem),
  });
  let tokens = 0;
  /** How a token that nobody has sent before is refused, or undefined where it counts. */
  const ask = async (address: string, token = `token-${++tokens}`) => {
    try {
      await verify(token, address);
      return undefined;
    } catch (error) {
      return describeRefusal(error).kind;
    }
  };
  return { ask, reload, clock, problems };
}

/** An issuer that answers a question when the test lets it. */
function slowIssuer() {
  const questions: (() => void)[] = [];
  const introspection = introspectionBy(() => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    questions.push(() => resolve(asJson(ACTIVE)));
    return promise;
  });
  return {
    /** How many of so many new questions of an address are refused at once. */
    ask: async (address: string, count: number): Promise<number> => {
      const before = questions.length;
      const asked = Array.from({ length: count }, () => introspection.ask(address));
      await setImmediate();
      const refusedCount = count - (questions.length - before);
      const settled = await Promise.all(asked.slice(count - refusedCount));
      assert.deepEqual(settled, Array(refusedCount).fill('throttled'));
      waiting.push(...asked.slice(0, count - refusedCount));
      return refusedCount;
    },
    /** Answers the oldest questions. */
    answer: async (count: number): Promise<void> => {
      for (const answer of questions.splice(0, count)) answer();
      assert.deepEqual(await Promise.all(waiting.splice(0, count)), Array(count).fill(undefined));
    },
  };
}

const waiting: Promise<string | undefined>[] = [];

describe('an address', () => {
  beforeEach(() => waiting.splice(0));

  it('may use half of the 64 places, and those that are answered again', async () => {
    const { ask, answer } = slowIssuer();
    assert.equal(await ask('10.0.0.1', 33), 1);
    await answer(1);
    assert.equal(await ask('10.0.0.1', 2), 1);
    await answer(31);
    assert.equal(await ask('10.0.0.1', 32), 1);
  });

  it('has its whole share again when all of its questions are answered', async () => {
    const { ask, answer } = slowIssuer();
    assert.equal(await ask('10.0.0.1', 1), 0);
    await answer(1);
    assert.equal(await ask('10.0.0.2', 1), 0);
    assert.equal(await ask('10.0.0.1', 33), 1);
  });
});

describe('a token that is not active', () => {
  it('is asked about again after a reload', async () => {
    let questions = 0;
    const { ask, reload } = introspectionBy(async () => {
      questions += 1;
      return asJson({ active: false });
    });
    for (const _ of ['once', 'twice']) assert.equal(await ask('10.0.0.1', 'a'), 'unauthorized');
    assert.equal(questions, 1);
    reload();
    assert.equal(await ask('10.0.0.1', 'a'), 'unauthorized');
    assert.equal(questions, 2);
  });
});

describe('the log', () => {
  const remedy = 'Check auth.introspectionClient and the file of auth.introspectionSecretFile.';
  const cases: readonly (readonly [
    what: string,
    fetch: () => Promise<Response>,
    logged: string,
  ])[] = [
    ['answers 500', async () => asJson({}, 500), 'the answer has status 500.'],
    ['answers 401', async () => asJson({}, 401), `the answer has status 401. ${remedy}`],
    ['answers 403', async () => asJson({}, 403), `the answer has status 403. ${remedy}`],
    ['answers 404', async () => asJson({}, 404), 'the answer has status 404.'],
    ['is not there', () => Promise.reject(new Error('no route')), 'no route'],
    ['is not there, by its address', () => Promise.reject(new Error(`${URL}: down`)), 'down'],
    ['throws a text', () => Promise.reject('down'), 'down'],
  ];
  for (const [what, fetch, logged] of cases) {
    it(`says where and why where the issuer ${what}`, async () => {
      const { ask, problems } = introspectionBy(fetch);
      assert.equal(await ask('10.0.0.1'), 'unavailable');
      assert.deepEqual(problems, [`Cannot check tokens. ${URL}: ${logged}`]);
    });
  }

  it('says so once in half a minute', async () => {
    const { ask, clock, problems } = introspectionBy(() => Promise.reject(new Error('down')));
    await ask('10.0.0.1');
    clock.pass(29.999);
    await ask('10.0.0.1');
    assert.equal(problems.length, 1);
    clock.pass(0.001);
    await ask('10.0.0.1');
    assert.equal(problems.length, 2);
  });

  it('names the secret file that cannot be read', () => {
    const missing = join(folder, 'missing');
    assert.throws(() => introspectionBy(async () => asJson(ACTIVE), missing), {
      name: 'AuthError',
      message: new RegExp(`^Cannot read ${missing}: it does not exist`),
    });
  });
});
