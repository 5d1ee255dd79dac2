/** The roles of an edition, and how many organisations have each of them. */

import { createPauses } from '../../threads/pauses.ts';
import { roleConcepts } from '../edition/code-systems.ts';
import { type Edition, perEdition } from '../edition/edition.ts';
import { type DirectoryCriterion, tokenCriterion } from '../index/organization-index.ts';
import { prefixedId } from '../record/ids.ts';

export interface ListedRole {
  /** `RO177` */
  readonly code: string;
  /** Absent if the source does not say. */
  readonly name?: string;
  /** The organisations that have the role, as a primary role or another one. */
  readonly organisations: number;
  /** Those of them that are active. */
  readonly active: number;
}

/** In the order of the codes. It is counted once for each edition, in pieces. */
export const roleCounts: (edition: Edition) => Promise<readonly ListedRole[]> = perEdition(count);

async function count(edition: Edition): Promise<readonly ListedRole[]> {
  const pause = createPauses();
  const counts: ListedRole[] = [];
  const inOrder = [...roleConcepts(edition)].sort((a, b) => Number(a.code) - Number(b.code));
  for (const { code, display } of inOrder) {
    const role = tokenCriterion('role', [code]);
    counts.push({
      code: prefixedId('RO', code),
      ...(display !== undefined && { name: display }),
      organisations: totalOf(edition, [role]),
      active: totalOf(edition, [role, ACTIVE]),
    });
    await pause();
  }
  return counts;
}

const ACTIVE = tokenCriterion('active', ['true']);

function totalOf({ index }: Edition, criteria: readonly DirectoryCriterion[]): number {
  return index.search({ criteria }, 0, 0).total;
}
