/** What FHIR R4 requires besides of the directory, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

const ORGANIZATION = 'directory/r4/organization.http.test.ts';
const SEARCH = 'directory/r4/search.http.test.ts';
const AFFILIATION = 'directory/r4/affiliation.http.test.ts';
const TEMPLATES = 'directory/r4/templates.test.ts';

export const DIRECTORY_R4: readonly Chapter[] = [
  {
    title: 'The R4 interface',
    statements: [
      must('A resource has only elements of R4, in JSON and XML.', [
        TEMPLATES,
        'each record is the same from its template and from the codec, and valid in R4',
      ]),
      must('The media type may name the FHIR version; another version is 406 or 415.', [
        ORGANIZATION,
        'accept: application/fhir+json; fhirVersion=3.0 is answered with 406',
      ]),
      should(
        'The answer has the FHIR version in its media type if the request has it. `_lastUpdated` finds resources by `meta.lastUpdated`. `_sort` sorts by the first parameter first, and descends after a minus sign.',
        [ORGANIZATION, 'is in the answer if it is in the request'],
        [SEARCH, '_lastUpdated=gt2026-08-31 finds A81001, A81002, RR8, RR801, RTG, X1'],
        [SEARCH, '_sort=-lastChangeDate finds RTG, A81001, X1, RR801, RR8, A81002'],
      ),
      must(
        '`Last-Modified` is `meta.lastUpdated`, the time of the last change. The `ETag` is the version id.',
        [
          ORGANIZATION,
          'has its version as entity tag in both formats, and the date of its last edition',
        ],
        [
          AFFILIATION,
          'has its version as entity tag; an ordinal is another version in each edition',
        ],
      ),
      must(
        '`:not` finds resources that have none of the codes. A repeated parameter means AND, a comma OR. A reference parameter takes an id, a relative or an absolute reference. `_count` is the most matches on a page. `_elements` adds the tag `SUBSETTED`.',
        [SEARCH, 'roleCode:not=RO197 finds A81001, A81002, RR801, X1'],
        [SEARCH, 'roleCode=RO197&roleCode=RO57 finds RTG'],
        [SEARCH, 'with a _count above the limit has the largest page that the server allows'],
        [SEARCH, 'with _elements has these elements, the id and a tag'],
        [AFFILIATION, 'is found by primary-organization=Organization/A1: 11, 12'],
      ),
      must(
        '`_revinclude` adds the resources that refer to the matches. Included resources have the mode `include`, and do not count in `total`.',
        [AFFILIATION, 'is found with the organisations that it leads to, each once'],
        [AFFILIATION, 'is included with organisations by _revinclude, in both formats'],
      ),
      must('The capability statement names the parameters and includes of each type.', [
        AFFILIATION,
        'is in the capability statement with its parameters and includes',
      ]),
      choice(
        'R4 ignores a search parameter without a value, such as `name=`, as FHIR and the national service do, and says so in an OperationOutcome in the last entry. STU3 and the order responses refuse it.',
        should('A parameter without a value is not an error, and has no effect.', [
          'directory/r4/empty-parameters.http.test.ts',
          'a search of organisations ignores names with modifiers if they have no value',
        ]),
      ),
      should(
        'The server ignores unknown parameters by default.',
        'The R4 interface refuses them, as the STU3 interfaces do, and names the parameters that it has.',
      ),
    ],
  },
];
