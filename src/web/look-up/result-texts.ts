/** What the look-up page says about the organisations that results belong to, and its downloads. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { Addresses } from '../addresses.ts';
import { relationWords } from '../relations/relation-words.ts';
import type { Found } from './find.ts';
import { type LookUpState, writeState } from './state.ts';

/** The organisations that the filter means, each with a link that selects it alone. */
export function belongingText(
  edition: Edition,
  { belonging }: Found,
  state: LookUpState,
  { addresses, to }: { addresses: Addresses; to: (change: Partial<LookUpState>) => string },
) {
  if (belonging === undefined) return undefined;
  const { targets, hasMore } = belonging;
  const { by, direct } = state;
  const isDirect = direct || by !== undefined;
  return {
    isKnown: edition.hasRelations,
    words: by === undefined ? undefined : relationWords(edition, by),
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
          text: 'Also show those that belong to it through another organisation',
          href: to({ direct: false, by: undefined }),
        }
      : { text: 'Only show those that belong to it directly', href: to({ direct: true }) },
  };
}

/** All results, with the filters of the state. */
export function downloadsOf(state: LookUpState, addresses: Addresses) {
  const query = writeState({ ...state, page: 1, print: false });
  return { csv: addresses.results('csv') + query, ndjson: addresses.results('ndjson') + query };
}
