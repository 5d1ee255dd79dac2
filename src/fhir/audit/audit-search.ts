/**
 * The search of the audit log as FHIR resources of the type AuditEvent: a selection of the parameters
 * of DSTU2. https://hl7.org/fhir/DSTU2/auditevent.html#search
 *
 * A repository reads and searches AuditEvents as it does other types, and writes them itself: each
 * audit entry is a resource with one version (`audit-event.ts`), which is written by `POST` when it
 * is recorded. Without sort keys the newest entry comes first. Entries with the same date are sorted
 * by their numbers, in the direction of the sort. A criterion of a field that has a
 * parameter here compares with the values that the parameter finds in the resource. The criteria of
 * `patient` and `patient.identifier` compare with the current versions of the resources that the entry
 * refers to. A search is also too costly if the store would have to read many times `candidatesMax` entries.
 */

import { DSTU2 } from '../definitions/fhir-version.ts';
import {
  EVERY_TYPE_PARAMETERS,
  type ResourceParameter,
  resourceDate,
  resourceReference,
  resourceToken,
} from '../search/resource-parameter.ts';
import type { ResourceSearch } from '../search/resource-search.ts';
import { ACTION_SYSTEM } from './audit-event.ts';

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
