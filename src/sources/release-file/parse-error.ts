/** Why the text of a source cannot be read on; the reader adds where that was and what to do. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}
