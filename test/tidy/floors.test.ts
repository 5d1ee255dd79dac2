/** A folder of `src/` imports only folders on floors below its own: `scripts/house.ts` lists them. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { floorOf, HOUSE, pathOf, type Room } from '../../scripts/house.ts';
import { importsOf, sourceFiles } from './source-files.ts';

describe('the floors of the house', () => {
  const files = sourceFiles().filter(({ path }) => path.startsWith('src/'));

  it('have every folder, once', () => {
    const folders = new Set(files.map(({ path }) => dirname(path).replace(/^src\/?/, '')));
    const rooms = roomsOf(HOUSE).filter((room) => folders.has(room));
    assert.deepEqual([...folders].sort(), rooms.sort());
    assert.equal(new Set(rooms).size, rooms.length);
  });

  it('let no import run up', () => {
    const up = files.flatMap((file) =>
      importsOf(file).flatMap((imported) => upward(file.path, imported, HOUSE) ?? []),
    );
    assert.deepEqual(up, []);
  });

  for (const [from, to, message] of [
    [
      'src/fhir/http/headers.ts',
      'src/directory/edition/edition.ts',
      'src/fhir/http/headers.ts imports src/directory/edition/edition.ts: directory is above fhir',
    ],
    [
      'src/fhir/http/headers.ts',
      'src/fhir/service/answer.ts',
      'src/fhir/http/headers.ts imports src/fhir/service/answer.ts: fhir/service is above fhir/http',
    ],
    [
      'src/directory/index/sets/bits.ts',
      'src/directory/index/search-index.ts',
      'src/directory/index/sets/bits.ts imports src/directory/index/search-index.ts: ' +
        'directory/index is above directory/index/sets',
    ],
  ] as const) {
    it(`name the import and the floors: ${message}`, () => {
      assert.equal(upward(from, to, HOUSE), message);
      assert.equal(upward(to, from, HOUSE), undefined);
    });
  }
});

/** The paths of all folders with files, from `src/`. */
function roomsOf(floors: readonly Room[], parent = ''): string[] {
  return floors.flatMap((room) => {
    const path = pathOf(parent, room.name);
    return room.floors === undefined ? [path] : roomsOf(room.floors, path);
  });
}

/** Why a file may not import another; undefined if it may. */
function upward(
  from: string,
  to: string,
  floors: readonly Room[],
  parent = '',
): string | undefined {
  const [low, high] = [from, to].map((path) => floorOf(path, floors, parent));
  if (low === undefined || high === undefined) return undefined;
  if (low === high) {
    const room = floors[low];
    if (room?.floors === undefined) return undefined;
    return upward(from, to, room.floors, pathOf(parent, room.name));
  }
  if (low > high) return undefined;
  const [lower, upper] = [low, high].map((at) => pathOf(parent, floors[at]?.name ?? ''));
  return `${from} imports ${to}: ${upper || 'src'} is above ${lower || 'src'}`;
}
