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
        'An operation runs by `POST` with a Parameters resource, and by `GET` if all its parameters are primitive. Another resource, or a missing required parameter, is an error.',
        [OPERATION, 'takes parameters of the URL by GET, for the type and for a resource'],
        [OPERATION, 'takes a Parameters resource of … by POST, in JSON and XML, beside the URL'],
        [TERMINOLOGY, 'takes Parameters in JSON and XML, with a code or a coding'],
        [OPERATION, 'refuses a body with another type'],
        [EXPAND, 'ValueSet/$expand is 400'],
      ),
      must(
        'The capability statement names each operation and its definition. Others are 404.',
        [OPERATION, 'name the operation in the statement of …'],
        [OPERATION, 'name the operations for an unknown one'],
      ),
      must(
        '`$lookup` takes either a code and its system, or a Coding, and returns `name` and `display`. An unknown code is 404.',
        [TERMINOLOGY, 'takes Parameters in JSON and XML, with a code or a coding'],
        [TERMINOLOGY, 'refuses a coding beside a code, and a coding without a system'],
        [
          TERMINOLOGY,
          'returns the name of the system, its version, the display and the usual properties',
        ],
        [TERMINOLOGY, 'is 404 for codes and versions that the system does not have'],
      ),
      should(
        '`$lookup` returns the properties that the client names. `$expand` pages with `offset` and `count`, and `total` counts all codes.',
        [TERMINOLOGY, 'returns every property of an organisation for *'],
        [EXPAND, 'says which code system, version, page and filter it is of'],
      ),
      must(
        '`$validate-code` returns `result`, and a `message` if it is false; with a CodeableConcept, it is true if one coding is valid. `$expand` returns a ValueSet with the time and the codes of the expansion. An unknown value set is an error.',
        [TERMINOLOGY, 'takes Parameters with a concept without a coding of the system'],
        [TERMINOLOGY, 'takes Parameters with a concept with one valid coding'],
        [EXPAND, 'says which code system, version, page and filter it is of'],
        [EXPAND, 'ValueSet/none/$expand is 404'],
      ),
    ],
  },
  {
    title: 'Lists of deletions',
    statements: [
      must(
        'A List has a status and a mode; only a list of changes marks entries as deleted. Only an empty list has a reason for being empty.',
        [
          LISTS,
          'has the deleted organisations of all editions, the newest first, with their dates',
        ],
        [
          LISTS,
          'says if the edition has no relationship data, and is then never presented as complete',
        ],
      ),
    ],
  },
];
