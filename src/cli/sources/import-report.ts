/** What commands that publish an edition share: what they tell the source, and the report as text and JSON. */
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import { sectionOf } from '../../config/section.ts';
import type { EditionStore } from '../../directory/edition/edition-store.ts';
import type { Tally } from '../../directory/import/collector.ts';
import type { ImportReport, OlderRelease } from '../../directory/import/import-edition.ts';
import type { TopUpReview } from '../../directory/import/review-top-ups.ts';
import type { FetchOptions } from '../../sources/import/import-options.ts';
import type { DataFolder } from '../../storage/files/data-folder.ts';
import { type CommandContext, CommandError, type Output } from '../parts/command.ts';
import { fileProblem } from '../parts/output.ts';
import type { Progress } from './progress.ts';

/** What a command that publishes an edition says to its source. */
export function publishingOptions(
  { config, options, stopped }: CommandContext,
  { temporary: temporaryFolder }: DataFolder,
  store: EditionStore,
  progress: Progress,
): FetchOptions {
  const defaults = loadConfig({ flags: {}, environment: {} });
  return {
    store,
    allowShrink: options.allowShrink === true,
    keep: config['editions.keep'],
    bytesMax: config['import.unpackedMax'],
    // Files with the URIs of the defaults are read too.
    settings: [config, defaults].map((one) => sectionOf(one, 'directory')),
    temporaryFolder,
    now: Date.now,
    say: progress.say,
    onProgress: (state) => {
      stopped.throwIfAborted();
      progress.show(state);
    },
    onBuild: () => progress.say('Building the index …'),
    stopped,
  };
}

/**
 * Call it before the import, because afterwards it is too late to choose another file. A failed
 * import leaves no new file.
 */
export function requireWritable(reportFile: string, files: readonly string[] = []): void {
  if (files.some((file) => resolve(file) === resolve(reportFile))) {
    throw new CommandError(
      `--report ${reportFile} is also the file to import. Choose another file.`,
    );
  }
  try {
    const isNew = lstatSync(reportFile, { throwIfNoEntry: false }) === undefined;
    closeSync(openSync(reportFile, 'a'));
    if (isNew) rmSync(reportFile);
  } catch (error) {
    throw new CommandError(`--report: ${fileProblem(reportFile, error)}`);
  }
}

/** The work is done when this fails, so the message says that it is done. */
export function writeReport(reportFile: string, report: object, done: string): void {
  try {
    writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`${done}, but its report is lost. ${fileProblem(reportFile, error)}`);
  }
}

/** Writes the warnings for operators, also with `--quiet`. A server logs them as GZ507. */
export function writeWarnings(
  errors: Output,
  { problems = [], older, lostRelationships }: Partial<ImportReport>,
): void {
  const warnings = [
    ...problems,
    ...(older === undefined ? [] : [olderText(older)]),
    ...(lostRelationships === true ? [LOST_RELATIONSHIPS] : []),
  ];
  for (const warning of warnings) errors.write(`Warning: ${warning}\n`);
}

function olderText({ date, dateBefore }: OlderRelease): string {
  return (
    `this release was published on ${date}, and the release before it on ${dateBefore}. To go ` +
    'back to the newer one, use "gazetteer rollback".'
  );
}

/** R4 and the reports need relationships. */
const LOST_RELATIONSHIPS =
  'the new edition has no relationships and successions, because its source has none. The ' +
  'edition before had them. To have them again, import a release file, or use "gazetteer rollback".';

export function describeReport(report: ImportReport, seconds: number): string {
  const { edition, read, imported, leftOut, warnings, topUps } = report;
  const count = (number: number) => number.toLocaleString('en-GB');
  const lines = [
    `Read ${counted(read, 'record')} in ${seconds} s and imported ${count(imported)}.`,
    ...leftOutLines(leftOut),
    ...tallyLines('Warnings', warnings),
    ...(topUps === undefined ? [] : [reviewLine(topUps)]),
    `Edition ${edition.number}, published ${edition.publicationDate}, is now current: ` +
      `${count(edition.added)} added, ${count(edition.changed)} changed, ` +
      `${count(edition.removed)} removed.`,
  ];
  return `${lines.join('\n')}\n`;
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * Changes that contain nothing new do not make an edition.
 *
 * @param news says that there is nothing new
 */
export function describeUnchanged(report: ImportReport, news: string): string {
  const { edition, leftOut, warnings } = report;
  const lines = [
    ...leftOutLines(leftOut),
    ...tallyLines('Warnings', warnings),
    `${news} Edition ${edition.number} stays current.`,
  ];
  return `${lines.join('\n')}\n`;
}

function reviewLine({
  editions,
  records,
  confirmed,
  newer,
  older,
  different,
}: TopUpReview): string {
  const { count, examples } = different;
  const shown = examples.map((example) => `\n  ${example}`).join('');
  return (
    `Since the last release, ${counted(editions, 'edition')} changed ${counted(records, 'record')}. This release ` +
    `confirms ${confirmed} of them, has later versions of ${newer} and earlier versions of ` +
    `${older}, and differs from ${count}.${shown}${count > examples.length ? '\n  …' : ''}`
  );
}

/** Reference-only records are no organisations of STU3, but R4 serves them. */
function leftOutLines({
  'reference-only': references,
  ...others
}: Readonly<Record<string, Tally>>): string[] {
  return [
    ...tallyLines('Left out', others),
    ...(references === undefined
      ? []
      : [
          `Reference-only, which R4 serves unless there is a full record: ${tallyText(references)}`,
        ]),
  ];
}

function tallyLines(title: string, tallies: Readonly<Record<string, Tally>>): string[] {
  const lines = Object.entries(tallies).map(
    ([kind, tally]) => `  ${kind.replaceAll('-', ' ')}: ${tallyText(tally)}`,
  );
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

/** The number, and examples. */
function tallyText({ count, examples }: Tally): string {
  const more = count > examples.length ? ', …' : '';
  return `${count.toLocaleString('en-GB')} (${examples.join(', ')}${more})`;
}
