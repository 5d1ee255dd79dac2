/** The tools for the reports of the national service Data Search and Export. */

import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { currentOf } from '../../answer/editions.ts';
import type { Pieces } from '../../answer/kept-answers.ts';
import { arrayOf, TEXT } from '../../json/json-schema.ts';
import { knownReport } from '../../reports/csv/parameters.ts';
import type { Report } from '../../reports/csv/report.ts';
import { openReport } from '../../reports/csv/report-file.ts';
import { REPORTS } from '../../reports/csv/report-table.ts';
import { isOfPractitioners, isSupplied } from '../../reports/csv/supplied-reports.ts';
import { countOrganisations } from '../../reports/csv/write-report.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { dayOn } from './days.ts';
import { optionalInput, textInput } from './inputs.ts';
import { nextOf, PAGE_INPUTS, pageOf } from './pages.ts';
import { COUNT, resultOf } from './schemas.ts';
import { createTool, type Tool, type ToolCall } from './tool.ts';

export function reportTools(directory: AssistantDirectory): readonly Tool[] {
  return [reportsTool(directory), reportRowsTool(directory)];
}

function reportsTool(directory: AssistantDirectory): Tool {
  const { editions, face } = directory;
  const isAnswered = ({ name, content }: Report) =>
    !isOfPractitioners(name) &&
    (content !== undefined || isSupplied(name, { folder: face.settings.reports }));
  return createTool({
    name: 'reports',
    title: 'Reports',
    description:
      'Lists the reports (CSV files of the national service) that report_rows can read, with the ' +
      'number of organisations in each.',
    inputs: {},
    output: resultOf(
      {
        reports: arrayOf(
          resultOf({ report: TEXT, title: TEXT, organisations: COUNT }, ['report', 'title']),
        ),
      },
      ['reports'],
    ),
    answer: async (_, call) => {
      const edition = currentOf(editions);
      const reports: object[] = [];
      for (const report of REPORTS.filter(isAnswered)) {
        await call.pause();
        const organisations = countOrganisations(edition, report);
        const { name, title } = report;
        reports.push({
          report: name,
          title,
          ...(organisations !== undefined && { organisations }),
        });
      }
      return { reports };
    },
  });
}

function reportRowsTool(directory: AssistantDirectory): Tool {
  const { editions, face, today } = directory;
  const folder = face.settings.reports;
  return createTool({
    name: 'report_rows',
    title: 'Rows of a report',
    description:
      'Reads some rows of a report, in the order of the report. columns has the headings, if the ' +
      'report has any.',
    inputs: {
      report: textInput('The name of the report, such as epraccur.'),
      on: optionalInput(
        textInput('The day that the report shows, such as 2026-04-01. Without it: today.'),
      ),
      ...PAGE_INPUTS,
    },
    output: resultOf(
      { report: TEXT, columns: arrayOf(TEXT), rows: arrayOf(arrayOf(TEXT)), next: TEXT },
      ['report', 'rows'],
    ),
    answer: async ({ report: asked, on, ...paging }, call) => {
      const report = knownReport(asked.toLowerCase(), 'the tool reports');
      if (isOfPractitioners(report.name)) throw OF_PEOPLE;
      const page = pageOf(editions, paging);
      const options = {
        dialect: 'present',
        today: today(),
        asAt: on === undefined ? undefined : dayOn(directory, on),
      } as const;
      const { pieces } = openReport(page.edition, report, options, { folder });
      const { rows, hasMore } = await someRows(pieces(), page, call);
      const columns = report.content?.layout.headings;
      return {
        report: report.name,
        ...(columns !== undefined && { columns }),
        rows,
        ...nextOf(page, hasMore),
      };
    },
  });
}

/** Assistants get the directory of organisations. */
const OF_PEOPLE = FhirError.of(
  'no-record',
  'This report is about people. Assistants get reports about organisations only.',
);

/** Reads no further than the page. */
async function someRows(
  pieces: Pieces,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  call: ToolCall,
): Promise<{ rows: string[][]; hasMore: boolean }> {
  const paused = async function* () {
    for await (const piece of pieces) {
      await call.pause();
      yield piece;
    }
  };
  const source = Readable.from(paused(), { objectMode: false });
  const parser = source.pipe(parse({ relax_column_count: true, relax_quotes: true, bom: true }));
  source.once('error', (error) => parser.destroy(error));
  const rows: string[][] = [];
  let at = 0;
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (at === offset + limit) return { rows, hasMore: true };
      if (at >= offset) rows.push(row);
      at += 1;
    }
    return { rows, hasMore: false };
  } finally {
    source.destroy();
  }
}
