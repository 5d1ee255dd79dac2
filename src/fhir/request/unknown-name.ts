/**
 * The one text for a name that a client wrote and the program does not have: a parameter, a path,
 * a report, a column, a member of a body, a value of a list. It says what was sent, the nearest
 * name that exists, and which names exist or where they are listed.
 */
import { similarDistance } from './edit-distance.ts';

/** A name that does not exist, and the names that do. */
export interface UnknownName {
  /** What the name is, in the singular: `search parameter`, `value of kind`. */
  readonly kind: string;
  readonly sent: string;
  /** All names that exist. */
  readonly known: readonly string[];
  /** Where they are listed: an address, a command, a page. The text names it if they are many. */
  readonly listedAt: string;
  /** Names that only this place has for something, in lower case, and the known name for it. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The nearest name, if the caller knows it better than the suggester. */
  readonly nearest?: string | undefined;
}

/** `Unknown report "epracur". Did you mean "epraccur"? See … for the list of reports.` */
export function unknownName(unknown: UnknownName): string {
  const { noun, rest } = partsOf(unknown.kind);
  return `Unknown ${noun} "${shownText(unknown.sent)}"${rest}. ${hintOf(unknown)}`;
}

/** The text for a value that the parameter does not take. It takes only the known ones. */
export function unknownValue(
  parameter: string,
  sent: string,
  known: readonly string[],
  listedAt = METADATA,
): string {
  return unknownName({ kind: `value of ${parameter}`, sent, known, listedAt });
}

/**
 * Where a FHIR service lists what it has. Most functions that refuse a name do not know the address
 * of the service, so they write `[base]`, as the FHIR specification does. The answer has the address.
 */
export const METADATA = '[base]/metadata';

/** A text with the address of the service, without a slash at its end, in place of `See [base]`. */
export function withBase(text: string, baseUrl: string): string {
  return text.replaceAll('See [base]/', () => `See ${baseUrl}/`);
}

/** The text after what was sent: the nearest name, and which names exist or where they are. */
export function hintOf(unknown: UnknownName): string {
  const nearest = unknown.nearest ?? nearestName(unknown);
  const list = listOf(unknown);
  return nearest === undefined ? list : `Did you mean "${nearest}"? ${list}`;
}

function listOf({ kind, known, listedAt }: UnknownName): string {
  const { noun } = partsOf(kind);
  const nouns = `${noun.replace(/y$/, 'ie')}s`;
  const list = known.join(', ');
  const isLong = known.length > NAMED_MAX || list.length > LIST_LENGTH_MAX;
  if (isLong) return `See ${listedAt} for the list of ${nouns}.`;
  if (known.length === 0) return `There are no ${nouns} here.`;
  return known.length === 1 ? `The only ${noun} is ${list}.` : `The ${nouns} are ${list}.`;
}

/** A longer list is not in a text. */
const NAMED_MAX = 12;
const LIST_LENGTH_MAX = 240;

/** `value` and ` of kind` */
function partsOf(kind: string): { noun: string; rest: string } {
  const [, noun = '', rest = ''] = /^(.*?)( of .*)?$/.exec(kind) ?? [];
  return { noun, rest };
}

/** The known name that was most probably meant. Undefined if none is near. */
export function nearestName({
  sent,
  known,
  meanings = {},
}: Pick<UnknownName, 'sent' | 'known' | 'meanings'>): string | undefined {
  // Keeps the work for a long text small.
  if (sent.length > SENT_MAX) return undefined;
  return (
    mostSimilar(sent, known) ??
    known.find((name) => name === sent.split(':')[0]) ??
    sameMeaning(sent, known, meanings) ??
    withPart(sent, known)
  );
}

const SENT_MAX = 100;

/** Case, spaces and signs do not count. Of equally similar names, the one that begins alike. */
function mostSimilar(sent: string, known: readonly string[]): string | undefined {
  const written = lettersOf(sent);
  if (written === '') return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const name of known) {
    const letters = lettersOf(name);
    const distance = similarDistance(letters, written);
    if (distance > least || distance === Number.POSITIVE_INFINITY) continue;
    const same = sameStart(letters, written);
    if (distance < least || same > longest) [nearest, least, longest] = [name, distance, same];
  }
  return nearest;
}

/** The number of letters with which both begin. */
function sameStart(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

function sameMeaning(
  sent: string,
  known: readonly string[],
  meanings: Readonly<Record<string, string>>,
): string | undefined {
  const written = sent.toLowerCase();
  const own = Object.hasOwn(meanings, written) ? meanings[written] : undefined;
  if (own !== undefined && known.includes(own)) return own;
  const letters = lettersOf(sent);
  const words = SAME_MEANING.find((one) => one.some((word) => lettersOf(word) === letters)) ?? [];
  const wanted = words.map(lettersOf);
  const names = known.map((name) => ({ name, rank: wanted.indexOf(lettersOf(name)) }));
  return names.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank)[0]?.name;
}

/** The shortest name that has the text as one of its words: `address-city` for `city`. */
function withPart(sent: string, known: readonly string[]): string | undefined {
  const written = sent.toLowerCase();
  if (written.length < PART_MIN) return undefined;
  return known
    .filter((name) => wordsOf(name).includes(written))
    .sort((a, b) => a.length - b.length)[0];
}

const PART_MIN = 3;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[\s\-_]/g, '');
}

/** Words of the interfaces for the same thing; those first that others most probably mean. */
const SAME_MEANING = [
  'ods-org-role roleCode role Roles activeRoleCode PrimaryRoleId NonPrimaryRoleId roleId type',
  'address-postalcode PostCode postalCode address-postcode postcodes zip zipcode',
  'address-city town city',
  'active Status isActive',
  '_lastUpdated lastChangeDate changedSince since',
  '_count Limit pageSize batchSize size rows',
  '_page _offset page batchNumber skip start',
  'code codes identifier odsCode orgCode of',
  'name names text q query orgName',
  'on asAt date day asOf at',
  '_format output',
].map((words) => words.split(' '));

/**
 * As much of a sent text as a message shows. Control characters, which can change what a terminal
 * or a log shows, are written as escapes.
 */
export function shownText(text: string): string {
  const characters = Array.from(text.slice(0, SHOWN_MAX * 2));
  const shown = characters
    .slice(0, SHOWN_MAX)
    .map((character) =>
      /\p{C}/u.test(character) ? `\\u{${character.codePointAt(0)!.toString(16)}}` : character,
    )
    .join('');
  return characters.length > SHOWN_MAX || text.length > SHOWN_MAX * 2 ? `${shown}…` : shown;
}

const SHOWN_MAX = 60;
