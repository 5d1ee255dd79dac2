/** What a look-up needs besides the index of the edition: made once, and waited for here. */
import type { Edition } from '../../directory/edition.ts';
import { phoneBooks, readPhoneNumber } from './phone-numbers.ts';
import { vocabularies } from './spelling.ts';

/** To be awaited before `text` is looked for. */
export async function prepareLookUp(edition: Edition, text: string): Promise<void> {
  if (text === '') return;
  if (readPhoneNumber(text) !== undefined) await phoneBooks.when(edition);
  await vocabularies.when(edition);
}
