/** Finds the path that a misspelt one most probably means. */
import { similarDistance } from './edit-distance.ts';

/**
 * The path, with its first segments replaced by those of the longest and most similar known path.
 * Undefined if no path is similar, or the segments are right.
 */
export function nearestPathOf(path: string, known: readonly string[]): string | undefined {
  const segments = path.split('/');
  let nearest: string | undefined;
  let longest = 0;
  let least = 0;
  for (const one of known) {
    const wanted = one.split('/');
    const distance = wanted
      .map((segment, i) => similarDistance(segment, segments[i] ?? ''))
      .reduce((sum, each) => sum + each);
    const isNearer = wanted.length > longest || (wanted.length === longest && distance < least);
    if (!Number.isFinite(distance) || !isNearer) continue;
    nearest = [one, ...segments.slice(wanted.length)].join('/');
    [longest, least] = [wanted.length, distance];
  }
  return nearest === path ? undefined : nearest;
}
