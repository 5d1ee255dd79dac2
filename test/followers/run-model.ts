/** Runs random sequences of steps, and after each step the followers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { type EditionHistory, NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { type DirectoryServer, startDirectory } from '../directory/directory-server.ts';
import { fc } from '../property.ts';
import type { OpenPlace } from './followed-places.ts';
import { type Answer, FOLLOWERS, type Get } from './followers.ts';
import { anySteps, runStep, type Step } from './steps.ts';
import { World } from './world.ts';

/** Fails with the shortest sequence after which a follower has something else than the directory. */
export async function checkFollowers(open: OpenPlace, sequences: number): Promise<void> {
  let served: Edition | undefined;
  let history: EditionHistory = NO_HISTORY;
  const server = await startDirectory({
    editions: {
      current: () => served,
      byNumber: (number) => (number === served?.number ? served : undefined),
    },
    history: {
      list: () => history.list(),
      differenceCounts: (number) => history.differenceCounts(number),
      codes: (number, kind) => history.codes(number, kind),
      changeOf: (number, code) => history.changeOf(number, code),
      record: (number, code) => history.record(number, code),
      records: (...asked) => history.records(...asked),
      [Symbol.dispose]: () => {},
    },
  });
  try {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) =>
        follow(open, steps, server, (edition, ofPlace) => {
          served = edition;
          history = ofPlace;
        }),
      ),
      { numRuns: sequences },
    );
  } finally {
    await server.close();
  }
}

async function follow(
  open: OpenPlace,
  steps: readonly Step[],
  server: DirectoryServer,
  serve: (edition: Edition | undefined, history: EditionHistory) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-followers-'));
  const clock = { ms: Date.parse('2026-02-01T10:00:00Z') };
  const place = await open(folder, () => new Date(clock.ms));
  /** The answers since the last step, because the followers ask for much of the same. */
  const answers = new Map<string, Answer>();
  const get: Get = async (path, headers) => {
    const known = headers === undefined ? answers.get(path) : undefined;
    if (known !== undefined) return known;
    const answer = await server.get(path, headers);
    const isRefused = path.startsWith('/fhir/events') && [400, 410].includes(answer.status);
    assert.ok(isRefused || [200, 304].includes(answer.status), `${path}: ${answer.text}`);
    if (headers === undefined) answers.set(path, answer);
    return answer;
  };
  const followers = Object.entries(FOLLOWERS).map(([name, create]) => [name, create(get)] as const);
  try {
    const world = new World(place, clock);
    world.releases.push(world.national);
    await world.importRelease(world.national);
    let last: { readonly number: number; readonly publishedAt: string } | undefined;
    for (const [at, step] of [undefined, ...steps].entries()) {
      world.goesBack = false;
      if (step !== undefined) await runStep(world, step);
      const { info, edition } = world.served ?? assert.fail('nothing is served');
      serve(edition, place.history);
      answers.clear();
      assertContent(edition, world);
      if (last !== undefined && last.number !== info.number) {
        assert.ok(info.number > last.number, `edition ${info.number} after ${last.number}`);
        assert.ok(info.publishedAt > last.publishedAt, 'dates of editions never go back');
      }
      last = info;
      for (const [name, follower] of followers) {
        await follower.look(world).catch((error: unknown) => {
          throw new Error(`${name}, after step ${at}`, { cause: error });
        });
      }
    }
  } finally {
    for (const [, { end }] of followers) await end?.();
    await place.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The directory says what was imported: the names of all organisations, with their dates. */
function assertContent(edition: Edition, world: World): void {
  const { rows, references } = edition;
  const found = [rows, references.rows].flatMap((section) =>
    Array.from({ length: section.count }, (_, row) => section.recordAt(row)),
  );
  const partsOf = ({ code, name, isActive, lastUpdated }: (typeof found)[number]) =>
    `${code} ${name} ${isActive} ${lastUpdated}`;
  assert.deepEqual(
    found.map(partsOf).toSorted(),
    [...world.current.values()].map(partsOf).toSorted(),
  );
}
