/** What FHIR requires of requests for order responses: formats, tokens and creates, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

export const ORDER_RESPONSE_REQUESTS: readonly Chapter[] = [
  {
    title: 'Order responses: formats and errors',
    statements: [
      choice(
        'Without a preference, a read of an order response is XML, and the answer to a write has the format of its body.',
        must(
          '`application/xml+fhir` and `application/json+fhir` are the formal media types. All names of the formats are understood, and returned as they are. `Accept` has its full syntax. Without a preference, a read is XML, and the answer to a write has the format of its body.',
          [
            'order-response/formats.http.test.ts',
            'with Accept "*/*" and "" is application/xml+fhir',
          ],
          [
            'order-response/formats.http.test.ts',
            'with Accept "*/*" and "?_format=text/json" is application/json+fhir',
          ],
          ['order-response/formats.http.test.ts', 'with Accept "" and "" is application/xml+fhir'],
          [
            'order-response/formats.http.test.ts',
            'is XML also if the request has a Content-Type without a body',
          ],
          [
            'order-response/formats.http.test.ts',
            'of type text/json is read as json, and answered with the formal media type',
          ],
          [
            'order-response/formats.http.test.ts',
            'with Accept "application/json+fhir;q=0.5, application/xml+fhir;q=0.4" and "" is application/json+fhir',
          ],
          [
            'order-response/formats.http.test.ts',
            'with Accept "application/xml+fhir;q=0, */*" and "" is application/json+fhir',
          ],
          ['order-response/formats.http.test.ts', 'chooses between formats with the same weight'],
          [
            'order-response/formats.http.test.ts',
            'with Accept "application/json" and "?_format=application/xml+fhir" is application/xml+fhir',
          ],
          [
            'order-response/formats.http.test.ts',
            'with Accept "*/*" and "?_format=application/fhir+json" is application/json+fhir',
          ],
          ['order-response/formats.http.test.ts', 'with Accept "text/json" and "" is text/json'],
          [
            'order-response/formats.http.test.ts',
            'with Accept "application/fhir+xml" and "" is application/fhir+xml',
          ],
        ),
      ),
      should(
        '`_format` overrides `Accept`. Every error has an outcome, in the format of the answer.',
        [
          'order-response/formats.http.test.ts',
          'with Accept "application/xml" and "?_format=json" is application/json+fhir',
        ],
        [
          'order-response/schema.http.test.ts',
          'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
        ],
        [
          'order-response/validation.http.test.ts',
          'with no request is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'A body without a media type, of an unsupported type, not in UTF-8 or compressed is 415. A body in another format than its media type is 400. `_format` does not affect how the server reads a body.',
        ['order-response/formats.http.test.ts', 'with Accept "*/*" and "" is application/xml+fhir'],
        ['order-response/formats.http.test.ts', 'is 400 for XML in Latin-1, and nothing is stored'],
        [
          'order-response/formats.http.test.ts',
          'is 400 for XML that is declared as another encoding, and nothing is stored',
        ],
        ['order-response/formats.http.test.ts', 'may begin with one byte order mark'],
        ['order-response/formats.http.test.ts', 'may be declared as UTF-8 in any case'],
        [
          'order-response/formats.http.test.ts',
          'is read in the format of its Content-Type, independent of Accept and _format',
        ],
        ['order-response/interactions.http.test.ts', 'refuses no Content-Type with 415'],
        ['order-response/interactions.http.test.ts', 'refuses another Content-Type with 415'],
        ['order-response/interactions.http.test.ts', 'refuses another charset with 415'],
        ['order-response/interactions.http.test.ts', 'refuses a compressed body with 415'],
        [
          'order-response/formats.http.test.ts',
          'in another format than its Content-Type names is 400',
        ],
      ),
      must(
        'An `Accept` that names no supported type is 406 with an outcome, before anything is stored. A `_format` that is not valid is 400.',
        [
          'order-response/formats.http.test.ts',
          'is 406 in the default format, before anything is stored',
        ],
        [
          'order-response/formats.http.test.ts',
          'is 400 if _format names it, and the outcome is in the accepted format',
        ],
      ),
      must(
        'If the answer is an error, the server has stored nothing.',
        [
          'order-response/interactions.http.test.ts',
          'are refused with every finding, and not stored',
        ],
        ['journeys/order-hostile.long.test.ts', 'only acknowledged versions are stored'],
        [
          'journeys/order-hostile.long.test.ts',
          'bodies that are slow, cut, chunked or of another length are stored completely or not at all',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: tokens',
    statements: [
      must(
        'A missing or invalid token is 401 with a challenge, with `error="invalid_token"` if the request had a token. The scheme `Bearer` is not case-sensitive. A valid token without the required scope is 403.',
        ['journeys/order-hostile.long.test.ts', 'a request needs a valid token with the scope'],
        ['auth/jwt.test.ts', 'expired is refused'],
        ['auth/bearer-token.test.ts', 'with the scheme BEARER contains a token'],
        ['auth/scopes.test.ts', 'names the missing scope'],
        ['order-response/interactions.http.test.ts', 'refuses a token for reading with 403'],
      ),
      should(
        'Answers 401 and 403 have an outcome, and do not reveal what exists.',
        ['order-response/order-of-checks.http.test.ts', 'report a token before a missing resource'],
        ['order-response/order-of-checks.http.test.ts', 'report a scope before the format'],
        ['journeys/order-hostile.long.test.ts', 'a request needs a valid token with the scope'],
      ),
      should('Web pages of configured origins may read and write. The server supports TLS.', [
        'order-response/service.http.test.ts',
        'allows no origin to read answers, unless a setting names it',
      ]),
    ],
  },
  {
    title: 'Order responses: create',
    statements: [
      must(
        '`POST {base}/OrderResponse` is 201. `Location` and `Content-Location` are the URL of the version.',
        [
          'order-response/interactions.http.test.ts',
          'are created: 201, the address of the version, and an outcome with a narrative',
        ],
      ),
      should(
        'The answer has `ETag` and `Last-Modified`. `Prefer: return=representation` and `return=minimal` are supported; an error is always an outcome, which says what is wrong and where. A read returns what the client sent.',
        [
          'order-response/conditions.http.test.ts',
          'has meta.lastUpdated as Last-Modified, in whole seconds, the same as the write',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an unknown gender is 400 with its place, for a create and an update',
        ],
        ['order-response/validation.http.test.ts', 'has findings with the exact line and column'],
        [
          'order-response/conditions.http.test.ts',
          'applies to creates and updates that succeed, and not to errors',
        ],
        [
          'order-response/rules.property.test.ts',
          'is stored as it was sent, except for its id, version and date',
        ],
        [
          'order-response/interactions.http.test.ts',
          'keeps decimals, time zones, extensions and narratives as they were sent',
        ],
      ),
      choice(
        'The server keeps unknown profiles, security labels and tags, and warns about the profiles.',
        must(
          'The server assigns the id, version and date, and ignores the version and date of the body. Ids are valid and unique. It keeps profiles, security labels and tags.',
          [
            'order-response/interactions.http.test.ts',
            'are read as they were sent, except for id, version and date',
          ],
          [
            'order-response/interactions.http.test.ts',
            'keeps decimals, time zones, extensions and narratives as they were sent',
          ],
          ['fhir/stored-text.test.ts', 'keeps the elements before and after the version, in order'],
          [
            'order-response/interactions.http.test.ts',
            'are created: 201, the address of the version, and an outcome with a narrative',
          ],
          [
            'storage/repository.contract.ts',
            'creates the first version, with the time of its writing',
          ],
        ),
      ),
      must(
        'A body with an id, of another type, or that violates a rule of FHIR is 400. `POST` to the URL of a resource is 405.',
        ['order-response/interactions.http.test.ts', 'refuses a body with an id with 400'],
        ['order-response/interactions.http.test.ts', 'refuses another type with 400'],
        [
          'order-response/validation.http.test.ts',
          'with an unknown status is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an unknown element is 400, with line and column',
        ],
        ['order-response/interactions.http.test.ts', 'refuses a create at an id with 405'],
      ),
      must(
        'A body that FHIR allows, but that violates a rule of the service, is 422.',
        [
          'order-response/interactions.http.test.ts',
          'are 422 if they are valid FHIR but break a rule of the service',
        ],
        [
          'order-response/validation.http.test.ts',
          'with no contained patient is 422 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with faults of both kinds is 400, and lists all of them',
        ],
      ),
      must('The answer is an outcome with a narrative and one issue of severity information.', [
        'order-response/interactions.http.test.ts',
        'are created: 201, the address of the version, and an outcome with a narrative',
      ]),
      must(
        'A create with `If-None-Exist` creates at most one resource, in one atomic step. The header is a query, or a URL of this server and type; otherwise the answer is 400. Several matches are 412.',
        ['order-response/conditions.http.test.ts', 'finds an identifier unchanged'],
        ['order-response/conditions.http.test.ts', 'compares only with current versions'],
        [
          'journeys/order-hostile.long.test.ts',
          'of a hundred simultaneous conditional creates, one creates',
        ],
        [
          'order-response/conditions.http.test.ts',
          'is 412 if several resources have the identifier, and stores nothing',
        ],
        ['order-response/conditions.http.test.ts', 'is 400 for a header that is not a search'],
        ['order-response/conditions.http.test.ts', 'accepts the type before the search'],
        [
          'order-response/conditions.http.test.ts',
          'is 400 for a search of another server or type, and names the supported one',
        ],
      ),
    ],
  },
];
