/** The setting that a misspelt name probably means. */
import { VARIABLE_PREFIX } from './settings.ts';

/** How many letters differ between two names. */
export type DistanceOf = (a: string, b: string) => number;

/** Names the most similar setting, if at most three letters and at most a third of them differ. */
export function suggestedSetting(
  name: string,
  known: readonly string[],
  distanceOf: DistanceOf | undefined = () => Number.POSITIVE_INFINITY,
): string {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name, each) }))
    .filter(({ distance }) => distance <= Math.min(DISTANCE_MAX, lengthOf(name) / 3))
    .sort((a, b) => a.distance - b.distance);
  return nearest === undefined ? '' : ` Did you mean ${nearest.each}?`;
}

/** The number of letters without the prefix of variables. */
function lengthOf(name: string): number {
  return name.startsWith(VARIABLE_PREFIX) ? name.length - VARIABLE_PREFIX.length : name.length;
}

const DISTANCE_MAX = 3;
