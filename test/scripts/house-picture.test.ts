/** The picture of the rooms shows what imports what, and no arrow that a longer way makes superfluous. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FILES, type Room } from '../../scripts/house.ts';
import {
  arrowsBetween,
  roomList,
  roomPicture,
  withoutDetours,
} from '../../scripts/house-picture.ts';
import type { SourceFile } from '../tidy/source-files.ts';

describe('an arrow of the picture', () => {
  const floors: readonly Room[] = [
    { name: 'ground', holds: '' },
    { name: 'middle', holds: '' },
    { name: FILES, holds: '' },
  ];

  it('leads from a room to each room that its files import', () => {
    const files = [
      fileOf('src/a/ground/one.ts', './two.ts'),
      fileOf('src/a/middle/deep/two.ts', '../../ground/one.ts'),
      fileOf('src/a/own.ts', './middle/deep/two.ts', './ground/one.ts'),
      fileOf('src/ab/other.ts', '../a/own.ts'),
      fileOf('src/b/own.ts', '../a/ground/one.ts'),
    ];
    assert.deepEqual(arrowsBetween(floors, 'a', files), [new Set(), new Set([0]), new Set([1, 0])]);
  });

  it('is left out if other arrows lead around it, through any number of rooms', () => {
    const arrows = [
      new Set<number>(),
      new Set([0]),
      new Set([0, 1]),
      new Set([0, 2]),
      new Set([1]),
    ];
    assert.deepEqual(withoutDetours(arrows), [
      new Set(),
      new Set([0]),
      new Set([1]),
      new Set([2]),
      new Set([1]),
    ]);
  });
});

it('a picture has the rooms of one room, and the list has them all', () => {
  assert.match(roomPicture(''), /^ {2}web\["web"\]$/m);
  assert.match(roomPicture('fhir'), /^ {2}own\["the files of fhir\/"\]$/m);
  assert.throws(() => roomPicture('cellar'), /There are no rooms in "cellar"/);
  assert.match(roomList(), /^ {2}- `fhir\/http\/`: /m);
});

function fileOf(path: string, ...imported: readonly string[]): SourceFile {
  return { path, text: imported.map((specifier) => `import '${specifier}';\n`).join('') };
}
