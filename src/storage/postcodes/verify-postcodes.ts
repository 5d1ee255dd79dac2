/** Checks the stored postcodes, in every kind of store. */
import { failedCheck } from '../repository/verification.ts';
import type { CheckedPart, PostcodeStore } from '../store.ts';

/** Yields nothing if there are none. */
export async function* verifyPostcodes(store: PostcodeStore): AsyncGenerator<CheckedPart> {
  const name = 'postcodes';
  try {
    const { about } = (await store.read()) ?? {};
    if (about === undefined) return;
    const summary = `${about.postcodes.toLocaleString('en-GB')} of ${about.source}`;
    yield { name, findings: [], summary };
  } catch (error) {
    yield { name, ...failedCheck(error, 'Import the postcodes again.') };
  }
}
