/** What FHIR requires of versions of order responses: reads, histories and updates, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

export const ORDER_RESPONSE_VERSIONS: readonly Chapter[] = [
  {
    title: 'Order responses: read, versions, history',
    statements: [
      must(
        'The server keeps all versions, which can be read. An update can name the version that it replaces.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        [
          'order-response/conditions.http.test.ts',
          'takes If-Match weak, strong, as a list and as *, and says which version is current',
        ],
      ),
      must(
        'A read returns the current version, with the id of the URL.',
        [
          'order-response/interactions.http.test.ts',
          'are read as they were sent, but for id, version and date',
        ],
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
      ),
      should(
        'The answer has `ETag`, `Content-Location` and `Last-Modified`.',
        [
          'order-response/conditions.http.test.ts',
          'has meta.lastUpdated as Last-Modified, to the second, as the write had',
        ],
        [
          'order-response/conditions.http.test.ts',
          'is 304 for those who have the version, by its tag or its date',
        ],
      ),
      must(
        'An unknown id is 404.',
        [
          'order-response/interactions.http.test.ts',
          'refuses a read of an id that is not there with 404',
        ],
        ['journeys/order-hostile.test.ts', 'ids and versions of any kind are not found'],
      ),
      must('A vread returns the given version.', [
        'order-response/interactions.http.test.ts',
        'are updated: 200 and the next version; old versions stay',
      ]),
      must(
        'An unknown version is 404.',
        [
          'order-response/interactions.http.test.ts',
          'refuses a vread of an id that is not there with 404',
        ],
        [
          'order-response/service.http.test.ts',
          'takes a version for what it is called: 01 is not 1',
        ],
      ),
      must(
        'Old versions never change.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        ['storage/repository.contract.ts', 'keeps every version as it was, without gaps'],
      ),
      must('A version id is opaque: `01` is not `1`.', [
        'order-response/service.http.test.ts',
        'takes a version for what it is called: 01 is not 1',
      ]),
      must(
        'A history is a Bundle of type history, newest first, with the total, and with method and URL of each request.',
        [
          'order-response/history.http.test.ts',
          'has 20 versions in a page, newest first, each as it was written',
        ],
        [
          'order-response/history.http.test.ts',
          'a history has the decimals of each version as they were sent, and the first was a POST',
        ],
      ),
      must(
        '`_count` and `_since` apply. The server ignores other parameters.',
        [
          'order-response/history.http.test.ts',
          'has the versions at or after _since, whatever its zone',
        ],
        ['order-response/history.http.test.ts', 'ignores other parameters, and does not show them'],
        ['order-response/history.http.test.ts', 'refuses what it does not understand, all at once'],
      ),
      must(
        'Pages lead to every version once, even if versions are written at the same time.',
        [
          'order-response/history.http.test.ts',
          'leads to every version once, by links that can be followed',
        ],
        [
          'order-response/history.http.test.ts',
          'a history has fewer versions in a page than asked for where they are long, and leads on',
        ],
        [
          'order-response/interactions.http.test.ts',
          'have a history, newest first, in pages that new versions do not shift',
        ],
      ),
      must('`fullUrl` has no version, and each entry has a request.', [
        'order-response/history.http.test.ts',
        'has 20 versions in a page, newest first, each as it was written',
      ]),
      must(
        'Every URL in an answer can be read.',
        [
          'order-response/conditions.http.test.ts',
          'has meta.lastUpdated as Last-Modified, to the second, as the write had',
        ],
        [
          'order-response/history.http.test.ts',
          'leads to every version once, by links that can be followed',
        ],
      ),
      must('`HEAD` equals `GET` without a body. A trailing slash is ignored.', [
        'order-response/conditions.http.test.ts',
        'HEAD and a trailing slash are answered as GET without one',
      ]),
    ],
  },
  {
    title: 'Order responses: update',
    statements: [
      must('The id in the body equals the id in the URL; otherwise the answer is 400.', [
        'order-response/conditions.http.test.ts',
        'whose id is missing or another is 400, and makes no version',
      ]),
      must(
        'An update is 200, creates the next version, and returns its `ETag` and `Last-Modified`.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
      ),
      should('`Content-Location` is the URL of the new version.', [
        'order-response/interactions.http.test.ts',
        'are updated: 200 and the next version; old versions stay',
      ]),
      must('The server ignores the version and date of the body.', [
        'order-response/conditions.http.test.ts',
        'takes any status after any other, and no version or date of the client',
      ]),
      must(
        'An update of an id that does not exist is 405 (`updateCreate` is false), or 412 with `If-Match`. It creates nothing.',
        [
          'order-response/conditions.http.test.ts',
          'of an id that is not there is 405, and 412 with If-Match, and creates nothing',
        ],
      ),
      must(
        'An update is checked like a create.',
        [
          'order-response/validation.http.test.ts',
          'with no request is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a script is 422 with its place, for a create and an update',
        ],
      ),
      must(
        '`If-Match` with another version is 409. `If-None-Match` and `If-Unmodified-Since` that are false are 412.',
        [
          'order-response/conditions.http.test.ts',
          'takes If-Match weak, strong, as a list and as *, and says which version is current',
        ],
        ['order-response/preconditions.http.test.ts', 'is … for …, and stores nothing'],
        ['order-response/preconditions.http.test.ts', 'is done for …'],
        [
          'storage/repository.contract.ts',
          'takes an update only where every precondition holds of the current version',
        ],
      ),
      must('`If-Match` may be weak, strong, a list or `*`. A value that is not valid is 400.', [
        'order-response/conditions.http.test.ts',
        'takes If-Match weak, strong, as a list and as *, and says which version is current',
      ]),
      must('If a setting requires `If-Match`, an update without it is 412.', [
        'order-response/service.http.test.ts',
        'requires If-Match if a setting says so',
      ]),
      must('Of several updates of one version, exactly one succeeds.', [
        'journeys/order-hostile.test.ts',
        'of fifty updates at once of one version, one is made',
      ]),
      must('The server refuses an update without an id, or with conditions in the URL.', [
        'order-response/interactions.http.test.ts',
        'refuses a conditional update with 405',
      ]),
      should('`Prefer` applies as for a create.', [
        'order-response/conditions.http.test.ts',
        'counts for creates and updates that succeed, and not for those that do not',
      ]),
    ],
  },
  {
    title: 'Order responses: unsupported interactions, capabilities',
    statements: [
      must(
        'A search is 405 with `Allow`.',
        ['order-response/interactions.http.test.ts', 'refuses a search with 405'],
        ['order-response/interactions.http.test.ts', 'refuses a search by form with 405'],
      ),
      must('Delete and patch are 405 with `Allow`.', [
        'order-response/order-of-checks.http.test.ts',
        'for what is not offered are 405, with all that is',
      ]),
      must(
        '`metadata` is a Conformance, and so is `OPTIONS` of the base.',
        [
          'order-response/beyond-resources.http.test.ts',
          'answers OPTIONS with the Conformance, to everyone',
        ],
        [
          'order-response/service.http.test.ts',
          'says what it offers in a Conformance, to everyone',
        ],
      ),
      should('It has an `ETag` that changes when it changes.', [
        'order-response/conditions.http.test.ts',
        'metadata is 304 for its ETag, which is another one in each format',
      ]),
      must(
        'It contains `date`, `kind`, `fhirVersion`, `acceptUnknown`, `format` and `rest`.',
        [
          'order-response/service.http.test.ts',
          'says what it offers in a Conformance, to everyone',
        ],
        [
          'order-response/schema.http.test.ts',
          'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
        ],
      ),
      must(
        'It lists the interactions, the versioning and the conditions that the server supports.',
        [
          'order-response/service.http.test.ts',
          'says what it offers in a Conformance, to everyone',
        ],
      ),
      must('The server refuses a transaction.', [
        'order-response/order-of-checks.http.test.ts',
        'are told of a transaction',
      ]),
      must(
        '`acceptUnknown` says which unknown content the server accepts: extensions.',
        [
          'order-response/validation.http.test.ts',
          'may have extensions that nobody knows, modifiers too, and ids of elements: they are kept',
        ],
        ['order-response/validation.http.test.ts', 'with an unknown element is 400'],
      ),
    ],
  },
];
