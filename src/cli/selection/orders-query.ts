/** The options with which commands select order responses and audit entries. */
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import { UsageError } from '../command.ts';

export const SINCE_OPTION = {
  syntax: '--since <instant>',
  help: 'Leave out everything before this time, such as 2026-11-21T09:30:00Z (default: include everything)',
} as const;

export const FORMAT_OPTION = {
  syntax: '--format <format>',
  help: 'The format: ndjson (default: ndjson)',
} as const;

export const OUTPUT_OPTION = {
  syntax: '--output <file>',
  help: 'The file to write, which must not exist (default: standard output)',
} as const;

export type OptionValue = string | boolean | undefined;

/** Milliseconds since 1970. */
export function instantMsOf(text: OptionValue, option = '--since'): number | undefined {
  if (text === undefined) return undefined;
  const ms = INSTANT_FORM.test(String(text)) ? Date.parse(String(text)) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(
    `${option} must be a time with its time zone, such as 2026-11-21T09:30:00Z. Got "${text}".`,
  );
}

const INSTANT_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function requireNdjson(format: OptionValue): void {
  if (format === undefined || format === 'ndjson') return;
  throw new UsageError(`--format must be ndjson. Got "${format}".`);
}

/** The resource in a reference such as `OrderResponse/{id}`. */
export function resourceIn(
  reference: OptionValue,
  option = '--resource',
): ResourceAddress | undefined {
  if (reference === undefined) return undefined;
  const [, type, id] = RESOURCE_FORM.exec(String(reference)) ?? [];
  if (type !== undefined && id !== undefined) return { type, id };
  throw new UsageError(
    `${option} must be a type, a slash and an id, such as OrderResponse/123. Got "${reference}".`,
  );
}

const RESOURCE_FORM = /^([A-Z][A-Za-z]*)\/([A-Za-z0-9.-]{1,64})$/;
