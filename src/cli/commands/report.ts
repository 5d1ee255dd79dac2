/** `gazetteer report`: writes a report of Data Search and Export, and lists the reports. */

import { dayOf } from '../../directory/record/in-force.ts';
import { knownReport } from '../../interfaces/reports/csv/parameters.ts';
import { openReport } from '../../interfaces/reports/csv/report-file.ts';
import { REPORTS } from '../../interfaces/reports/csv/report-table.ts';
import { isSupplied, type ReportSupplies } from '../../interfaces/reports/csv/supplied-reports.ts';
import { type Command, type CommandContext, UsageError } from '../parts/command.ts';
import { EXPORT_OPTIONS, EXPORT_STOPPED, exportEdition } from '../parts/edition-export.ts';
import { importedPractitioners } from '../parts/open-store.ts';
import { DAY, STORE_SETTINGS } from '../parts/options.ts';
import { tableText } from '../parts/output.ts';

export const reportCommand: Command = {
  name: 'report',
  summary: 'Write a CSV report of the directory, such as epraccur',
  examples: ['report epraccur --headers --output data/epraccur.csv', 'report --list'],
  settings: [...STORE_SETTINGS, 'directory.reports'],
  argument: { syntax: '[name]', help: 'The name of the report' },
  options: [
    { syntax: '--list', help: 'List all reports, and whether the release has their data' },
    {
      syntax: '--as-at <day>',
      help: 'The day that the report shows, such as 2026-04-01 (default: today)',
      value: DAY,
    },
    { syntax: '--headers', help: 'Write the headings of the columns as the first line' },
    { syntax: '--former', help: 'Write the values of the reports that were published until 2025' },
    ...EXPORT_OPTIONS,
  ],
  whenStopped: EXPORT_STOPPED,
  run: async (context) => {
    const [name] = context.arguments;
    if (context.options.list === true) return await list(context, name);
    if (name === undefined) {
      throw new UsageError('The name of a report is missing. "gazetteer report --list" has them.');
    }
    await write(context, name);
  },
};

async function list({ config, streams }: CommandContext, name: string | undefined): Promise<void> {
  if (name !== undefined) throw new UsageError(`--list lists all reports. Leave out "${name}".`);
  const practitioners = await importedPractitioners(config);
  const supplies = { folder: config['directory.reports'], practitioners };
  const rows = REPORTS.map(({ name: reportName, title, content }) => [
    reportName,
    title,
    content === undefined ? suppliedText(reportName, supplies) : 'yes',
  ]);
  streams.output.write(tableText([['name', 'title', 'in the release'], ...rows]));
}

function suppliedText(name: string, supplies: ReportSupplies): string {
  return isSupplied(name, supplies) ? 'no, but you supplied a file' : 'no: supply a file';
}

async function write(context: CommandContext, name: string): Promise<void> {
  const { config, options } = context;
  const asAt = options.asAt === undefined ? undefined : String(options.asAt);
  const report = knownReport(name);
  await exportEdition(context, (edition) => {
    const { pieces } = openReport(
      edition,
      report,
      {
        dialect: options.former === true ? 'former' : 'present',
        today: dayOf(new Date()),
        asAt,
        hasHeadings: options.headers === true,
      },
      { folder: config['directory.reports'], practitioners: edition.practitioners },
    );
    return { pieces: pieces(), content: `the report ${name}` };
  });
}
