/**
 * The array with the hashes of the bytes that records were read from: two words for each row of both
 * sections, or zeros. The next import of a release does not read a record again that has its hash.
 */
export const SOURCE_HASHES = 'sources.hashes';
