/** Pages of lists: the input `after`, and the member `next` of an answer. */

import type { Edition } from '../../../directory/edition/edition.ts';
import { shownText } from '../../../fhir/request/unknown-name.ts';
import { type Editions, numberedOf } from '../../answer/editions.ts';
import { refuse } from '../../json/json-parameters.ts';
import { numberInput, optionalInput, textInput } from './inputs.ts';

/** Of a list of organisations, events or rows. */
export const ITEMS_DEFAULT = 20;
const ITEMS_MAX = 100;

export const PAGE_INPUTS = {
  limit: optionalInput(
    numberInput(`The most items of the answer, ${ITEMS_DEFAULT} by default.`, 1, ITEMS_MAX),
  ),
  after: optionalInput(textInput('The value of next in the answer before, for the next page.')),
};

/** The part of a list that a call asks for. */
export interface WantedPage {
  /** The edition of the first page. */
  readonly edition: Edition;
  readonly offset: number;
  readonly limit: number;
}

/** Throws a FhirError if `after` is not valid, or if its edition is no longer kept. */
export function pageOf(
  editions: Editions,
  { after, limit = ITEMS_DEFAULT }: { after: string | undefined; limit: number | undefined },
): WantedPage {
  if (after === undefined) {
    return { edition: numberedOf(editions, undefined, 'after'), offset: 0, limit };
  }
  const [, number, offset] = POSITION.exec(after) ?? [];
  if (offset === undefined) {
    throw refuse(
      `after must be the value of next in an earlier answer. Got "${shownText(after)}". Leave it out to begin.`,
    );
  }
  return { edition: numberedOf(editions, Number(number), 'after'), offset: Number(offset), limit };
}

const POSITION = /^([1-9]\d{0,8})-(\d{1,9})$/;

/** The member `next`, if the list continues after the page. */
export function nextOf(
  { edition, offset, limit }: WantedPage,
  hasMore: boolean,
): { readonly next?: string } {
  return hasMore ? { next: `${edition.number}-${offset + limit}` } : {};
}
