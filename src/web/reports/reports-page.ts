/** The page of reports and downloads: what each report lists, links to its files, and samples. */

import { rolesMeant } from '../../directory/ask/role-words.ts';
import { type Edition, LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import { TABLE_FORMS } from '../../interfaces/files/tables/table-forms.ts';
import type { Report } from '../../interfaces/reports/csv/report.ts';
import { REPORT_BUNDLES, REPORTS } from '../../interfaces/reports/csv/report-table.ts';
import { isSupplied } from '../../interfaces/reports/csv/supplied-reports.ts';
import { countOrganisations } from '../../interfaces/reports/csv/write-report.ts';
import { formatNumber } from '../parts/display.ts';
import type { WebContext } from '../parts/web-options.ts';

/** The reports that most people look for, the best known first. The others follow by title. */
const BEST_KNOWN: readonly string[] = [
  'epraccur',
  'etr',
  'ets',
  'ebranchs',
  'edispensary',
  'egdpprac',
  'epcn',
  'epcncorepartnerdetails',
  'epcmem',
  'ecarehomesite',
  'succ',
];

/** `asked`: words of the names or titles of the reports to show; empty for all. */
export function reportsPage(
  edition: Edition,
  asked: string,
  { addresses, face }: WebContext,
): object {
  const { reports: folder } = face.settings;
  const isAvailable = ({ name, content }: Report): boolean =>
    content === undefined
      ? isSupplied(name, { folder, practitioners: edition.practitioners })
      : edition.hasLinks || !content.layout.needsLinks;
  const row = (report: Report) => ({
    name: report.name,
    title: report.title,
    isAvailable: isAvailable(report),
    csv: addresses.report(`report=${report.name}`),
    zip: addresses.reportFile(report.name),
  });
  const shown = bestKnownFirst(reportsMeant(edition, asked));
  const [ofRelease = [], others = []] = [true, false].map((isInRelease) =>
    shown.filter(({ content }) => (content !== undefined) === isInRelease),
  );
  return {
    title: asked === '' ? TITLE : `${asked} – ${TITLE}`,
    asked,
    ...(!edition.hasLinks && { warning: LINKS_UNKNOWN_TEXT }),
    reports: ofRelease.map((report) => ({
      ...row(report),
      organisations: countText(countOrganisations(edition, report)),
      csvWithHeadings: addresses.report(`report=${report.name}&headers=true`),
    })),
    others: others.map(row),
    packs: Object.entries(REPORT_BUNDLES).map(([name, names]) => {
      const missing = names.filter((each) =>
        REPORTS.some((report) => report.name === each && !isAvailable(report)),
      );
      return { name, names, missing, zip: addresses.report(`reportBundle=${name}`) };
    }),
    severalReports: addresses.server + addresses.report('report=epraccur,etr'),
    downloads: wholeEdition(face).map(({ path, ...texts }) => ({
      ...texts,
      href: addresses.base + path,
    })),
    getReport: addresses.server + addresses.report(''),
  };
}

const TITLE = 'Reports and downloads';

/** Those with all the words in their name or title, and those about organisations with the role. */
function reportsMeant(edition: Edition, asked: string): readonly Report[] {
  const words = asked.toLowerCase().split(' ');
  const roles: readonly (string | RegExp)[] = asked === '' ? [] : rolesMeant(edition, asked);
  return REPORTS.filter(({ name, title, content }) => {
    const { primary = [], other = [] } = content?.organisations ?? {};
    const text = `${name} ${title}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) ||
      [...primary, ...other].some((role) => roles.includes(role))
    );
  });
}

export function bestKnownFirst(reports: readonly Report[]): readonly Report[] {
  const rank = ({ name }: Report) => BEST_KNOWN.indexOf(name) + 1 || BEST_KNOWN.length + 1;
  return reports.toSorted((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1));
}

function countText(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatNumber(count);
}

/** The files of the whole edition. To add one, add a line. */
function wholeEdition({ face: { downloadPath, releasePath, tablesPath } }: ServedFace) {
  const { sqlite, parquet } = TABLE_FORMS;
  const tables = (ending: string) => tablesPath && tablesPath + ending;
  const files = [
    { path: downloadPath, format: 'NDJSON', content: 'FHIR resources, one on each line' },
    { path: releasePath, format: 'XML', content: 'the form of the national release' },
    { path: tables(sqlite.ending), format: 'SQLite', content: 'tables in a database' },
    { path: tables(parquet.ending), format: 'Parquet', content: 'tables for analysis, in a zip' },
  ];
  return files.filter(({ path }) => path !== undefined);
}
