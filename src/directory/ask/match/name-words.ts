/** The words of an organisation's name in a common form, whichever way they are written. */
import { fold } from '../../../fhir/search/string.ts';

/** A word as it is written, folded: `peter's`. */
export function writtenWords(text: string): readonly string[] {
  return fold(text).match(WRITTEN_WORD) ?? [];
}

const WRITTEN_WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'\u2018\u2019\u02BC`]*[\p{L}\p{N}])?/gu;

/**
 * The common form: without apostrophes and plurals, and with abbreviations in full. `hosps` is
 * `hospital`, and `pcn` `primary`, `care`, `network`.
 */
export function commonWords(written: string): readonly string[] {
  const known = COMMON.get(written);
  if (known !== undefined) return known;
  // Most words have none. Reading 350,000 names is then faster.
  const isPlain = !APOSTROPHE.test(written);
  const word = isPlain ? written : written.replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  const singular = word.endsWith('s') && PLURAL.test(word) ? word.slice(0, -1) : word;
  return COMMON.get(singular) ?? [singular];
}

/** The common forms of all words of a name, each once. */
export function nameWords(text: string): readonly string[] {
  return [...new Set(writtenWords(text).flatMap(commonWords))];
}

/** Words that say little: two names may differ in them. In their common form. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  'the of and at in on for an nhs trust foundation limited plc llp doctor mr mrs miss'.split(' '),
);

/** The kinds of organisations, by the common words that only one kind has. */
export const KINDS: ReadonlyMap<string, string> = new Map(
  [
    'surgery medical',
    'pharmacy chemist',
    'dental orthodontic',
    'optician optical optometrist',
    'hospital infirmary',
    'hospice',
    'school academy',
    'nursing residential',
    'board',
    'network',
    'council',
  ].flatMap((kind) => kind.split(' ').map((word) => [word, kind] as const)),
);

const APOSTROPHE = /['\u2018\u2019\u02BC`]/;
const APOSTROPHES = /['\u2018\u2019\u02BC`]/g;
const POSSESSIVE = /['\u2018\u2019\u02BC`]s$/;
const PLURAL = /^\p{L}{2,}[^s]s$/u;

/** The common words, and the other ways in which people write them. */
const WRITINGS: readonly (readonly [common: string, written: string])[] = [
  ['2', 'two'],
  ['3', 'three'],
  ['4', 'four'],
  ['5', 'five'],
  ['st', 'saint snt str street'],
  ['mount', 'mt'],
  ['road', 'rd'],
  ['avenue', 'ave av'],
  ['lane', 'ln'],
  ['house', 'hse'],
  ['north', 'nth'],
  ['south', 'sth'],
  ['hospital', 'hosp hospl hsp'],
  ['infirmary', 'inf infirm'],
  ['centre', 'ctr cntr cent center cen'],
  ['medical', 'med medic'],
  ['surgery', 'surg sgy srgy surgerie'],
  ['practice', 'prac pract prc practise'],
  ['pharmacy', 'pharm phcy pharmacie'],
  ['doctor', 'dr drs'],
  ['university', 'univ uni universitie'],
  ['community', 'comm cmty communitie'],
  ['general', 'gen genl'],
  ['group', 'grp'],
  ['partner', 'ptnr ptnrs'],
  ['partnership', 'pship ptnrship'],
  ['department', 'dept'],
  ['district', 'dist'],
  ['county', 'cnty'],
  ['council', 'cncl'],
  ['clinic', 'clin cln'],
  ['dental', 'dent'],
  ['nursing', 'nurs nsg'],
  ['residential', 'resi resid'],
  ['service', 'svc svcs srv serv'],
  ['school', 'sch'],
  ['primary', 'prim'],
  ['health', 'hlth'],
  ['mental', 'mntl'],
  ['royal', 'ryl'],
  ['national', 'natl'],
  ['limited', 'ltd'],
  ['trust', 'tr'],
  ['foundation', 'fdn found'],
  ['foundation trust', 'ft'],
  ['health centre', 'hc'],
  ['medical centre', 'mc'],
  ['health care', 'healthcare'],
  ['home care', 'homecare'],
  ['eye care', 'eyecare'],
  ['walk in', 'walkin'],
  ['walk in centre', 'wic'],
  ['out of hour', 'ooh'],
  ['primary care network', 'pcn'],
  ['integrated care board', 'icb'],
  ['clinical commissioning group', 'ccg'],
];

const COMMON: ReadonlyMap<string, readonly string[]> = new Map(
  WRITINGS.flatMap(([common, written]) =>
    written.split(' ').map((each) => [each, common.split(' ')] as const),
  ),
);
