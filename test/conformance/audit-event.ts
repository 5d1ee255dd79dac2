/** What FHIR requires of the audit log as AuditEvents, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const HTTP = 'order-response/audit.http.test.ts';
const STORE = 'storage/audit-search.contract.ts';

export const AUDIT_EVENT: readonly Chapter[] = [
  {
    title: 'The audit log: AuditEvent',
    statements: [
      must('Each entry is a valid AuditEvent: event, participant, source and object.', [
        HTTP,
        'has each entry as a valid AuditEvent of DSTU2, which a read shows too',
      ]),
      must('An id without an entry is 404.', [HTTP, 'has no entry with another id']),
      must(
        'The parameters `_id`, `date`, `user`, `reference`, `patient` and `action` of DSTU2 are supported.',
        [HTTP, 'finds by _id'],
        [HTTP, 'finds by date'],
        [HTTP, 'finds by user'],
        [HTTP, 'finds by reference'],
        [HTTP, 'finds by patient'],
        [HTTP, 'finds by action'],
      ),
      must(
        'The modifiers are `:missing`, `:not`, and a type for references.',
        [HTTP, 'finds by user:missing'],
        [HTTP, 'finds by action:not'],
        [HTTP, 'finds by reference:OrderResponse'],
      ),
      must(
        'A chained parameter leads to the identifier of the patient, with or without the type.',
        [HTTP, 'finds by patient:Patient.identifier'],
      ),
      must('The result is that of a comparison of every entry.', [
        STORE,
        'agrees with a comparison of all entries, for any accesses and criteria',
      ]),
      must('`_sort` sorts by date.', [HTTP, 'is sorted by date']),
      must('The total is exact.', [
        HTTP,
        'has exact totals, and only the parts that the client wants',
      ]),
      should('The pages of a search are stable while entries are added.', [
        HTTP,
        'the pages of the audit log in … have the matches of the first page',
      ]),
      must('`GET [type]?…` and `POST [type]/_search` are the same search.', [
        HTTP,
        'is found by a form too',
      ]),
      must('Reads and searches of the audit log are recorded themselves.', [
        HTTP,
        'records its own searches and reads, which it then finds',
      ]),
      must('Only a scope that names AuditEvent allows reading it.', [
        HTTP,
        'needs its own scope, and records requests without it',
      ]),
      must('Clients cannot write AuditEvents.', [HTTP, 'cannot be written, and has no history']),
    ],
  },
];
