/** `gazetteer audit`: writes the audit log of order responses as FHIR AuditEvents, or as a table for people. */
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { ACTION_SYSTEM, auditEvent, interactionsOf } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { type TokenCriterion, tokenValueOf } from '../../fhir/search/token.ts';
import type { ResourceAddress } from '../../fhir/stored/repository.ts';
import type { AuditQuery } from '../../storage/sql/audit-search.ts';
import {
  type Command,
  type CommandContext,
  type CommandOption,
  UsageError,
} from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import {
  FORMAT_OPTION,
  INSTANT,
  LINES_OPTION,
  ORDER_STORE_SETTINGS,
  OUTPUT_OPTION,
  REFERENCE,
  resourceIn,
  SINCE_OPTION,
  WHOLE_NUMBER,
} from '../parts/options.ts';
import { isForPeople, rowText, writeLines } from '../parts/output.ts';

const SELECTING_OPTIONS: readonly CommandOption[] = [
  SINCE_OPTION,
  {
    syntax: '--until <instant>',
    help: 'Only entries from before this time, such as 2026-11-22T00:00:00Z',
    value: INSTANT,
  },
  {
    syntax: '--user <name>',
    help: 'Only the entries of this subject or client of a token, or of this user of the operating system',
    value: { is: (name) => name !== '', name: 'a name' },
  },
  {
    syntax: '--resource <reference>',
    help: 'Only the entries of one resource, such as OrderResponse/{id}',
    value: REFERENCE,
  },
  {
    syntax: '--patient <identifier>',
    help: 'Only entries about resources whose current version names this patient: SYSTEM|VALUE, VALUE or Patient/{id}',
    value: {
      is: (text) => patientCriterion(text) !== undefined,
      name: 'SYSTEM|VALUE, VALUE or Patient/{id}',
    },
  },
  {
    syntax: '--action <code>',
    help: 'Only entries with this action: C (create), R (read), U (update), D (delete, erase) or E (search, other)',
    value: { is: (code) => interactionsOf(code).length > 0, name: 'C, R, U, D or E' },
  },
  {
    syntax: '--request <id>',
    help: 'Only the entry of the request with this id (X-Request-Id of the answer); needs --since',
  },
  {
    syntax: '--limit <number>',
    help: 'Only the newest entries, at most this number',
    value: WHOLE_NUMBER,
  },
];

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Write the audit log of order responses as DSTU2 AuditEvents, oldest first',
  examples: [
    'audit --since 2026-11-21T00:00:00Z --output data/audit.ndjson',
    'audit --resource OrderResponse/123 --limit 10',
  ],
  settings: ORDER_STORE_SETTINGS,
  options: [...SELECTING_OPTIONS, LINES_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
  run: exportAudit,
};

async function exportAudit(context: CommandContext): Promise<void> {
  const { config, options } = context;
  const query = auditQueryOf(options);
  const store = await openConfiguredStore(config);
  const entries = store.auditEntries(query);
  await writeLines(isForPeople(context) ? rowsOf(entries) : linesOf(entries), context);
}

function auditQueryOf(options: CommandContext['options']): AuditQuery {
  const { since, until, user, resource, patient, action, request, limit } = options;
  if (request !== undefined && since === undefined) {
    throw new UsageError(
      '--request needs --since: a time shortly before the request. Otherwise the command would read the whole log.',
    );
  }
  return {
    sinceMs: since === undefined ? undefined : Date.parse(String(since)),
    criteria: [
      until && untilCriterion(String(until)),
      user && tokenCriterion('user', { code: String(user) }),
      action && tokenCriterion('action', { system: ACTION_SYSTEM, code: String(action) }),
      resource && referenceCriterion('reference', resourceIn(String(resource))),
      patient && patientCriterion(String(patient)),
    ].filter((criterion) => typeof criterion === 'object'),
    requestId: request === undefined ? undefined : String(request),
    newest: limit === undefined ? undefined : Number(limit),
  };
}

function untilCriterion(until: string): ResourceCriterion {
  const ms = Date.parse(until);
  return { type: 'date', field: 'date', values: [{ prefix: 'lt', start: ms, end: ms + 1 }] };
}

function tokenCriterion(field: string, value: TokenCriterion['values'][number]): ResourceCriterion {
  return { type: 'token', field, values: [value] };
}

function referenceCriterion(
  field: string,
  address: ResourceAddress | undefined,
): ResourceCriterion | undefined {
  if (address === undefined) return undefined;
  return { type: 'reference', field, values: [{ id: address.id, prefixes: [`${address.type}/`] }] };
}

/** Undefined if the text is not valid. */
function patientCriterion(text: string): ResourceCriterion | undefined {
  const address = resourceIn(text);
  if (address?.type === 'Patient') return referenceCriterion('patient', address);
  const value = tokenValueOf(text.split('|'));
  return value?.code === undefined ? undefined : tokenCriterion('patient.identifier', value);
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield JSON.stringify(auditEvent(entry));
}

/** The log can be long, so the widths of its columns do not depend on the entries. */
async function* rowsOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield rowText(['time', 'outcome', 'interaction', 'resource', 'user', 'request id'], WIDTHS);
  for await (const entry of entries) {
    const { recordedAt, outcome, interaction, resourceType, resource, subject, client } = entry;
    const named = [resourceType, resource].filter((part) => part !== undefined).join('/');
    const time = recordedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ');
    const cells = [time, outcome, interaction, named, subject ?? client, entry.requestId];
    yield rowText(
      cells.map((cell = '') => cell),
      WIDTHS,
    );
  }
}

/** The type and the UUID of an order response take 50 characters. */
const WIDTHS = [19, 15, 16, 50, 20];
