/** What FHIR requires of searches of order responses, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const HTTP = 'order-response/search.http.test.ts';
const CONDITIONAL = 'order-response/conditional-update.http.test.ts';
const STORE = 'storage/search.contract.ts';

export const ORDER_RESPONSE_SEARCH: readonly Chapter[] = [
  {
    title: 'Order responses: search',
    statements: [
      must('`GET [type]?…` and `POST [type]/_search` are the same search.', [
        HTTP,
        'is the same by POST, with the parameters of the URL and of the form',
      ]),
      must('The answer is a Bundle of type searchset, with the exact total.', [
        HTTP,
        'is a Bundle with the current versions, the newest resource first',
      ]),
      must(
        'The parameters of DSTU2 are supported: `_id`, `_lastUpdated`, `identifier`, `request`, `who`, `date`, `code`, `fulfillment`.',
        [HTTP, 'finds by identifier'],
        [HTTP, 'finds by request'],
        [HTTP, 'finds by who'],
        [HTTP, 'finds by date'],
        [HTTP, 'finds by code'],
        [HTTP, 'finds by fulfillment'],
      ),
      must(
        'Chained parameters search contained resources, with or without types.',
        [HTTP, 'finds by request.patient.identifier'],
        [HTTP, 'finds by request:Order.patient:Patient.identifier'],
        [HTTP, 'finds by who.identifier'],
      ),
      must(
        'The modifiers are those of the parameter types: `:missing`, `:not`, `:text`, and a type for references.',
        [HTTP, 'finds by identifier:missing'],
        [HTTP, 'finds by code:not'],
        [HTTP, 'finds by identifier:text'],
        [HTTP, 'finds by fulfillment:DiagnosticReport'],
      ),
      must('An unsupported modifier is refused.', [HTTP, 'is refused for code:exact=completed']),
      must(
        'Every repetition of a parameter must match; of comma-separated values, one must match.',
        ['order-response/search-parameters.test.ts', 'only if every parameter matches'],
        [HTTP, 'finds by code'],
      ),
      must('The result equals that of a comparison with every resource.', [
        STORE,
        'agrees with a comparison of all entries, for any resources and criteria',
      ]),
      must('The `self` link lists the parameters that were used.', [
        HTTP,
        'lists in its self link what was used, and ignores unknown parameters if asked to',
      ]),
      should('An unknown parameter is refused, or ignored with `Prefer: handling=lenient`.', [
        HTTP,
        'lists in its self link what was used, and ignores unknown parameters if asked to',
      ]),
      must('`_sort`, `_sort:asc` and `_sort:desc` sort by each key in turn.', [
        HTTP,
        'is sorted by each key in turn',
      ]),
      must('`_summary` and `_elements` limit the resources, which are then tagged SUBSETTED.', [
        HTTP,
        'has only the parts that the client wants',
      ]),
      should(
        'The pages of a search are stable while resources are written.',
        [HTTP, 'have the matches of the first page, whatever is written meanwhile'],
        [STORE, 'keeps the matches of the first page for the links to the others'],
      ),
      must(
        'A conditional update updates the one resource that matches, creates one if none matches, and is 412 if several match.',
        [CONDITIONAL, 'creates if nothing matches, and then updates what matches'],
        [CONDITIONAL, 'is refused with 412 if several match, and with 400 for another id'],
        [CONDITIONAL, 'is one atomic step for many clients'],
      ),
      must('A condition may be any search.', [
        'order-response/conditions.http.test.ts',
        'accepts any search, all of whose parameters must match',
      ]),
      must(
        'A client that may only write learns of a condition whether an identifier exists, and nothing else.',
        [
          CONDITIONAL,
          'shows a client that may only write whether an identifier exists, and nothing else',
        ],
      ),
      must('A link that has expired is 410.', [
        HTTP,
        'are refused when their links are changed or too old',
      ]),
      should('A search that costs too much is refused with `too-costly`.', [
        HTTP,
        'refuses a search that would look at too many resources',
      ]),
    ],
  },
];
