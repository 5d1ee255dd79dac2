/** Audit entries as FHIR resources. https://hl7.org/fhir/DSTU2/auditevent.html */

import { DSTU2 } from '../definitions/fhir-version.ts';
import { PRIMITIVES } from '../definitions/primitives.ts';
import type { FhirObject, Resource } from '../format/resource.ts';
import { asXmlText } from '../format/xml-text.ts';
import { AUDIT_ACTIONS, type InteractionCode } from '../request/interaction-code.ts';
import {
  EVERY_TYPE_PARAMETERS,
  type ResourceParameter,
  resourceDate,
  resourceReference,
  resourceToken,
} from '../search/resource-parameter.ts';
import type { ResourceSearch } from '../search/resource-search.ts';
import {
  AUDIT_COMMANDS,
  type AuditCommand,
  type AuditEntry,
  type AuditOutcome,
  OTHER_ADDRESSES,
} from './audit.ts';

/** The type of resource that an audit entry is shown as. */
export const AUDIT_EVENT = 'AuditEvent';

export function auditEvent(entry: AuditEntry): Resource {
  const { writer, number, interaction, recordedAt, outcome } = entry;
  return {
    resourceType: AUDIT_EVENT,
    id: auditEventId({ writer, number }),
    event: {
      ...kindOf(interaction),
      dateTime: recordedAt,
      outcome: OUTCOMES[outcome],
      outcomeDesc: outcome,
    },
    participant: participantsOf(entry),
    source: {
      identifier: { value: 'gazetteer' },
      type: [coding('http://hl7.org/fhir/security-source-type', '4', 'Application Server')],
    },
    object: [objectOf(entry), ...foundObjectsOf(entry)],
  };
}

/** The id of an entry as a resource. */
export function auditEventId({ writer, number }: Pick<AuditEntry, 'writer' | 'number'>): string {
  return writer === FIRST_WRITER ? String(number) : `${writer}-${number}`;
}

/** Undefined if no entry can have the id. */
export function parseAuditEventId(id: string): Pick<AuditEntry, 'writer' | 'number'> | undefined {
  const [, writer = String(FIRST_WRITER), number] = AUDIT_EVENT_ID.exec(id) ?? [];
  const parsed = { writer: Number(writer), number: Number(number) };
  return number !== undefined && auditEventId(parsed) === id ? parsed : undefined;
}

const AUDIT_EVENT_ID = /^(?:([1-9]\d{0,8})-)?([1-9]\d{0,14})$/;

/** Its entries have had their numbers as ids since before there were several writers. */
const FIRST_WRITER = 1;

/** The code system of `event.action`. */
export const ACTION_SYSTEM = 'http://hl7.org/fhir/audit-event-action';

/** The interactions and commands whose entries have the action. */
export function interactionsOf(action: string): readonly string[] {
  const all = [
    ...Object.entries(AUDIT_ACTIONS),
    ...Object.entries(COMMAND_KINDS).map(([name, kind]) => [name, kind.action] as const),
  ];
  return all.filter(([, own]) => own === action).map(([name]) => name);
}

function kindOf(interaction: AuditEntry['interaction']): FhirObject {
  if (interaction !== undefined && isCommand(interaction)) {
    const { type, action } = COMMAND_KINDS[interaction];
    return { type, subtype: [{ display: AUDIT_COMMANDS[interaction] }], action };
  }
  return {
    type: REST,
    ...(interaction && {
      subtype: [{ system: 'http://hl7.org/fhir/restful-interaction', code: interaction }],
      action: AUDIT_ACTIONS[interaction],
    }),
  };
}

const REST = coding('http://hl7.org/fhir/audit-event-type', 'rest', 'Restful Operation');

/** https://hl7.org/fhir/DSTU2/valueset-audit-event-type.html */
const EXPORT = coding('http://nema.org/dicom/dicm', '110106', 'Export');

/** https://hl7.org/fhir/DSTU2/valueset-audit-event-type.html */
const APPLICATION_ACTIVITY = coding('http://nema.org/dicom/dicm', '110100', 'Application Activity');

const COMMAND_KINDS: Readonly<Record<AuditCommand, { type: FhirObject; action: string }>> = {
  backup: { type: EXPORT, action: 'R' },
  export: { type: EXPORT, action: 'R' },
  erase: { type: APPLICATION_ACTIVITY, action: 'D' },
  hold: { type: APPLICATION_ACTIVITY, action: 'U' },
  release: { type: APPLICATION_ACTIVITY, action: 'U' },
  retention: { type: APPLICATION_ACTIVITY, action: 'D' },
};

function isCommand(interaction: InteractionCode | AuditCommand): interaction is AuditCommand {
  return Object.hasOwn(AUDIT_COMMANDS, interaction);
}

