/** Lists of codes, as the editions keep them: one code on each line, in ascending order. */

import { createPauses } from '../../../threads/pauses.ts';

/** Each code of the text. The text of a large edition has some megabytes, so it is not divided at once. */
export function* codesIn(text: string): Generator<string, void, undefined> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** The codes in ascending order. Other requests are answered meanwhile. */
export async function sortedCodes(codes: Iterable<string>): Promise<readonly string[]> {
  const pause = createPauses();
  let lists: (readonly string[])[] = [];
  let part: string[] = [];
  for (const code of codes) {
    part.push(code);
    if (part.length < SORTED_AT_ONCE) continue;
    lists.push(part.sort());
    part = [];
    await pause();
  }
  lists.push(part.sort());
  while (lists.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < lists.length; at += 2) {
      merged.push(await mergedCodes(lists[at]!, lists[at + 1] ?? [], pause));
    }
    lists = merged;
  }
  return lists[0] ?? [];
}

/** Less than 5 ms. */
const SORTED_AT_ONCE = 4096;

async function mergedCodes(
  one: readonly string[],
  other: readonly string[],
  pause: ReturnType<typeof createPauses>,
): Promise<readonly string[]> {
  const merged: string[] = [];
  let next = 0;
  for (const code of one) {
    while (next < other.length && other[next]! < code) merged.push(other[next++]!);
    merged.push(code);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  for (; next < other.length; next++) merged.push(other[next]!);
  return merged;
}
