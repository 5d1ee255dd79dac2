/**
 * The organisations with a relationship to others: a direct question about relationships of any type,
 * such as "which are its sites". What belongs to an organisation, also through others, is the
 * question of `membersOf`.
 */
import { createPauses } from '../../threads/pauses.ts';
import type { Edition } from '../edition/edition.ts';
import { inTime } from '../record/in-force.ts';

/** The rows with a relationship to one of the codes that is in force on the day, ascending. */
export async function directMembersOf(
  edition: Edition,
  codes: readonly string[],
  day: string,
  type?: string,
): Promise<Uint32Array> {
  const byType = await directMembersByType(edition, codes, day);
  const wanted = type === undefined ? [...byType.values()] : [byType.get(type) ?? NO_ROWS];
  return ascending(wanted.flatMap((rows) => [...rows]));
}

/** The same by the type of the relationship, without `RE`. Other requests are answered meanwhile. */
export async function directMembersByType(
  { links }: Edition,
  codes: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, Uint32Array>> {
  const pause = createPauses();
  const relationshipAt = links.scan();
  const ordinals = codes.flatMap((code) => [...links.incoming(code)]).sort((a, b) => a - b);
  const rows = new Map<string, number[]>();
  for (const ordinal of ordinals) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const relationship = relationshipAt(ordinal);
    if (inTime(relationship, day).phase !== 'now') continue;
    const { type, sourceRow } = relationship;
    const ofType = rows.get(type);
    if (ofType === undefined) rows.set(type, [sourceRow]);
    else ofType.push(sourceRow);
  }
  return new Map(rows.entries().map(([type, ofType]) => [type, ascending(ofType)]));
}

const NO_ROWS = new Uint32Array(0);

/** Each row once. */
function ascending(rows: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(rows)).sort();
}
