/** The statistics of an edition: each is a table, from which its chart and its CSV are made. */
import type { Edition } from '../../directory/edition/edition.ts';
import {
  CHANGE_KINDS,
  type EditionHistory,
  type EditionInfo,
} from '../../directory/edition/edition-store.ts';
import type { Chart } from '../charts/chart.ts';
import { facetsOf, type StatusCounts } from '../matches/facets.ts';
import { rolesOf } from '../parts/code-names.ts';
import { formatCount, formatDate, formatShare, titleCase } from '../parts/display.ts';

export interface Statistic {
  readonly id: StatisticId;
  readonly title: string;
  /** Describes the chart for people who cannot see it. */
  readonly summary: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly chart: Chart;
}

export type Cell = string | number;

/** The names of columns and series, and colours that mean the same in every chart. */
const SERIES = {
  active: { name: 'Active', colour: '#12504b' },
  inactive: { name: 'Inactive', colour: '#aeb7bd' },
  added: { name: 'Added', colour: '#007f3b' },
  changed: { name: 'Changed', colour: '#41b6e6' },
  removed: { name: 'Removed', colour: '#8a1538' },
};

const CHANGE_COLUMNS = CHANGE_KINDS.map((kind) => SERIES[kind].name);

export const STATISTIC_IDS = [
  'main-roles',
  'status',
  'towns',
  'changes-by-month',
  'changes-by-edition',
] as const;
export type StatisticId = (typeof STATISTIC_IDS)[number];

export async function statisticsOf(
  edition: Edition,
  history: EditionHistory,
): Promise<readonly Statistic[]> {
  const known = KEPT.get(edition);
  const stamp = String((await history.list()).length);
  if (known?.stamp === stamp) return known.statistics;
  const changes = await changesOf(history);
  const statistics = [
    mainRoles(edition),
    statuses(edition),
    towns(edition),
    changesByMonth(changes),
    changesByEdition(changes),
  ];
  KEPT.set(edition, { stamp, statistics });
  return statistics;
}

/** Computed once for each edition. */
const KEPT = new WeakMap<
  Edition,
  { readonly stamp: string; readonly statistics: readonly Statistic[] }
>();

/** The limits of charts, which are hard to read with more bars; tables have all rows. */
const ROLES_SHOWN = 15;
const TOWNS_SHOWN = 15;
const PERIODS_SHOWN = 24;

function mainRoles(edition: Edition): Statistic {
  const facets = facetsOf(edition);
  const roles = rolesOf(edition);
  const counted = facets.primaryRoles(facets.count(undefined)).map((role) => ({
    ...role,
    name: roles.name(role.code),
    total: role.active + role.inactive,
  }));
  const shown = counted.slice(0, ROLES_SHOWN);
  const first = shown[0];
  return {
    id: 'main-roles',
    title: 'Organisations by main role',
    summary:
      first === undefined
        ? 'There are no organisations.'
        : `The ${shown.length} most common of ${formatCount(counted.length, 'main role')}. The most ` +
          `common is ${first.name}, with ${formatCount(first.total, 'organisation')}.`,
    columns: ['Main role', 'Code', 'Active', 'Inactive', 'All'],
    rows: counted.map(({ name, code, active, inactive, total }) => [
      name,
      `RO${code}`,
      active,
      inactive,
      total,
    ]),
    chart: {
      kind: 'stacked-bars',
      categories: shown.map(({ name }) => name),
      series: statusSeries(shown),
    },
  };
}

function statuses(edition: Edition): Statistic {
  const facets = facetsOf(edition);
  const { active, inactive } = facets.statuses(facets.count(undefined), []);
  const all = active + inactive;
  return {
    id: 'status',
    title: 'Active and inactive organisations',
    summary: `${formatShare(active, all)} of ${formatCount(all, 'organisation')} are active.`,
    columns: ['Status', 'Organisations', 'Share'],
    rows: [
      ['Active', active, formatShare(active, all)],
      ['Inactive', inactive, formatShare(inactive, all)],
    ],
    chart: {
      kind: 'stacked-bars',
      categories: ['All organisations'],
      series: statusSeries([{ active, inactive }]),
    },
  };
}

