/** What FHIR requires of operations on codes, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const TERMINOLOGY = 'directory/r4/terminology.http.test.ts';
const EXPAND = 'directory/r4/expand.http.test.ts';
const LISTS = 'directory/r4/deletion-lists.http.test.ts';
const OPERATION = 'fhir/operation.test.ts';

export const DIRECTORY_OPERATIONS: readonly Chapter[] = [
  {
    title: 'Operations',
    statements: [
      must(
        'An operation runs by `GET` if it changes nothing and all its parameters are primitive.',
        [OPERATION, 'takes parameters of the URL by GET, for the type and for a resource'],
      ),
      must(
        'An operation runs by `POST` with a Parameters resource.',
        [OPERATION, 'takes a Parameters resource of … by POST, in JSON and XML, beside the URL'],
        [TERMINOLOGY, 'takes Parameters in JSON and XML, with a code or a coding'],
      ),
      must('The body of a `POST` is a Parameters resource; another resource is 400.', [
        OPERATION,
        'refuses a body with another type',
      ]),
      must('A required parameter that is missing is an error.', [
        EXPAND,
        'ValueSet/$expand is 400',
      ]),
      must('The capability statement names each operation and its definition.', [
        OPERATION,
        'name the operation in the statement of …',
      ]),
      must('An operation that the server does not have is 404.', [
        OPERATION,
        'name the operations for an unknown one',
      ]),
      must(
        '`$lookup` takes either a code and its system, or a Coding.',
        [TERMINOLOGY, 'takes Parameters in JSON and XML, with a code or a coding'],
        [TERMINOLOGY, 'refuses a coding beside a code, and a coding without a system'],
      ),
      must('`$lookup` returns `name` and `display`.', [
        TERMINOLOGY,
        'returns the name of the system, its version, the display and the usual properties',
      ]),
      must('`$lookup` of an unknown code is an error with status 404.', [
        TERMINOLOGY,
        'is 404 for codes and versions that the system does not have',
      ]),
      should('`$lookup` returns the properties that the client names.', [
        TERMINOLOGY,
        'returns every property of an organisation for *',
      ]),
      must('`$validate-code` returns `result`, and a `message` if it is false.', [
        TERMINOLOGY,
        'takes Parameters with a concept without a coding of the system',
      ]),
      must('`$validate-code` with a CodeableConcept is true if one coding is valid.', [
        TERMINOLOGY,
        'takes Parameters with a concept with one valid coding',
      ]),
      must('`$expand` returns a ValueSet with the time and the codes of the expansion.', [
        EXPAND,
        'says which code system, version, page and filter it is of',
      ]),
      should('`$expand` pages with `offset` and `count`, and `total` counts all codes.', [
        EXPAND,
        'says which code system, version, page and filter it is of',
      ]),
      must('An unknown value set is an error.', [EXPAND, 'ValueSet/none/$expand is 404']),
    ],
  },
  {
    title: 'Lists of deletions',
    statements: [
      must('A List has a status and a mode; only a list of changes marks entries as deleted.', [
        LISTS,
        'has the deleted organisations of all editions, the newest first, with their dates',
      ]),
      must('Only an empty list has a reason for being empty.', [
        LISTS,
        'says if the edition has no relationship data, and is then never presented as complete',
      ]),
    ],
  },
];
