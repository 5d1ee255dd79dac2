/** The events that a tokenizer reports about a document. */
import type { StartTag } from './tag.ts';

/** Receives the parts of a document in their order. */
export interface XmlEvents {
  /** A start tag, or an empty-element tag; its values can be asked for during the call only. */
  open(tag: StartTag): void;
  /** One more attribute of the start tag that is being read. It may throw, so that no more are read. */
  attribute?(): void;
  /** The end of the element that was opened last and has not ended yet. */
  close(): void;
  /**
   * A text, or a part of it, since texts are cut where a piece of the document ends. `length` is
   * its bytes in the document; `text()` decodes it, and can be called during the call only.
   */
  text(length: number, text: () => string): void;
  /** A document type declaration with the name of the root element; it throws. */
  doctype(name: string): never;
  /** A comment, a processing instruction or a CDATA section, from its `<` to after its `>`. */
  section?(bytes: Buffer): void;
}
