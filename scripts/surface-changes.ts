/** What may differ between the surfaces of two versions. `docs/explanation/stability.md` says it in words. */
import type { Surface } from './surface.ts';

/** A difference that the step from one version to the other does not allow. */
export interface Breach {
  readonly name: string;
  readonly problem: 'is gone' | 'has changed' | 'is new';
}

/**
 * - A new major version may change everything, and before 1.0.0 a new minor version.
 * - A new minor version may add things.
 * - A patch may add codes of the log.
 */
export function breaches(
  before: { readonly version: string; readonly surface: Surface },
  after: { readonly version: string; readonly surface: Surface },
): readonly Breach[] {
  const step = stepOf(before.version, after.version);
  if (step === 'major') return [];
  const found: Breach[] = [];
  for (const [name, text] of before.surface) {
    const now = after.surface.get(name);
    if (now === undefined) found.push({ name, problem: 'is gone' });
    else if (now !== text) found.push({ name, problem: 'has changed' });
  }
  for (const name of after.surface.keys()) {
    if (before.surface.has(name) || step === 'minor' || name.startsWith('log code ')) continue;
    found.push({ name, problem: 'is new' });
  }
  return found;
}

type Step = 'major' | 'minor' | 'patch';

/** The kind of the step. Throws a RangeError if the version is not newer. */
export function stepOf(before: string, after: string): Step {
  const [from, to] = [before, after].map(numbersOf) as [Numbers, Numbers];
  const at = from.findIndex((number, place) => number !== to[place]);
  if (at < 0 || from[at]! > to[at]!) throw new RangeError(`${after} is not newer than ${before}.`);
  if (at === 2) return 'patch';
  return at === 1 && from[0] > 0 ? 'minor' : 'major';
}

type Numbers = readonly [major: number, minor: number, patch: number];

/** Of `1.2.3`, or of `1.2.3-rc.1` without its end. */
export function numbersOf(version: string): Numbers {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (numbers.length !== 3) throw new RangeError(`${version} is not a version.`);
  return numbers.map(Number) as unknown as Numbers;
}

/** For sorting versions, the oldest first. */
export function byAge(one: string, other: string): number {
  const [left, right] = [one, other].map(numbersOf) as [Numbers, Numbers];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