function statusSeries(counts: readonly StatusCounts[]): Chart['series'] {
  return (['active', 'inactive'] as const).map((status) => ({
    ...SERIES[status],
    values: counts.map((count) => count[status]),
  }));
}

function towns(edition: Edition): Statistic {
  const counted = edition.index.cityCounts().map(([folded, count]) => ({
    name: titleCase(folded),
    count,
  }));
  const shown = counted.slice(0, TOWNS_SHOWN);
  const first = shown[0];
  return {
    id: 'towns',
    title: 'Organisations by town',
    summary:
      first === undefined
        ? 'No organisation has a town.'
        : `The ${shown.length} towns with the most organisations, of ${formatCount(counted.length, 'town')}. ` +
          `${first.name} has the most: ${formatCount(first.count, 'organisation')}.`,
    columns: ['Town', 'Organisations'],
    rows: counted.map(({ name, count }) => [name, count]),
    chart: {
      kind: 'bars',
      categories: shown.map(({ name }) => name),
      series: [{ name: 'Organisations', values: shown.map(({ count }) => count) }],
    },
  };
}

interface Changes extends Pick<EditionInfo, 'number' | 'added' | 'changed' | 'removed'> {
  readonly date: string;
}

/** The changes of each edition except the first, in which everything is new. */
async function changesOf(history: EditionHistory): Promise<Changes[]> {
  const changes: Changes[] = [];
  for (const { number, publicationDate: date, added, changed, removed } of await history.list()) {
    const counts = await history.differenceCounts(number);
    if (counts?.comparedTo !== undefined) changes.push({ number, date, added, changed, removed });
  }
  return changes;
}

function changesByMonth(changes: readonly Changes[]): Statistic {
  const months = new Map<string, Changes>();
  for (const one of changes) {
    const month = one.date.slice(0, 7);
    const sum = months.get(month);
    months.set(month, {
      number: one.number,
      date: month,
      added: (sum?.added ?? 0) + one.added,
      changed: (sum?.changed ?? 0) + one.changed,
      removed: (sum?.removed ?? 0) + one.removed,
    });
  }
  const rows = [...months.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
  return {
    id: 'changes-by-month',
    title: 'Changes by month',
    summary: summaryOfChanges(rows, 'month'),
    columns: ['Month', ...CHANGE_COLUMNS],
    rows: rows.map((one) => [formatDate(one.date), ...countsOf(one)]),
    chart: chartOfChanges(rows, ({ date }) => formatDate(date)),
  };
}

function changesByEdition(changes: readonly Changes[]): Statistic {
  return {
    id: 'changes-by-edition',
    title: 'Changes by edition',
    summary: summaryOfChanges(changes, 'edition'),
    columns: ['Edition', 'Published', ...CHANGE_COLUMNS],
    rows: changes.map((one) => [one.number, formatDate(one.date), ...countsOf(one)]),
    chart: chartOfChanges(changes, ({ number }) => `Edition ${number}`),
  };
}

function countsOf(change: Changes): number[] {
  return CHANGE_KINDS.map((kind) => change[kind]);
}

function summaryOfChanges(changes: readonly Changes[], what: string): string {
  const last = changes.at(-1);
  if (last === undefined) {
    return 'There is only one edition, so there are no changes to show.';
  }
  return (
    `Organisations added, changed and removed in each ${what}. In the last one: ` +
    `${formatCount(last.added, 'addition')}, ${formatCount(last.changed, 'change')}, ` +
    `${formatCount(last.removed, 'removal')}.`
  );
}

function chartOfChanges(changes: readonly Changes[], name: (change: Changes) => string): Chart {
  const shown = changes.slice(-PERIODS_SHOWN);
  return {
    kind: 'columns',
    categories: shown.map(name),
    series: CHANGE_KINDS.map((kind) => ({
      ...SERIES[kind],
      values: shown.map((change) => change[kind]),
    })),
  };
}
