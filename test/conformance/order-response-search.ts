/** What FHIR requires of searches of order responses, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

const HTTP = 'order-response/search.http.test.ts';
const CONDITIONAL = 'order-response/conditional-update.http.test.ts';
const STORE = 'storage/search.contract.ts';

export const ORDER_RESPONSE_SEARCH: readonly Chapter[] = [
  {
    title: 'Order responses: search',
    statements: [
      must(
        '`GET [type]?…` and `POST [type]/_search` are the same search. The answer is a Bundle of type searchset, with the exact total. The `self` link lists the parameters that were used. A link that has expired is 410.',
        [HTTP, 'is the same by POST, with the parameters of the URL and of the form'],
        [HTTP, 'is a Bundle with the current versions, the newest resource first'],
        [HTTP, 'lists in its self link what was used, and ignores unknown parameters if asked to'],
        [HTTP, 'are refused when their links are changed or too old'],
      ),
      must(
        'The parameters of DSTU2 are supported, also chained to contained resources, with `:missing`, `:not`, `:text`, and a type for references; other modifiers are refused. Every repetition must match; of comma-separated values, one. The result equals that of a comparison with every resource.',
        [HTTP, 'finds by identifier'],
        [HTTP, 'finds by request'],
        [HTTP, 'finds by who'],
        [HTTP, 'finds by date'],
        [HTTP, 'finds by code'],
        [HTTP, 'finds by fulfillment'],
        [HTTP, 'finds by request.patient.identifier'],
        [HTTP, 'finds by request:Order.patient:Patient.identifier'],
        [HTTP, 'finds by who.identifier'],
        [HTTP, 'finds by identifier:missing'],
        [HTTP, 'finds by code:not'],
        [HTTP, 'finds by identifier:text'],
        [HTTP, 'finds by fulfillment:DiagnosticReport'],
        [HTTP, 'is refused for code:exact=completed'],
        ['order-response/search-parameters.test.ts', 'only if every parameter matches'],
        [STORE, 'agrees with a comparison of all entries, for any resources and criteria'],
      ),
      choice(
        'A search of order responses refuses unknown parameters, unless the request has `Prefer: handling=lenient`.',
        should(
          'An unknown parameter is refused, or ignored with `Prefer: handling=lenient`. The pages of a search are stable while resources are written. A search that costs too much is refused with `too-costly`.',
          [
            HTTP,
            'lists in its self link what was used, and ignores unknown parameters if asked to',
          ],
          [HTTP, 'have the matches of the first page, whatever is written meanwhile'],
          [STORE, 'keeps the matches of the first page for the links to the others'],
          [HTTP, 'refuses a search that would look at too many resources'],
        ),
      ),
      must(
        '`_sort`, `_sort:asc` and `_sort:desc` sort by each key. `_summary` and `_elements` limit the resources, which are then tagged SUBSETTED.',
        [HTTP, 'is sorted by each key in turn'],
        [HTTP, 'has only the parts that the client wants'],
      ),
      must(
        'A conditional update updates the one resource that matches, creates one if none matches, and is 412 if several match. A condition may be any search. A client that may only write learns only whether an identifier exists.',
        [CONDITIONAL, 'creates if nothing matches, and then updates what matches'],
        [CONDITIONAL, 'is refused with 412 if several match, and with 400 for another id'],
        [CONDITIONAL, 'is one atomic step for many clients'],
        [
          'order-response/conditions.http.test.ts',
          'accepts any search, all of whose parameters must match',
        ],
        [
          CONDITIONAL,
          'shows a client that may only write whether an identifier exists, and nothing else',
        ],
      ),
    ],
  },
];
