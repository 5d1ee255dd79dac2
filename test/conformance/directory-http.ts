/** What FHIR requires of the HTTP interface of the directory, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

export const DIRECTORY_HTTP: readonly Chapter[] = [
  {
    title: 'Addresses',
    statements: [
      must('The base URL has no trailing slash. Resources are at `{base}/{type}/{id}`.', [
        'directory/read.http.test.ts',
        'answers validators and open headers',
      ]),
      choice(
        'A read also finds a code in lower case, as the national service did, or with white space and invisible characters that came with a paste. `Content-Location` names the resource. In searches, the case of `_id` matters. R4 ignores white space and invisible characters around `_id`, `identifier` and references to organisations; STU3 refuses them.',
        must(
          'Paths and ids are case-sensitive. A type in another case, or one that the server does not serve, is 404. Exception: a read finds a code in lower case, as the national service did, and `Content-Location` names the resource.',
          ['directory/read.http.test.ts', 'organization/RR8 is 404 with an outcome'],
          ['directory/read.http.test.ts', 'finds a code in lower case and returns its address'],
          ['directory/read.http.test.ts', 'Patient is 404 with an outcome'],
        ),
      ),
      should(
        'Percent-encoding is decoded as UTF-8, including `:`, `|` and `,`.',
        ['directory/search.http.test.ts', 'name%3Acontains=TEACHING finds RR8'],
        ['directory/search.http.test.ts', '_id=RTG%2CA81001 finds A81001, RTG'],
      ),
      must(
        'The `http:` and `https:` forms of one address are the same resource.',
        'The base URL is one setting. Every link begins with it.',
      ),
    ],
  },
  {
    title: 'Formats of answers',
    statements: [
      must(
        '`application/fhir+json` and `application/fhir+xml` are the formal media types, in UTF-8. The server evaluates `Accept`, with lists, weights and wildcards. Without a preference the answer is JSON.',
        [
          'directory/read.http.test.ts',
          'Accept: none and no _format give application/fhir+json; charset=utf-8',
        ],
        [
          'directory/read.http.test.ts',
          'Accept: application/fhir+xml;q=0.5, application/fhir+json;q=0.4 and no _format give application/fhir+xml; charset=utf-8',
        ],
        [
          'directory/read.http.test.ts',
          'Accept: application/* and no _format give application/fhir+json; charset=utf-8',
        ],
      ),
      should(
        'A generic type (`application/xml`, `text/xml`, `application/json`, `text/json`) is returned under its own name.',
        [
          'directory/read.http.test.ts',
          'Accept: text/xml and no _format give text/xml; charset=utf-8',
        ],
      ),
      should('`_format` overrides `Accept`, for read, search and metadata.', [
        'directory/read.http.test.ts',
        'Accept: application/xml and _format=json give application/fhir+json; charset=utf-8',
      ]),
      must(
        'All names of XML and of JSON are understood, with a `+` that arrives as a space.',
        [
          'directory/read.http.test.ts',
          'Accept: none and _format=text/xml give application/fhir+xml; charset=utf-8',
        ],
        [
          'directory/read.http.test.ts',
          'Accept: none and _format=application/json%2Bfhir give application/fhir+json; charset=utf-8',
        ],
        [
          'directory/read.http.test.ts',
          'Accept: none and _format=application/fhir+xml give application/fhir+xml; charset=utf-8',
        ],
      ),
      must(
        'A body of an unsupported type is 415 with an outcome. `_format` does not affect how the server reads a body.',
        ['directory/search-form.http.test.ts', 'answers every unreadable body with an outcome'],
        ['directory/search-form.http.test.ts', 'prefers _format in the body to Accept'],
      ),
      choice(
        'A `_format` that is not valid is 400, as in the national service, and not 406.',
        must(
          'An `Accept` that names no supported type is 406 with an outcome. A `_format` that is not valid is 400, as in the national service.',
          [
            'directory/read.http.test.ts',
            'Accept: image/png is 406 with an outcome in the default format',
          ],
          [
            'directory/read.http.test.ts',
            'that is not understood in _format is 400, and only listed once in a search',
          ],
        ),
      ),
      must(
        'Parameters of a media type do not affect the match, in `Accept` and in `_format`.',
        [
          'directory/read.http.test.ts',
          'Accept: application/xml and _format=application/fhir+json;fhirVersion=3.0 give application/fhir+json; charset=utf-8',
        ],
        [
          'directory/read.http.test.ts',
          'Accept: application/fhir+json;fhirVersion=3.0 and no _format give application/fhir+json; charset=utf-8',
        ],
      ),
      should('An answer that depends on `Accept` has `Vary: Accept`.', [
        'directory/read.http.test.ts',
        'Accept: none and no _format give application/fhir+json; charset=utf-8',
      ]),
    ],
  },
  {
    title: 'Read',
    statements: [
      must(
        'A read returns one resource, with the id of the URL.',
        [
          'directory/legacy-json.http.test.ts',
          'has single objects and strings in the same places as the national service',
        ],
        [
          'directory/current-edition.http.test.ts',
          'has one organisation on each line, the same as in a read, in the order of codes',
        ],
        ['directory/read.http.test.ts', 'finds a code in lower case and returns its address'],
        [
          'directory/definitions.http.test.ts',
          'CodeSystem/ODSAPI-OrganizationRole-1 has the id of its address and the published url',
        ],
      ),
      should(
        'The answer has the `ETag` of the record, and `Last-Modified` equals `meta.lastUpdated`.',
        ['directory/read.http.test.ts', 'answers validators and open headers'],
      ),
      choice(
        'In STU3, records have no versions: `meta.versionId` is absent, and the `ETag` is a hash of the record and the settings.',
        must(
          'The `ETag` is the version id, as a weak tag.',
          'Records have no versions. The tag is weak: a hash of the record and the settings.',
        ),
      ),
      must(
        'Without versions there is no `meta.versionId`, and `lastUpdated` is correct.',
        [
          'directory/searchset.test.ts',
          'equals the output of the codec, in json with directory.json = fhir',
        ],
        ['directory/templates.test.ts', 'write the same as the codec, in JSON (fhir) and XML'],
      ),
      must(
        'An id that is unknown or not valid is 404 with an outcome.',
        [
          'directory/read.http.test.ts',
          'of Organization/NONE is 404 NO_RECORD_FOUND, in JSON and XML',
        ],
        [
          'directory/read.http.test.ts',
          'of Organization/A%20B is 404 NO_RECORD_FOUND, in JSON and XML',
        ],
      ),
      must('`If-None-Match` overrides `If-Modified-Since`.', [
        'directory/read.http.test.ts',
        'If both are sent, only If-None-Match applies',
      ]),
    ],
  },
  {
    title: 'Search requests',
    statements: [
      must(
        '`GET {base}/Organization?…` and `POST {base}/Organization/_search` are the same search. The parameters of the URL and of the form apply together.',
        [
          'directory/search.http.test.ts',
          'without parameters finds A81001, A81002, RR8, RR801, RTG, X1',
        ],
        [
          'directory/search-form.http.test.ts',
          'of "" and "name=leeds&_count=1" is answered as GET name=leeds&_count=1',
        ],
        [
          'directory/search-form.http.test.ts',
          'of "ods-org-role=197" and "ods-org-role=57" is answered as GET ods-org-role=197&ods-org-role=57',
        ],
      ),
      must('A form of another media type is 415; a `charset` is allowed.', [
        'directory/search-form.http.test.ts',
        'answers every unreadable body with an outcome',
      ]),
      must(
        'A valid search is 200 with a searchset, even without matches. A search that fails is 4xx or 5xx with an outcome.',
        ['directory/search.http.test.ts', '_id=rr8 finds nothing'],
        ['directory/search.http.test.ts', 'foo=1&name=ab&foo=2&_count=99 is refused'],
        [
          'directory/read.http.test.ts',
          'the directory answers 503 with Retry-After, and metadata as usual',
        ],
      ),
      must(
        '`GET` changes nothing.',
        'No request changes the directory. A read of an order response only adds an entry to the audit log.',
      ),
    ],
  },
  {
    title: 'Unsupported interactions',
    statements: [
      must(
        'Methods that write are 405 with `Allow` and an outcome. Unknown paths are 404 with an outcome.',
        [
          'directory/read.http.test.ts',
          'DELETE Organization/RR8 is 405 with Allow and an outcome, in JSON and XML',
        ],
        ['directory/read.http.test.ts', 'metadata/x is 404 with an outcome'],
      ),
      should(
        'If the server keeps no history, a request for a history is 404 with an outcome that says so.',
        ['directory/read.http.test.ts', 'Organization/RR8/_history is 404 with an outcome'],
      ),
    ],
  },
  {
    title: 'Capabilities',
    statements: [
      must(
        '`metadata` is a CapabilityStatement, with status 200. It lists types, interactions, and parameters with their types, and contains `acceptUnknown`, `format`, `fhirVersion`, `kind`, `date` and `status`.',
        [
          'directory/definitions.http.test.ts',
          'metadata is valid in JSON and XML, indented or not, and the same in all',
        ],
        [
          'directory/read.http.test.ts',
          'the directory answers 503 with Retry-After, and metadata as usual',
        ],
        [
          'directory/definitions.http.test.ts',
          'names every type, interaction, parameter and document of the server',
        ],
      ),
      should(
        'It has an `ETag` that changes when it changes. It also lists parameters that FHIR does not define.',
        [
          'directory/read.http.test.ts',
          'metadata is 304 for its ETag, strong, weak, in a list and *',
        ],
        [
          'directory/definitions.http.test.ts',
          'names every type, interaction, parameter and document of the server',
        ],
        [
          'directory/definitions.http.test.ts',
          'search parameters name the elements that they compare',
        ],
      ),
    ],
  },
  {
    title: 'Errors and headers',
    statements: [
      should(
        'Every error has an outcome with at least one error, in the format of the answer. `location` names the parameter.',
        ['directory/search.http.test.ts', 'name=ab is refused'],
        [
          'directory/read.http.test.ts',
          'PUT metadata is 405 with Allow and an outcome, in JSON and XML',
        ],
        ['directory/search.http.test.ts', 'name:missing=true is refused'],
      ),
      must(
        '`issue.code` is the best FHIR code. The code of the service is in `details`, a CodeableConcept.',
        ['directory/search.http.test.ts', 'identifier=x|A1 is refused'],
        ['directory/search.http.test.ts', 'name=ab is refused'],
      ),
      must(
        'A fault is 500, with an outcome that does not reveal its cause.',
        [
          'fhir/handle.test.ts',
          'a fault is 500 with the request id, without details of the fault, and is reported',
        ],
        [
          'server/http-listener.test.ts',
          'answers a fault with 500 only to its request, without details of the fault',
        ],
      ),
      should(
        'Web pages of other origins may read, and see the validators.',
        [
          'directory/read.http.test.ts',
          'a preflight of Organization from any origin gets GET, HEAD, OPTIONS',
        ],
        ['directory/read.http.test.ts', 'answers validators and open headers'],
        ['journeys/legacy-clients.long.test.ts', 'a page in a browser reads across origins'],
      ),
      should(
        'The server supports TLS.',
        'See [Use TLS or a proxy](../how-to/use-tls-or-a-proxy.md).',
      ),
      should('Every answer has a `Date`.', 'Node writes this header.'),
    ],
  },
];
