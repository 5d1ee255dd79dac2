/** The form of language tags: BCP 47. */

/** Whether the text has the form of a language tag. The language itself need not exist. */
export function isLanguageTag(text: string): boolean {
  return text.length <= TAG_LENGTH_MAX && (tag.test(text) || irregular.test(text));
}

/** Far more than the 35 characters that RFC 5646 recommends to support. */
const TAG_LENGTH_MAX = 255;

const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})';
const SCRIPT = '(?:-[a-z]{4})?';
const REGION = '(?:-(?:[a-z]{2}|[0-9]{3}))?';
const VARIANTS = '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*';
const EXTENSIONS = '(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*';
const PRIVATE = 'x(?:-[a-z0-9]{1,8})+';

/** https://www.rfc-editor.org/rfc/rfc5646#section-2.1 */
const tag = new RegExp(
  `^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`,
  'i',
);
const irregular = /^(?:en-gb-oed|sgn-(?:be-fr|be-nl|ch-de)|i-[a-z]{2,8})$/i;
