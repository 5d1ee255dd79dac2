/** The filter for organisations near a place, as the state of the look-up page has it. */

import { kilometres, readNear, readPlace, WRITE_PLACE } from '../../directory/ask/near.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { partsOfPostcode } from '../../directory/places/postcodes.ts';
import { shownText } from '../../fhir/request/unknown-name.ts';
import type { NearCriterion } from '../../fhir/search/criterion.ts';
import type { Parsed } from '../../fhir/search/parsed.ts';
import type { LookUpState } from '../matches/state.ts';
import { POSTCODES_MISSING, postcodeNotFound } from '../parts/postcode-words.ts';

/** The distances that the page offers, in kilometres. */
const DISTANCES = ['1', '2', '5', '10', '20', '50', '100'];

const DEFAULT_DISTANCE = '10';

type Nearness = Pick<LookUpState, 'near' | 'within'>;

/** The place, the distance and its unit. */
function nearParts({ near, within }: Nearness): string[] {
  const distance = within === '' ? DEFAULT_DISTANCE : within;
  const [place = '', ...rest] = near.split('|');
  return rest.length > 0 ? [place, ...rest] : [place, distance, 'km'];
}

/** Undefined if the state has no such filter. */
export function parseNearness(
  { postcodes }: Edition,
  state: Nearness,
): Parsed<NearCriterion> | undefined {
  if (state.near === '') return undefined;
  return readNear(nearParts(state).join('|'), postcodes, 'near', WRITE_PLACE);
}

/** Undefined also for a filter that is not valid, which the page says. */
export function nearnessOf(edition: Edition, state: Nearness): NearCriterion | undefined {
  const parsed = parseNearness(edition, state);
  return parsed && 'value' in parsed ? parsed.value : undefined;
}

/**
 * Why the page shows no list near this place, in the words of people. Undefined if the place is
 * missing or valid: then another part is wrong.
 */
export function placeProblemWords({ postcodes }: Edition, state: Nearness): string | undefined {
  if (postcodes === undefined) {
    return `${POSTCODES_MISSING} Search for a town, or for the beginning of a postcode.`;
  }
  const [place = ''] = nearParts(state);
  if (place.trim() === '') return undefined;
  const found = readPlace(place, postcodes);
  switch (found) {
    case 'not-whole':
      return `“${shownText(place)}” is not a whole postcode. ${WRITE_PLACE}`;
    case 'not-degrees':
      return `“${shownText(place)}” is not a position. ${WRITE_PLACE}`;
    case 'no-position': {
      const postcode = partsOfPostcode(place)?.join(' ') ?? place;
      if (postcodes.find(place) === undefined) return postcodeNotFound(postcode);
      return `The position of the postcode ${postcode} is not known. Write another one nearby.`;
    }
    default:
      return undefined;
  }
}

/** `Within 5 km of LS1 4AP`. */
export function nearText(state: Nearness): string {
  const [place, distance, unit = 'km'] = nearParts(state);
  return `Within ${distance} ${unit} of ${place}`;
}

/** A distance that the page offers. */
export interface DistanceOption {
  readonly distance: string;
  readonly isChosen: boolean;
}

export function distanceOptions(state: Nearness): DistanceOption[] {
  const [, chosen] = nearParts(state);
  return DISTANCES.map((distance) => ({ distance, isChosen: distance === chosen }));
}

/** `0.24 km`; undefined if the organisation has no position. */
export function distanceText(metres: number | undefined): string | undefined {
  return metres === undefined ? undefined : `${kilometres(metres).toLocaleString('en-GB')} km`;
}
