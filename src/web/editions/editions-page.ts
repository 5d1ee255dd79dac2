/** The pages of editions: the list of all, and the changes of one; and the label of an edition on other pages. */
import { type Edition, LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type EditionHistory,
  type EditionInfo,
} from '../../directory/edition/edition-store.ts';
import type { FetchOutcome, FetchStatus } from '../../directory/edition/fetch-status.ts';
import { saysInvented } from '../../directory/record/source.ts';
import { createPauses, type Pause } from '../../threads/pauses.ts';
import type { Addresses } from '../parts/addresses.ts';
import { rolesOf } from '../parts/code-names.ts';
import { formatCount, formatDate, formatInstant, formatNumber } from '../parts/display.ts';
import type { WebContext } from '../parts/web-options.ts';

export async function editionsPage({
  addresses,
  editions: served,
  history,
  fetchStatus,
}: WebContext): Promise<object> {
  const fetches = fetchStatus?.();
  const editions = (await history.list()).toReversed();
  return {
    title: 'Editions',
    ...(served.current()?.hasLinks === false && { warning: LINKS_UNKNOWN_TEXT }),
    isOnlyOne: editions.length === 1,
    editions: await Promise.all(
      editions.map(async (info) => ({
        ...(await editionRow(info, history)),
        href: addresses.edition(info.number),
      })),
    ),
    ...(fetches !== undefined && { fetches: fetchRows(fetches) }),
  };
}

/** The page does not show the reason of a failure, because it can name addresses of the network. */
function fetchRows({ sources, nextAt }: FetchStatus): object {
  return {
    next: nextAt === undefined ? undefined : formatInstant(nextAt),
    sources: Object.entries(sources).map(([name, { lookedAt, succeededAt, outcome }]) => ({
      name: name === 'trud' ? 'TRUD' : name,
      lookedAt: formatInstant(lookedAt),
      succeededAt: succeededAt === undefined ? undefined : formatInstant(succeededAt),
      outcome: OUTCOMES[outcome],
      isFailed: outcome === 'failed',
    })),
  };
}

const OUTCOMES: Readonly<Record<FetchOutcome, string>> = {
  published: 'A new edition',
  unchanged: 'Nothing new',
  failed: 'Failed',
};

/** Undefined if there never was such an edition. */
export async function editionPage(
  number: number,
  { addresses, editions, history }: WebContext,
): Promise<object | undefined> {
  const current = editions.current();
  const info = (await history.list()).find((edition) => edition.number === number);
  const counts = info && (await history.differenceCounts(number));
  if (info === undefined || counts === undefined) return undefined;
  const name = current === undefined ? (code: string) => `RO${code}` : rolesOf(current).name;
  const byRole = counts.byRole
    .map(({ code, added, changed, removed }) => ({
      name: name(code),
      added: countCell(added),
      changed: countCell(changed),
      removed: countCell(removed),
      sum: added + changed + removed,
    }))
    .sort((a, b) => b.sum - a.sum);
  return {
    title: `Edition ${number}`,
    ...(await editionRow(info, history)),
    byRole: byRole.slice(0, ROLES_SHOWN),
    otherRoles: byRole.slice(ROLES_SHOWN),
    lists: counts.comparedTo === undefined ? [] : await listsOf(info, history, current, addresses),
    csv: `${addresses.edition(number)}/changes.csv`,
  };
}

async function editionRow(info: EditionInfo, history: EditionHistory) {
  const comparedTo = (await history.differenceCounts(info.number))?.comparedTo;
  return {
    number: info.number,
    published: formatDate(info.publicationDate),
    source: info.source,
    records: formatNumber(info.records),
    imported: formatInstant(info.importedAt),
    added: formatNumber(info.added),
    changed: formatNumber(info.changed),
    removed: formatNumber(info.removed),
    isCurrent: info.isCurrent,
    isOnDisk: info.isOnDisk,
    isFirst: comparedTo === undefined,
    comparedTo,
  };
}

