/** Why the text of a source cannot be read any further. The reader adds the file and the position. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** The remedy, as a sentence. */
  readonly remedy: string;

  constructor(
    message: string,
    remedy = 'The file is cut off or damaged. Get a new copy from its source.',
  ) {
    super(message);
    this.remedy = remedy;
  }
}
