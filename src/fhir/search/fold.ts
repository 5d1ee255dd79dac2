/** Folds texts, so that they can be compared without case, accents and spacing. */

/** Printable ASCII with single spaces: only the case must be folded. */
const PLAIN = /^[!-~]*(?: [!-~]+)* ?$/;
const MARKS = /\p{M}+/gu;
const WHITE_SPACE = /\s+/g;

/**
 * Decomposes (NFD), removes marks, converts to upper and then lower case, and reduces white space to
 * single spaces. Each letter is folded on its own, so a folded text contains the folded form of each
 * of its parts. Lone surrogates become U+FFFD, as in UTF-8.
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
      // The capital ẞ becomes ß here, but ß alone has become ss.
      .replaceAll('ß', 'ss')
      // JavaScript lowers Σ to ς at the end of a word, but folding must not depend on what follows.
      .replaceAll('ς', 'σ')
      .replace(WHITE_SPACE, ' ')
  );
}

/** Postcodes are also found by this spelling. */
export function withoutSpaces(folded: string): string {
  return folded.replaceAll(' ', '');
}