/** 0 success, 4 minor failure (the request's), 8 serious failure (the server's). */
const OUTCOMES: Readonly<Record<AuditOutcome, string>> = {
  stored: '0',
  found: '0',
  exists: '0',
  done: '0',
  absent: '4',
  gone: '4',
  several: '4',
  conflict: '4',
  unauthenticated: '4',
  forbidden: '4',
  invalid: '4',
  fault: '8',
};

/** Who asked, and the program that did it for them. */
function participantsOf({ subject, client, address }: AuditEntry): FhirObject[] {
  const isOne = address !== '' && address !== OTHER_ADDRESSES;
  return [
    {
      ...(subject && { userId: { value: asXmlText(subject) } }),
      requestor: true,
      ...(isOne && { network: { address, type: IP_ADDRESS } }),
    },
    ...(client ? [{ userId: { value: asXmlText(client) }, requestor: false }] : []),
  ];
}

const IP_ADDRESS = '2';

function objectOf(entry: AuditEntry): FhirObject {
  const { resourceType, resource, version, requestId, reason, digest } = entry;
  const { count, total, firstVersion, lastVersion, from, parameters, parametersDigest } = entry;
  const history = version === undefined ? '' : `/_history/${version}`;
  // The reference names the type. An entry without an id has no reference.
  const typeAlone = resource === undefined ? resourceType : undefined;
  const counted = { count, total, firstVersion, lastVersion, from };
  const digests = { sha256: digest, parametersDigest };
  const details = { resourceType: typeAlone, requestId, reason, ...counted, ...digests };
  const detail = Object.entries(details).flatMap(([type, value]) =>
    value === undefined || value === '' ? [] : [{ type, value: base64Of(String(value)) }],
  );
  return {
    ...(resource && { reference: referenceTo(resourceType, resource, history) }),
    type: SYSTEM_OBJECT,
    // A search for everything has no parameters, and FHIR has no empty values.
    ...(parameters && { query: base64Of(parameters) }),
    ...(detail.length > 0 && { detail }),
  };
}

/** A client can ask for an id that no resource can have. It cannot be part of an address. */
function referenceTo(type: string | undefined, id: string, history: string): FhirObject {
  const isId = PRIMITIVES.get('id')?.isValid(id);
  return { [isId ? 'reference' : 'display']: asXmlText(`${type}/${id}${history}`) };
}

const SYSTEM_OBJECT = coding('http://hl7.org/fhir/object-type', '2', 'System Object');

/** The resources that a search returned. */
function foundObjectsOf({ resourceType, resources = [] }: AuditEntry): FhirObject[] {
  return resources.map((id) => ({
    reference: { reference: `${resourceType}/${id}` },
    type: SYSTEM_OBJECT,
  }));
}

function coding(system: string, code: string, display: string): FhirObject {
  return { system, code, display };
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64');
}

export const AUDIT_EVENT_SEARCH: ResourceSearch = {
  parameters: [
    ...EVERY_TYPE_PARAMETERS.filter(({ name }) => name === '_id'),
    resourceDate({
      name: 'date',
      path: ['event', 'dateTime'],
      documentation: 'When the entry was recorded.',
    }),
    resourceToken({
      name: 'user',
      path: ['participant', 'userId'],
      documentation:
        'Who made the request: the subject or the client of the token. Of a command: the user of the operating system, or the command.',
    }),
    resourceReference({
      name: 'reference',
      path: ['object', 'reference'],
      targets: DSTU2.definitions.resourceTypes,
      documentation: 'A resource that was read, written or found, or that a request did not find.',
    }),
    ofPatient(
      resourceReference({
        name: 'patient',
        path: [],
        targets: ['Patient'],
        documentation:
          'The patient of a resource that the entry refers to, as its current version names the patient.',
      }),
    ),
    ofPatient(
      resourceToken({
        name: 'patient.identifier',
        path: [],
        chain: ['Patient'],
        documentation: 'An identifier of this patient, such as an NHS number.',
      }),
    ),
    resourceToken({
      name: 'action',
      path: ['event', 'action'],
      system: ACTION_SYSTEM,
      codes: ['C', 'R', 'U', 'D', 'E'],
      documentation:
        'C: create, R: read, U: update, D: delete or erase, E: search and other operations.',
    }),
  ],
  sortable: ['date'],
  summaryElements: [],
  costly: () =>
    'The search would have to read too much of the audit log. ' +
    'Add a parameter that fewer entries match, such as date or reference.',
};

/** An entry does not name the patient, so `:missing` cannot be answered. */
function ofPatient(parameter: ResourceParameter): ResourceParameter {
  return { ...parameter, modifiers: [], entriesOf: () => [] };
}
