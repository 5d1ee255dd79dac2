/** What FHIR requires of versions of order responses: reads, histories and updates, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

export const ORDER_RESPONSE_VERSIONS: readonly Chapter[] = [
  {
    title: 'Order responses: read, versions, history',
    statements: [
      must(
        'The server keeps all versions, which can be read and never change. An update can name the version that it replaces.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        [
          'order-response/conditions.http.test.ts',
          'accepts If-Match weak, strong, as a list and as *, and names the current version',
        ],
        ['storage/repository.contract.ts', 'keeps every version as it was, without gaps'],
      ),
      must(
        'A read returns the current version, with the id of the URL, and a vread the given version. An unknown id or version is 404; `01` is not `1`.',
        [
          'order-response/interactions.http.test.ts',
          'are read as they were sent, except for id, version and date',
        ],
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        [
          'order-response/interactions.http.test.ts',
          'refuses a read of an id that is not there with 404',
        ],
        ['journeys/order-hostile.long.test.ts', 'ids and versions of any kind are not found'],
        [
          'order-response/interactions.http.test.ts',
          'refuses a vread of an id that is not there with 404',
        ],
        ['order-response/service.http.test.ts', 'compares versions as text: 01 is not 1'],
      ),
      should(
        'The answer has `ETag`, `Content-Location` and `Last-Modified`.',
        [
          'order-response/conditions.http.test.ts',
          'has meta.lastUpdated as Last-Modified, in whole seconds, the same as the write',
        ],
        [
          'order-response/conditions.http.test.ts',
          'is 304 for clients that have the version, by its tag or its date',
        ],
      ),
      choice(
        'A history refuses parameters other than `_count` and `_since`. [The feed of changes](order-response-history.md#follow-changes) also has a position, the search parameters of the type and `_wait`.',
        must(
          'A history is a Bundle of type history, newest first, with the total, and with method and URL of each request. Pages lead to every version once. `_count` and `_since` apply; other parameters are refused. `fullUrl` has no version.',
          [
            'order-response/history.http.test.ts',
            'has 20 versions in a page, newest first, each as it was written',
          ],
          [
            'order-response/history.http.test.ts',
            'a history keeps the decimals of each version, and its first version is a POST',
          ],
          [
            'order-response/history.http.test.ts',
            'has the versions at or after _since, in any time zone',
          ],
          [
            'order-response/history.http.test.ts',
            'refuses the parameters of a search, each by its name',
          ],
          [
            'order-response/history.http.test.ts',
            'reports all parameters that are not valid together',
          ],
          ['order-response/history.http.test.ts', 'reaches every version once through its links'],
          [
            'order-response/history.http.test.ts',
            'a page of a history has fewer versions than requested if they are long, and a next link',
          ],
          [
            'order-response/interactions.http.test.ts',
            'have a history, newest first, in pages that new versions do not shift',
          ],
        ),
      ),
      must(
        'Every URL in an answer can be read. `HEAD` equals `GET` without a body. A trailing slash is ignored.',
        [
          'order-response/conditions.http.test.ts',
          'has meta.lastUpdated as Last-Modified, in whole seconds, the same as the write',
        ],
        ['order-response/history.http.test.ts', 'reaches every version once through its links'],
        [
          'order-response/conditions.http.test.ts',
          'HEAD and a trailing slash are answered as GET without one',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: update',
    statements: [
      must(
        'An update is checked like a create. The id in the body equals the id in the URL; otherwise the answer is 400. An update without an id and without a search is refused.',
        [
          'order-response/conditions.http.test.ts',
          'with a missing or a different id is 400, and makes no version',
        ],
        [
          'order-response/validation.http.test.ts',
          'with no request is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a script is 422 with its place, for a create and an update',
        ],
        [
          'order-response/interactions.http.test.ts',
          'refuses an update without an id or a search with 400',
        ],
      ),
      must(
        'An update is 200, creates the next version, and returns its `ETag` and `Last-Modified`. The version and date of the body are ignored.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        [
          'order-response/conditions.http.test.ts',
          'accepts any status after any other, and ignores the version and date of the client',
        ],
      ),
      should(
        '`Content-Location` is the URL of the new version. `Prefer` applies as for a create.',
        [
          'order-response/interactions.http.test.ts',
          'are updated: 200 and the next version; old versions stay',
        ],
        [
          'order-response/conditions.http.test.ts',
          'applies to creates and updates that succeed, and not to errors',
        ],
      ),
      choice(
        'Clients cannot choose ids: an update of an id that does not exist is 405, or 412 with `If-Match`.',
        must(
          'An update of an id that does not exist is 405 (`updateCreate` is false), or 412 with `If-Match`. It creates nothing.',
          [
            'order-response/conditions.http.test.ts',
            'of an id that does not exist is 405, and 412 with If-Match, and creates nothing',
          ],
        ),
      ),
      must(
        '`If-Match` with another version is 409. It may be weak, strong, a list or `*`; other values are 400. `If-None-Match` and `If-Unmodified-Since` that are false are 412, and so is a missing `If-Match` if a setting requires it. Of several updates of one version, exactly one succeeds.',
        [
          'order-response/conditions.http.test.ts',
          'accepts If-Match weak, strong, as a list and as *, and names the current version',
        ],
        ['order-response/preconditions.http.test.ts', 'is … for …, and stores nothing'],
        ['order-response/preconditions.http.test.ts', 'succeeds for …'],
        [
          'storage/repository.contract.ts',
          'accepts an update only if every precondition is true for the current version',
        ],
        ['order-response/service.http.test.ts', 'requires If-Match if a setting says so'],
        [
          'journeys/order-hostile.long.test.ts',
          'of fifty simultaneous updates of one version, one succeeds',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: unsupported interactions, capabilities',
    statements: [
      must('Delete and patch are 405 with `Allow`.', [
        'order-response/order-of-checks.http.test.ts',
        'with a method that is not offered are 405 with Allow',
      ]),
      must(
        '`metadata` is a Conformance, and so is `OPTIONS` of the base. It lists the interactions, the versioning and the conditions that the server supports, and contains `date`, `kind`, `fhirVersion`, `acceptUnknown` (extensions), `format` and `rest`.',
        [
          'order-response/beyond-resources.http.test.ts',
          'answers OPTIONS with the Conformance, without a token',
        ],
        [
          'order-response/service.http.test.ts',
          'describes itself in a Conformance, without a token',
        ],
        [
          'order-response/schema.http.test.ts',
          'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
        ],
        [
          'order-response/validation.http.test.ts',
          'may have unknown extensions, also modifiers, and ids of elements, which are kept',
        ],
        ['order-response/validation.http.test.ts', 'with an unknown element is 400'],
      ),
      should('It has an `ETag` that changes when it changes.', [
        'order-response/conditions.http.test.ts',
        'metadata is 304 for its ETag, which differs between formats',
      ]),
    ],
  },
];
