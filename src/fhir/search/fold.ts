/** Folding: the form in which texts are compared, whatever their case, accents and spacing. */

/** Printable ASCII: nothing to decompose, no marks, no white space but single spaces. */
const PLAIN = /^[!-~]*(?: [!-~]+)* ?$/;
const MARKS = /\p{M}+/gu;
const WHITE_SPACE = /\s+/g;

/**
 * NFD, marks removed, upper then lower case, runs of white space to one space. A letter folds to
 * the same wherever it stands, so what a text begins with or contains still does so once folded.
 * Lone surrogates become U+FFFD, as they do when a text is written as UTF-8.
 *
 * Marks are also removed before NFD, because NFD sorts each run of marks in quadratic time: 64
 * KiB of marks take half a second. The result is the same, because marks decompose only into
 * marks.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return (
    text
      .toWellFormed()
      .replace(MARKS, '')
      .normalize('NFD')
      .replace(MARKS, '')
      .toUpperCase()
      .toLowerCase()
      // The capital ẞ has no upper case of its own and comes down to ß, which itself folds to ss.
      .replaceAll('ß', 'ss')
      // JavaScript lowers Σ to ς at the end of a word: folding must not depend on what follows.
      .replaceAll('ς', 'σ')
      .replace(WHITE_SPACE, ' ')
  );
}

/** A folded text without its spaces: postcodes are also found that way. */
export function withoutSpaces(folded: string): string {
  return folded.replaceAll(' ', '');
}
