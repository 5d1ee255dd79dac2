/** The error for a document that is not well-formed. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  /** The byte of the document at which the fault was found. */
  readonly offset: number;

  /** The message is a phrase without a full stop. */
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
