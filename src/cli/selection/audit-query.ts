/** The options with which `gazetteer audit` selects entries. */
import { ACTION_SYSTEM, interactionsOf } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { tokenValueOf } from '../../fhir/search/token.ts';
import type { AuditQuery } from '../../storage/sql/audit-search.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';
import { instantMsOf, type OptionValue, resourceIn, SINCE_OPTION } from './orders-query.ts';

export const AUDIT_OPTIONS: readonly CommandOption[] = [
  SINCE_OPTION,
  {
    syntax: '--until <instant>',
    help: 'Only entries from before this time, such as 2026-11-22T00:00:00Z',
  },
  {
    syntax: '--user <name>',
    help: 'Only the entries of this subject or client of a token, or of this user of the operating system',
  },
  {
    syntax: '--resource <reference>',
    help: 'Only the entries of one resource, such as OrderResponse/{id}',
  },
  {
    syntax: '--patient <identifier>',
    help: 'Only entries about resources whose current version names this patient: SYSTEM|VALUE, VALUE or Patient/{id}',
  },
  {
    syntax: '--action <code>',
    help: 'Only entries with this action: C (create), R (read), U (update), D (delete, erase) or E (search, other)',
  },
  {
    syntax: '--request <id>',
    help: 'Only the entry of the request with this id (X-Request-Id of the answer); needs --since',
  },
  { syntax: '--limit <number>', help: 'Only the newest entries, at most this number' },
];

/** Throws a `UsageError`. */
export function auditQueryOf(options: CommandContext['options']): AuditQuery {
  const { since, until, user, resource, patient, action, request, limit } = options;
  if (request !== undefined && since === undefined) {
    throw new UsageError(
      '--request needs --since: a time shortly before the request. Otherwise the command would read the whole log.',
    );
  }
  return {
    sinceMs: instantMsOf(since),
    criteria: [
      ...untilCriteria(until),
      ...criteriaOf(user, (code) => ({ type: 'token', field: 'user', values: [{ code }] })),
      ...criteriaOf(action, actionCriterion),
      ...resourceCriteria(resource),
      ...criteriaOf(patient, patientCriterion),
    ],
    requestId: request === undefined ? undefined : String(request),
    newest: limitOf(limit),
  };
}

function criteriaOf(
  option: OptionValue,
  make: (text: string) => ResourceCriterion,
): ResourceCriterion[] {
  return option === undefined ? [] : [make(String(option))];
}

function untilCriteria(until: OptionValue): ResourceCriterion[] {
  const ms = instantMsOf(until, '--until');
  if (ms === undefined) return [];
  return [{ type: 'date', field: 'date', values: [{ prefix: 'lt', start: ms, end: ms + 1 }] }];
}

function resourceCriteria(resource: OptionValue): ResourceCriterion[] {
  const address = resourceIn(resource);
  return address === undefined ? [] : [referenceTo('reference', address)];
}

function referenceTo(
  field: string,
  { type, id }: { readonly type: string; readonly id: string },
): ResourceCriterion {
  return { type: 'reference', field, values: [{ id, prefixes: [`${type}/`] }] };
}

function patientCriterion(text: string): ResourceCriterion {
  const [, id] = /^Patient\/([A-Za-z0-9.-]{1,64})$/.exec(text) ?? [];
  if (id !== undefined) return referenceTo('patient', { type: 'Patient', id });
  const value = tokenValueOf(text.split('|'));
  if (value?.code === undefined) {
    throw new UsageError(`--patient must be SYSTEM|VALUE, VALUE or Patient/{id}. Got "${text}".`);
  }
  return { type: 'token', field: 'patient.identifier', values: [value] };
}

function actionCriterion(code: string): ResourceCriterion {
  if (interactionsOf(code).length === 0) {
    throw new UsageError(`--action must be C, R, U, D or E. Got "${code}".`);
  }
  return { type: 'token', field: 'action', values: [{ system: ACTION_SYSTEM, code }] };
}

function limitOf(limit: OptionValue): number | undefined {
  if (limit === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(String(limit))) return Number(limit);
  throw new UsageError(`--limit must be a whole number from 1. Got "${limit}".`);
}
