/** Builds the data that a look-up needs in addition to the index of the edition. */
import type { Edition } from '../../directory/edition/edition.ts';
import { phoneBooks, readPhoneNumber } from './phone-numbers.ts';

/** Await it before you look up `text`. */
export async function prepareLookUp(edition: Edition, text: string): Promise<void> {
  if (readPhoneNumber(text) !== undefined) await phoneBooks.when(edition);
}
