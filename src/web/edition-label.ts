/** The label of an edition on pages: its number, and the publication date of its source. */
import type { Edition } from '../directory/edition.ts';
import type { EditionHistory } from '../directory/edition-history.ts';
import { formatDate } from './display.ts';

export interface EditionLabel {
  readonly number: number;
  /** Absent if the history does not list the edition. */
  readonly published: string | undefined;
}

export async function editionLabel(
  edition: Edition,
  history: EditionHistory,
): Promise<EditionLabel> {
  let label = LABELS.get(edition);
  if (label === undefined) {
    const editions = await history.list();
    const info = editions.find(({ number }) => number === edition.number);
    label = { number: edition.number, published: info && formatDate(info.publicationDate) };
    LABELS.set(edition, label);
  }
  return label;
}

/** An edition does not change. */
const LABELS = new WeakMap<Edition, EditionLabel>();
