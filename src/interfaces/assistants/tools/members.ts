/** The organisations that belong to another one, as a criterion of a search. */

import { membersOf } from '../../../directory/ask/members-of.ts';
import { rowsCriterion } from '../../../directory/ask/row-criterion.ts';
import { type Edition, requireLinks } from '../../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../../directory/index/organization-index.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { dayOn } from './days.ts';
import { knownCode } from './search.ts';

/** Rejects with a FhirError if the edition has no relationships, or no such code. */
export async function memberCriterion(
  directory: AssistantDirectory,
  edition: Edition,
  of: string,
  on: string | undefined,
  signal: AbortSignal,
): Promise<DirectoryCriterion> {
  requireLinks(edition);
  const day = dayOn(directory, on);
  return rowsCriterion(edition, await membersOf(edition, [knownCode(edition, of)], day, signal));
}
