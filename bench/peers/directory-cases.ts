/** The cases of the directories. Most have the same paths for both products. */
import { randomFor } from '../../scripts/release/random.ts';
import type { Product } from './contestant.ts';
import { drawTexts, type Organization, type Sample } from './sample.ts';

export interface DirectoryCase {
  readonly name: string;
  readonly title: string;
  /** Whether the server must run a search for each request, and not use an earlier result. */
  readonly isFirstTime?: boolean;
  /** Whether the answers contain the number of matches, which must be the same for both products. */
  readonly isCompared?: boolean;
  readonly paths: (drawn: Drawn, product: Product) => readonly string[];
}

/** The values that the cases draw from. */
export interface Drawn {
  readonly sample: Sample;
  /** Times of changes in each product, with about the same numbers of later changes. */
  readonly times: Readonly<Record<Product, readonly string[]>>;
  /** The query for pages of a search for everything, which HAPI FHIR has stored. */
  readonly storedPages: string;
}

export const PAGE = 20;

/** More than HAPI FHIR answers in one round. */
const READS = 1000;
const QUERIES = 500;
const PAGES = 200;

const NAME_LENGTH = 8;
const WORD_LENGTH_MIN = 5;

const search = (parameter: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `/Organization?${parameter}=${encodeURIComponent(text)}&_count=${PAGE}`);

const names = ({ sample }: Drawn) =>
  search(
    'name',
    drawTexts(sample, QUERIES, ({ name }) => plain(name?.slice(0, NAME_LENGTH))),
  );

const words = ({ sample }: Drawn) =>
  search(
    'name:contains',
    drawTexts(sample, QUERIES, ({ name }) =>
      plain(name?.split(' ').find(({ length }) => length >= WORD_LENGTH_MIN)),
    ),
  );

const postcodes = ({ sample }: Drawn) =>
  search(
    'address-postalcode',
    drawTexts(sample, QUERIES, ({ address }) => address?.[0]?.postalCode?.split(' ')[0]),
  );

const roles = ({ sample }: Drawn) => search('ods-org-role', drawTexts(sample, QUERIES, roleOf));

/** Commas and other marks have a meaning in queries, or one product does not accept them. */
function plain(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Z0-9 ]{3,}$/.test(text) ? text.trimEnd() : undefined;
}

function roleOf({ extension = [] }: Organization): string | undefined {
  const role = extension.find(({ url }) => url.endsWith('Extension-ODSAPI-OrganizationRole-1'));
  return role?.extension?.find(({ valueCoding }) => valueCoding !== undefined)?.valueCoding?.code;
}

export const DIRECTORY_CASES: readonly DirectoryCase[] = [
  {
    name: 'read',
    title: 'read, 1,000 codes',
    paths: ({ sample }) => drawTexts(sample, READS, ({ id }) => `/Organization/${id}`),
  },
  {
    name: 'name',
    title: `\`name\`, the first ${NAME_LENGTH} letters`,
    isFirstTime: true,
    isCompared: true,
    paths: names,
  },
  { name: 'name-again', title: 'the same, asked again', isCompared: true, paths: names },
  {
    name: 'contains',
    title: '`name:contains`, a word',
    isFirstTime: true,
    isCompared: true,
    paths: words,
  },
  {
    name: 'postcode',
    title: '`address-postalcode`, a district',
    isFirstTime: true,
    isCompared: true,
    paths: postcodes,
  },
  {
    name: 'role',
    title: '`ods-org-role`',
    isFirstTime: true,
    isCompared: true,
    paths: roles,
  },
  {
    name: 'date',
    title: '`_lastUpdated`, the latest',
    isFirstTime: true,
    isCompared: true,
    paths: ({ times }, product) =>
      search(
        '_lastUpdated',
        times[product].map((time) => `gt${time}`),
      ),
  },
  {
    name: 'first-page',
    title: `first page of ${PAGE}, no criteria`,
    isFirstTime: true,
    isCompared: true,
    paths: () => [`/Organization?_count=${PAGE}`],
  },
  {
    name: 'deep-page',
    title: `page of ${PAGE}, after a fifth and more of all`,
    paths: ({ sample, storedPages }, product) => {
      const count = Math.floor(sample.organizations.length / PAGE);
      const first = Math.ceil(count / 5);
      const random = randomFor(19, 0);
      const pages = Array.from({ length: PAGES }, () => first + random.below(count - first));
      return pages.map((page) =>
        product === 'gazetteer'
          ? `/Organization?_count=${PAGE}&_page=${page}`
          : `${storedPages}&_getpagesoffset=${(page - 1) * PAGE}&_count=${PAGE}`,
      );
    },
  },
  {
    name: 'count',
    title: '`_summary=count` of `name:contains`',
    isFirstTime: true,
    isCompared: true,
    paths: (drawn) => words(drawn).map((path) => `${path}&_summary=count`),
  },
];
