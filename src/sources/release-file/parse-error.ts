/** Why the text of a source cannot be read any further. The reader adds the file and the position. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** What the user can do. */
  readonly remedy: string;

  constructor(
    message: string,
    remedy = 'It is cut off or damaged: make it again where it comes from.',
  ) {
    super(message);
    this.remedy = remedy;
  }
}
