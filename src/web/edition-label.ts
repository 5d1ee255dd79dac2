/** What each page about an edition says of it: its number, and when its source was published. */
import type { Edition } from '../directory/edition.ts';
import type { EditionHistory } from '../directory/edition-history.ts';
import { formatDate } from './display.ts';

export interface EditionLabel {
  readonly number: number;
  /** Absent where the history does not know the edition. */
  readonly published: string | undefined;
}

export function editionLabel(edition: Edition, history: EditionHistory): EditionLabel {
  let label = LABELS.get(edition);
  if (label === undefined) {
    const info = history.list().find(({ number }) => number === edition.number);
    label = { number: edition.number, published: info && formatDate(info.publicationDate) };
    LABELS.set(edition, label);
  }
  return label;
}

/** An edition does not change. */
const LABELS = new WeakMap<Edition, EditionLabel>();
