/** The rooms of `src/` for ARCHITECTURE.md: their imports as pictures, and a list of what they hold. */
import { importsOf, type SourceFile, sourceFiles } from '../test/tidy/source-files.ts';
import { FILES, floorOf, HOUSE, pathOf, type Room } from './house.ts';

/**
 * A picture in Mermaid of the rooms in a room, such as `fhir`; without a name, of the top-level
 * rooms. An arrow leads from a room to one that it imports.
 */
export function roomPicture(parent: string): string {
  const floors = floorsIn(parent);
  const idOf = ({ name }: Room) => (name === FILES ? 'own' : name);
  const nodes = floors.map((room) => `  ${idOf(room)}["${labelOf(room, parent)}"]`);
  const arrows = withoutDetours(arrowsBetween(floors, parent, sourceFiles())).flatMap(
    (targets, from) =>
      [...targets].map((to) => `  ${idOf(roomAt(floors, from))} --> ${idOf(roomAt(floors, to))}`),
  );
  return ['```mermaid', 'flowchart TD', ...nodes.reverse(), ...arrows.reverse(), '```'].join('\n');
}

/** All rooms and what they hold, from the ground up. */
export function roomList(): string {
  return linesOf(HOUSE, '', '').join('\n');
}

function linesOf(floors: readonly Room[], parent: string, indent: string): string[] {
  return floors.flatMap(({ name, holds, floors: inside = [] }) => {
    const path = pathOf(parent, name);
    const title = name === FILES ? 'its own files' : `\`${path}/\``;
    const line = `${indent}- ${parent === '' && name === FILES ? '' : `${title}: `}${holds}`;
    return [line, ...linesOf(inside, path, `${indent}  `)];
  });
}

function floorsIn(parent: string): readonly Room[] {
  if (parent === '') return HOUSE;
  const floors = HOUSE.find(({ name }) => name === parent)?.floors;
  if (floors === undefined) throw new RangeError(`There are no rooms in "${parent}".`);
  return floors;
}

function labelOf({ name }: Room, parent: string): string {
  if (name !== FILES) return name;
  return parent === '' ? 'main.ts' : `the files of ${parent}/`;
}

function roomAt(floors: readonly Room[], at: number): Room {
  const room = floors[at];
  if (room === undefined) throw new RangeError(`There is no floor ${at}.`);
  return room;
}

/** For each floor, the floors that its files import. */
export function arrowsBetween(
  floors: readonly Room[],
  parent: string,
  files: readonly SourceFile[],
): ReadonlySet<number>[] {
  const arrows = floors.map(() => new Set<number>());
  for (const file of files) {
    const from = floorOf(file.path, floors, parent);
    if (from === undefined) continue;
    for (const imported of importsOf(file)) {
      const to = floorOf(imported, floors, parent);
      if (to !== undefined && to !== from) arrows[from]?.add(to);
    }
  }
  return arrows;
}

/**
 * Without each arrow that other arrows lead around (the transitive reduction). No arrow may lead up.
 */
export function withoutDetours(arrows: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  const reached: Set<number>[] = [];
  return arrows.map((targets) => {
    const all = new Set(targets);
    const nearest = new Set(targets);
    for (const target of targets) {
      for (const below of reached[target] ?? []) {
        all.add(below);
        nearest.delete(below);
      }
    }
    reached.push(all);
    return nearest;
  });
}
