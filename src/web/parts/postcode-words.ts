/** What pages say about a postcode that cannot be found, in the words of people. */

export const POSTCODES_MISSING =
  'This service has no postcodes, so it does not know where they are. Its operator imports an open ' +
  'file of them with "gazetteer import-postcodes FILE".';

/** `postcode` with its space. */
export function postcodeNotFound(postcode: string): string {
  return (
    `The postcode ${postcode} was not found. Check it, or write another one nearby. A new postcode ` +
    'is missing until the operator of this service imports a newer file of postcodes.'
  );
}
