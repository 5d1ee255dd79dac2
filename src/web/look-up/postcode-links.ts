/** The other questions that people have about a postcode in the search box. */

import type { Edition } from '../../directory/edition/edition.ts';
import { partsOfPostcode } from '../../directory/places/postcodes.ts';
import type { LookUpState } from '../matches/state.ts';
import type { Addresses } from '../parts/addresses.ts';
import { NO_FILTERS } from './page-links.ts';

interface PostcodeLinks {
  readonly postcode: string;
  /** Absent if its position is not known. */
  readonly nearest: string | undefined;
  readonly belongs: string;
}

/** The other questions about a whole postcode, if it is one that was imported. */
export function postcodeLinks(
  { postcodes }: Edition,
  { text }: LookUpState,
  { postcodePage }: Addresses,
  to: (change: Partial<LookUpState>) => string,
): PostcodeLinks | undefined {
  const found = partsOfPostcode(text) && postcodes?.find(text);
  if (found === undefined) return undefined;
  const { postcode, position } = found;
  return {
    postcode,
    nearest: position && to({ ...NO_FILTERS, text: '', as: undefined, near: postcode }),
    belongs: `${postcodePage}?${new URLSearchParams({ postcode })}`,
  };
}
