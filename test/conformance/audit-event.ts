/** What FHIR requires of the audit log as AuditEvents, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const HTTP = 'order-response/audit.http.test.ts';
const STORE = 'storage/audit-search.contract.ts';

export const AUDIT_EVENT: readonly Chapter[] = [
  {
    title: 'The audit log: AuditEvent',
    statements: [
      must(
        'Each entry is a valid AuditEvent: event, participant, source and object. An id without an entry is 404. `GET [type]?…` and `POST [type]/_search` are the same search, with the exact total.',
        [HTTP, 'has each entry as a valid AuditEvent of DSTU2, which a read shows too'],
        [HTTP, 'has no entry with another id'],
        [HTTP, 'has exact totals, and only the parts that the client wants'],
        [HTTP, 'is found by a form too'],
      ),
      must(
        'The parameters `_id`, `date`, `user`, `reference`, `patient` and `action` of DSTU2 are supported, with `:missing`, `:not`, a type for references, and a chain to the identifier of the patient. The result is that of a comparison of every entry. `_sort` sorts by date.',
        [HTTP, 'finds by _id'],
        [HTTP, 'finds by date'],
        [HTTP, 'finds by user'],
        [HTTP, 'finds by reference'],
        [HTTP, 'finds by patient'],
        [HTTP, 'finds by action'],
        [HTTP, 'finds by user:missing'],
        [HTTP, 'finds by action:not'],
        [HTTP, 'finds by reference:OrderResponse'],
        [HTTP, 'finds by patient:Patient.identifier'],
        [STORE, 'agrees with a comparison of all entries, for any accesses and criteria'],
        [HTTP, 'is sorted by date'],
      ),
      should('The pages of a search are stable while entries are added.', [
        HTTP,
        'the pages of the audit log in … have the matches of the first page',
      ]),
      must(
        'Reads and searches of the audit log are recorded themselves. Only a scope that names AuditEvent allows reading it. Clients cannot write AuditEvents.',
        [HTTP, 'records its own searches and reads, which it then finds'],
        [HTTP, 'needs its own scope, and records requests without it'],
        [HTTP, 'cannot be written, and has no history'],
      ),
    ],
  },
];
