/** Audit entries as FHIR resources. https://hl7.org/fhir/DSTU2/auditevent.html */
import {
  AUDIT_COMMANDS,
  type AuditCommand,
  type AuditEntry,
  type AuditOutcome,
  OTHER_ADDRESSES,
} from './audit.ts';
import type { FhirObject, Resource } from './format/resource.ts';
import { AUDIT_ACTIONS, type InteractionCode } from './interaction-code.ts';

export function auditEvent(entry: AuditEntry): Resource {
  const { writer, number, interaction, recordedAt, outcome } = entry;
  return {
    resourceType: 'AuditEvent',
    id: writer === FIRST_WRITER ? String(number) : `${writer}-${number}`,
    event: {
      ...kindOf(interaction),
      dateTime: recordedAt,
      outcome: OUTCOMES[outcome],
      outcomeDesc: outcome,
    },
    participant: participantsOf(entry),
    source: {
      identifier: { value: 'gazetteer' },
      type: [
        {
          system: 'http://hl7.org/fhir/security-source-type',
          code: '4',
          display: 'Application Server',
        },
      ],
    },
    object: [objectOf(entry), ...foundObjectsOf(entry)],
  };
}

/** Its entries have had their numbers as ids since before there were several writers. */
const FIRST_WRITER = 1;

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

const REST = {
  system: 'http://hl7.org/fhir/audit-event-type',
  code: 'rest',
  display: 'Restful Operation',
};

/** https://hl7.org/fhir/DSTU2/valueset-audit-event-type.html */
const EXPORT = { system: 'http://nema.org/dicom/dicm', code: '110106', display: 'Export' };

/** https://hl7.org/fhir/DSTU2/valueset-audit-event-type.html */
const APPLICATION_ACTIVITY = {
  system: 'http://nema.org/dicom/dicm',
  code: '110100',
  display: 'Application Activity',
};

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
      ...(subject && { userId: { value: subject } }),
      requestor: true,
      ...(isOne && { network: { address, type: IP_ADDRESS } }),
    },
    ...(client ? [{ userId: { value: client }, requestor: false }] : []),
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
    value === undefined ? [] : [{ type, value: base64Of(String(value)) }],
  );
  return {
    ...(resource && { reference: { reference: `${resourceType}/${resource}${history}` } }),
    type: SYSTEM_OBJECT,
    ...(parameters !== undefined && { query: base64Of(parameters) }),
    ...(detail.length > 0 && { detail }),
  };
}

const SYSTEM_OBJECT = {
  system: 'http://hl7.org/fhir/object-type',
  code: '2',
  display: 'System Object',
};

/** The resources that a search returned. */
function foundObjectsOf({ resourceType, resources = [] }: AuditEntry): FhirObject[] {
  return resources.map((id) => ({
    reference: { reference: `${resourceType}/${id}` },
    type: SYSTEM_OBJECT,
  }));
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64');
}
