/** The options and settings that several commands share, and how the texts of options are read. */

import type { SettingPath } from '../../config/settings.ts';
import { dayPeriod } from '../../directory/record/day.ts';
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import type { CommandOption, ValueRule } from './command.ts';

/** The settings of commands that use editions. */
export const STORE_SETTINGS: readonly SettingPath[] = [
  'data',
  'database.url',
  'database.passwordFile',
  'database.caFile',
];

/** The settings of commands that use order responses. */
export const ORDER_STORE_SETTINGS: readonly SettingPath[] = [
  ...STORE_SETTINGS,
  'orders.auditKeyFile',
];

/** The settings that the URIs of an Organization depend on. */
export const URI_SETTINGS: readonly SettingPath[] = [
  'directory.organizationCodeSystem',
  'directory.activePeriodUrl',
  'directory.dateTypeUrl',
  'directory.roleUrl',
  'directory.primaryRoleUrl',
  'directory.roleSystem',
  'directory.recordClassSystem',
  'directory.uprnUrl',
];

/** The settings of commands that send spans. */
export const TRACE_SETTINGS: readonly SettingPath[] = [
  'telemetry.endpoint',
  'telemetry.headersFile',
  'telemetry.serviceName',
  'telemetry.samplingRatio',
];

const WHOLE = /^[1-9]\d{0,8}$/;

export const NUMBER_OF_EDITION = numberNamed('the number of an edition');
export const WHOLE_NUMBER = numberNamed('a whole number from 1');
export const NUMBER_OF_VERSION = numberNamed('the number of a version, from 1');

function numberNamed(name: string): ValueRule {
  return { is: (text) => WHOLE.test(text), name };
}

const FILE_NAME: ValueRule = { is: (text) => text !== '', name: 'the name of a file' };

export const DAY: ValueRule = {
  is: (text) => dayPeriod(text) !== undefined,
  name: 'a date YYYY-MM-DD',
};

const INSTANT_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export const INSTANT: ValueRule = {
  is: (text) => INSTANT_FORM.test(text) && !Number.isNaN(Date.parse(text)),
  name: 'a time with its time zone, such as 2026-11-21T09:30:00Z',
};

export const REFERENCE: ValueRule = {
  is: (text) => resourceIn(text) !== undefined,
  name: 'a type, a slash and an id, such as OrderResponse/123',
};

/** The resource in a reference such as `OrderResponse/{id}`. */
export function resourceIn(reference: string): ResourceAddress | undefined {
  const [, type, id] = /^([A-Z][A-Za-z]*)\/([A-Za-z0-9.-]{1,64})$/.exec(reference) ?? [];
  return type === undefined || id === undefined ? undefined : { type, id };
}

export const JSON_OPTION: CommandOption = { syntax: '--json', help: 'Print JSON' };

export const LINES_OPTION: CommandOption = {
  syntax: '--json',
  help: 'Print JSON on a terminal too, instead of a table',
};

export const LIMIT_OPTION: CommandOption = {
  syntax: '--limit <number>',
  help: 'The most organisations to print (default: 20)',
  value: WHOLE_NUMBER,
};

export const SINCE_OPTION: CommandOption = {
  syntax: '--since <instant>',
  help: 'Leave out everything before this time, such as 2026-11-21T09:30:00Z (default: include everything)',
  value: INSTANT,
};

export const FORMAT_OPTION: CommandOption = {
  syntax: '--format <format>',
  help: 'The format: ndjson (default: ndjson)',
  value: { is: (text) => text === 'ndjson', name: 'ndjson' },
};

export const OUTPUT_OPTION: CommandOption = {
  syntax: '--output <file>',
  help: 'The file to write, which must not exist (default: standard output)',
  value: FILE_NAME,
};

/** The options of commands that publish an edition from a source. */
export const REPORT_OPTION: CommandOption = {
  syntax: '--report <file>',
  help: 'Write the report to this file as JSON. An existing file is replaced',
  value: FILE_NAME,
};

export const QUIET_OPTION: CommandOption = {
  syntax: '--quiet',
  help: 'Print no progress and no report',
};