/** One after the other, since all of them together would take a thread for too long. */
async function listsOf(
  info: EditionInfo,
  history: EditionHistory,
  current: Edition | undefined,
  addresses: Addresses,
): Promise<readonly object[]> {
  const pause = createPauses();
  const lists: object[] = [];
  for (const kind of CHANGE_KINDS.filter((each) => info[each] > 0)) {
    lists.push(await listOf(kind, info, history, { current, addresses, pause }));
    await pause();
  }
  return lists;
}

async function listOf(
  kind: ChangeKind,
  info: EditionInfo,
  history: EditionHistory,
  {
    current,
    addresses,
    pause,
  }: {
    readonly current: Edition | undefined;
    readonly addresses: Addresses;
    readonly pause: Pause;
  },
): Promise<object> {
  const total = info[kind];
  const codes = (await history.codes(info.number, kind)).split('\n', CODES_SHOWN);
  const comparedTo = (await history.differenceCounts(info.number))?.comparedTo ?? info.number;
  const numberWithRecords = kind === 'removed' ? comparedTo : info.number;
  const formerCodes = codes.filter((code) => current?.index.rowOf(code) === undefined);
  const formerNames = await namesOf(history, numberWithRecords, formerCodes, pause);
  return {
    kind,
    count: formatNumber(total),
    isCut: total > CODES_SHOWN,
    organizations: codes.map((code) => {
      const row = current?.index.rowOf(code);
      if (row === undefined) return { code, name: formerNames.get(code) };
      const name = current?.rows.recordAt(row).name ?? 'No name';
      return { code, name, href: addresses.organization(code) };
    }),
  };
}

/** By code. Records without a name, and those that cannot be read, have none. */
async function namesOf(
  history: EditionHistory,
  number: number,
  codes: readonly string[],
  pause: Pause,
): Promise<ReadonlyMap<string, string | undefined>> {
  const records = codes.length === 0 ? [] : await history.records(number, codes, pause);
  return new Map(
    records?.map((record, at) => [codes[at]!, record === 'none' ? undefined : record.name]),
  );
}

/** Zeros are left out, so that the other numbers are easier to see. */
function countCell(count: number): string {
  return count === 0 ? '' : formatNumber(count);
}

/** The most codes of each kind on the page. The download has all of them. */
const CODES_SHOWN = 50;

/** The number of main roles that the page shows at first. */
const ROLES_SHOWN = 10;

export interface EditionLabel {
  readonly number: number;
  /** Absent if the history does not list the edition. */
  readonly published?: string;
  /** `3 days ago`, on the day on which the page is made. So the entity tag of a page changes with it. */
  readonly age?: string;
  readonly isOld?: boolean;
  /** Whether its release says that its organisations are invented. */
  readonly isInvented?: boolean;
}

/** `today` as `YYYY-MM-DD`. */
export async function editionLabel(
  edition: Edition,
  history: EditionHistory,
  today: string,
): Promise<EditionLabel> {
  let date = DATES.get(edition);
  if (date === undefined) {
    const editions = await history.list();
    date = editions.find(({ number }) => number === edition.number)?.publicationDate ?? '';
    DATES.set(edition, date);
  }
  const { number, manifests } = edition;
  const isInvented = saysInvented(manifests);
  const label = { number, ...(isInvented && { isInvented }) };
  if (date === '') return label;
  const days = Math.round((Date.parse(today) - Date.parse(date.slice(0, 10))) / DAY_MS);
  return {
    ...label,
    published: formatDate(date),
    ...(days > 0 && { age: `${formatCount(days, 'day')} ago`, isOld: days > OLD_DAYS }),
  };
}

/** The national release is published each month. */
const OLD_DAYS = 45;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The publication date of an edition does not change. Empty if the history does not list it. */
const DATES = new WeakMap<Edition, string>();
