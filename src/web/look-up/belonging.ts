/** The filter for organisations that belong to others: what its text means, and says on the page. */

import { directMembersOf } from '../../directory/ask/direct-members.ts';
import { membersOf } from '../../directory/ask/members-of.ts';
import { rowsCriterion } from '../../directory/ask/row-criterion.ts';
import { wordsOf } from '../../directory/ask/words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findRow, pastedCode } from '../../directory/edition/source-record.ts';
import type { DirectoryCriterion } from '../../directory/index/organization-index.ts';
import { hasCode, hasText } from '../matches/criteria.ts';
import type { LookUpState } from '../matches/state.ts';
import type { Addresses } from '../parts/addresses.ts';
import { relationshipWords } from '../parts/code-names.ts';
import { recordOfRow } from '../parts/related-organization.ts';

export interface BelongingFilter {
  /** The organisations that the text means. Empty if none has members. */
  readonly targets: readonly BelongingTarget[];
  /** Whether the text means more organisations than `targets`. */
  readonly hasMore: boolean;
  readonly criterion: DirectoryCriterion;
}

interface BelongingTarget {
  readonly code: string;
  readonly name: string | undefined;
}

/** The filter of a state; undefined if it has none. It rejects when the client has left. */
export async function belongingOf(
  edition: Edition,
  state: LookUpState,
  day: string,
  leftSignal?: () => AbortSignal,
): Promise<BelongingFilter | undefined> {
  if (state.of === '') return undefined;
  const found = targetsOf(edition, state.of);
  const targets = found.slice(0, TARGETS_MAX);
  const codes = targets.map(({ code }) => code);
  return {
    targets,
    hasMore: found.length > targets.length,
    criterion:
      codes.length === 0 ? NOTHING : await criterionOf(edition, codes, state, day, leftSignal?.()),
  };
}

/** Whether no organisation has the code of the filter, and none with members has its name. */
export function isUnknown({ links }: Edition, of: string, filter: BelongingFilter): boolean {
  return filter.targets.length === 0 && findRow(links, of) === undefined;
}

/** Those with a relationship to one of the codes, or all that belong to one. */
async function criterionOf(
  edition: Edition,
  codes: readonly string[],
  { by, direct }: LookUpState,
  day: string,
  signal: AbortSignal | undefined,
): Promise<DirectoryCriterion> {
  const isDirect = direct || by !== undefined;
  const rows = isDirect
    ? await directMembersOf(edition, codes, day, by)
    : await membersOf(edition, codes, day, signal);
  return rowsCriterion(edition, rows);
}

const NOTHING = hasCode('code', []);

/** A result for more organisations with the same name is not useful. */
const TARGETS_MAX = 10;

/** Names are read up to this number: common words are in very many of them. */
const NAMES_MAX = 2000;

/** The organisation with this code, or those whose name has the words and that have members. */
function targetsOf(edition: Edition, text: string): BelongingTarget[] {
  const { links, index } = edition;
  const pasted = pastedCode(text);
  const code = [pasted, pasted.toUpperCase()].find((each) => links.incoming(each).length > 0);
  if (code !== undefined) return [targetOf(edition, code)];
  const words = wordsOf(text).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const withMembersOf = (criteria: readonly DirectoryCriterion[]) =>
    index
      .search({ criteria }, 0, NAMES_MAX)
      .rows.filter(links.hasIncoming)
      .map(index.codeOf)
      .slice(0, TARGETS_MAX + 1);
  const exact = withMembersOf([hasText('name', 'exact', [text, text.toUpperCase()])]);
  const found =
    exact.length > 0
      ? exact
      : withMembersOf(words.map((word) => hasText('name', 'contains', [word])));
  return found.map((each) => targetOf(edition, each));
}

const WORDS_MAX = 8;

function targetOf(edition: Edition, code: string): BelongingTarget {
  const row = edition.links.rowOf(code);
  return { code, name: row === undefined ? undefined : recordOfRow(edition, row).name };
}

/** The filter by belonging as the page shows it. */
export interface BelongingText {
  /** Whether the edition has relationships. */
  readonly isKnown: boolean;
  /** The type of the relationships, in words. */
  readonly words: string | undefined;
  /** The organisations that the filter means, each with a link that selects it alone. */
  readonly targets: readonly {
    readonly code: string;
    readonly name: string;
    readonly href: string;
  }[];
  readonly hasMore: boolean;
  readonly isDirect: boolean;
  /** The link to the same filter with the other reach. */
  readonly otherReach: { readonly text: string; readonly href: string };
}

export function belongingText(
  edition: Edition,
  belonging: BelongingFilter | undefined,
  state: LookUpState,
  { addresses, to }: { addresses: Addresses; to: (change: Partial<LookUpState>) => string },
): BelongingText | undefined {
  if (belonging === undefined) return undefined;
  const { targets, hasMore } = belonging;
  const { by, direct } = state;
  const isDirect = direct || by !== undefined;
  return {
    isKnown: edition.hasLinks,
    words: by === undefined ? undefined : relationshipWords(edition, by),
    targets: targets.map(({ code, name }) => ({
      code,
      name: name ?? 'No name',
      // The page of the only organisation; one of several selects it.
      href: targets.length === 1 ? addresses.organization(code) : to({ of: code }),
    })),
    hasMore,
    isDirect,
    otherReach: isDirect
      ? {
          text: 'Show all that belong to it, also through another organisation',
          href: to({ direct: false, by: undefined }),
        }
      : { text: 'Only show those with a relationship to it', href: to({ direct: true }) },
  };
}
