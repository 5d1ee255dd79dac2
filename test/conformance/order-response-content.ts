/** What FHIR requires of the content of order responses, with the tests that show it. */
import { type Chapter, choice, must } from './statement.ts';

export const ORDER_RESPONSE_CONTENT: readonly Chapter[] = [
  {
    title: 'Order responses: JSON and XML of DSTU2',
    statements: [
      must(
        'The rules for JSON and XML in the sections above apply.',
        ['order-response/validation.http.test.ts', 'with a name twice is 400'],
        [
          'order-response/validation.http.test.ts',
          'with elements in a wrong order is 400, with line and column',
        ],
      ),
      choice(
        'The server accepts `fhir_comments` and drops them. A narrative in JSON may omit its namespace.',
        must(
          'The server accepts `fhir_comments` and drops them. A narrative in JSON may omit its namespace. XML output has it, and is valid against the schema of DSTU2.',
          [
            'order-response/validation.http.test.ts',
            'may have comments in fhir_comments, which are dropped',
          ],
          [
            'order-response/validation.http.test.ts',
            'may have a narrative without a namespace, which gets one in XML',
          ],
          [
            'order-response/schema.http.test.ts',
            'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
          ],
          [
            'order-response/rules.property.test.ts',
            'is valid for the schema of DSTU2 as it is stored',
          ],
        ),
      ),
      must(
        'Ids of elements are valid ids. A reference `#…` refers to a contained resource.',
        [
          'order-response/validation.http.test.ts',
          'with an id of an element that is not valid is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a reference to nothing is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'References have no identifier, family names repeat, and telecoms have no system `url` or `sms`.',
        ['order-response/validation.http.test.ts', 'with an identifier of a reference is 400'],
        ['order-response/validation.http.test.ts', 'with a family name outside of a list is 400'],
        [
          'order-response/validation.http.test.ts',
          'with a telephone of system url is 400 with its place, for a create and an update',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: the resource',
    statements: [
      must(
        '`request` and `orderStatus` occur exactly once. `orderStatus` is one of nine codes. `who` is a Practitioner, an Organization or a Device.',
        [
          'order-response/validation.http.test.ts',
          'with no request is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with no status is 400 with its place, for a create and an update',
        ],
        ['order-response/validation.http.test.ts', 'has one of the statuses of DSTU2'],
        [
          'order-response/validation.http.test.ts',
          'with a responder that is a patient is 400 with its place, for a create and an update',
        ],
        ['order-response/rules.test.ts', 'of a device is accepted'],
      ),
      choice(
        'The server does not interpret `orderStatus`, `implicitRules` and modifier extensions: it returns what it stored. Any status may follow any other.',
        must(
          '`orderStatus` and `implicitRules` change the meaning of the resource.',
          'The server does not interpret the resource: it returns what it stored.',
        ),
      ),
      must(
        '`date` stays as it was sent. A time has a zone.',
        [
          'order-response/validation.http.test.ts',
          'may have dates of any precision, and times with a zone',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a time without a zone is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'If `orders.profile` is `base`, references may refer to other resources. A local reference refers to a resource of an allowed type.',
        [
          'order-response/validation.http.test.ts',
          'may refer to anything if orders.profile is base',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a request that is not an order is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an order about a practitioner is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'A narrative has a status, and text or an image, and only the HTML that FHIR allows. It cannot run code or load files.',
        [
          'order-response/validation.http.test.ts',
          'with an empty narrative is 422 with its place, for a create and an update',
        ],
        ['fhir/format/json-values.test.ts', 'that are missing'],
        [
          'order-response/validation.http.test.ts',
          'with a script is 422 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a link that runs a script a script a script a script is 422 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an image from elsewhere is 422 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a style with an address is 422 with its place, for a create and an update',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: contained resources',
    statements: [
      must(
        'A contained resource has no narrative (dom-1), no contained resources (dom-2), and no version and no date (dom-4). Something refers to it (dom-3).',
        [
          'order-response/validation.http.test.ts',
          'with a contained resource with a narrative is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a contained resource in a contained one is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a contained resource that nothing refers to is 400 with its place, for a create and an update',
        ],
        ['fhir/rules/check-resource.test.ts', 'may be referred to by others'],
        [
          'order-response/validation.http.test.ts',
          'with a contained resource with a version is 400 with its place, for a create and an update',
        ],
        ['fhir/rules/check-resource.test.ts', 'have no version and no date, but profiles and tags'],
      ),
      must(
        'Each `contained` has exactly one resource, with a unique id that stays as it was sent, and without extensions. Its local references refer to other resources that the same resource contains.',
        [
          'order-response/validation.http.test.ts',
          'with a contained resource without an id is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with two contained resources of one id is 400 with its place, for a create and an update',
        ],
        [
          'order-response/interactions.http.test.ts',
          'are read as they were sent, except for id, version and date',
        ],
        [
          'order-response/validation.http.test.ts',
          'with two resources in one contained is 400, with line and column',
        ],
        ['order-response/order-of-checks.http.test.ts', 'report a contained type'],
        [
          'fhir/rules/check-resource.test.ts',
          'in a contained resource reach only the contained resources of the outer one',
        ],
      ),
      must(
        'An Order has details, not both a code and a schedule, and at most one reason.',
        [
          'order-response/validation.http.test.ts',
          'with an order without a target is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a code and a schedule is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with two reasons is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'A Patient and a Practitioner match their definitions. The uses and systems of identifiers, names and telecoms come from the required value sets. Languages are language tags.',
        [
          'order-response/validation.http.test.ts',
          'with an unknown gender is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a birth date with a time is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a contact without details is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a communication without a language is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a link without a type is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a practitioner with a list of names is 400',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a qualification without a code is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an identifier of an unknown use is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a hundred faults lists all of them, and with more a hundred and the number of others',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a telephone of system url is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a language that is not valid is 400 with its place, for a create and an update',
        ],
        ['fhir/rules/check-resource.test.ts', 'must not have languages that are not language tags'],
      ),
    ],
  },
  {
    title: 'Order responses: outcomes and meta',
    statements: [
      must(
        'An outcome has issues with severity and code, and no `expression`. `location` is a simple XPath. `meta` has its elements in order.',
        [
          'order-response/schema.http.test.ts',
          'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
        ],
        [
          'order-response/validation.http.test.ts',
          'with an unknown gender is 400 with its place, for a create and an update',
        ],
        ['fhir/stored-text.test.ts', 'keeps the elements before and after the version, in order'],
        [
          'order-response/rules.property.test.ts',
          'is valid for the schema of DSTU2 as it is stored',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: further guarantees',
    statements: [
      must(
        'The order of the checks is: path, method, token, `Accept`, media type and length of the body, conditions and body, rules of the service.',
        [
          'order-response/order-of-checks.http.test.ts',
          'reports 401 authorization before all later checks',
        ],
        [
          'order-response/order-of-checks.http.test.ts',
          'reports 406 accept before all later checks',
        ],
        [
          'order-response/order-of-checks.http.test.ts',
          'reports 413 a body before all later checks',
        ],
        [
          'order-response/order-of-checks.http.test.ts',
          'reports 409 if-match before all later checks',
        ],
        ['order-response/order-of-checks.http.test.ts', 'report an unknown path before the token'],
        ['order-response/order-of-checks.http.test.ts', 'report a method before the token'],
      ),
      must(
        'The answer lists up to 100 problems, also of conditions; for XML with line and column. A DOCTYPE, or an entity that XML does not define, is not valid. Depth, number of elements and length have limits.',
        [
          'order-response/order-of-checks.http.test.ts',
          'reports problems of a condition and of the body together, in the order of the request',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a hundred faults lists all of them, and with more a hundred and the number of others',
        ],
        ['order-response/validation.http.test.ts', 'has findings with the exact line and column'],
        ['order-response/validation.http.test.ts', 'with a DOCTYPE is 400, with line and column'],
        [
          'order-response/validation.http.test.ts',
          'with its own entity is 400, with line and column',
        ],
        [
          'order-response/validation.http.test.ts',
          'with more elements or levels than allowed is 400',
        ],
        ['order-response/interactions.http.test.ts', 'refuses a body that is too long with 413'],
      ),
      must(
        'The server keeps unknown profiles and warns about them. An update that changes nothing creates a version. Any status may follow any other.',
        [
          'order-response/validation.http.test.ts',
          'may name unknown profiles, which are kept with a warning',
        ],
        [
          'order-response/interactions.http.test.ts',
          'get a new version from an update that changes nothing',
        ],
        [
          'order-response/conditions.http.test.ts',
          'accepts any status after any other, and ignores the version and date of the client',
        ],
      ),
      must(
        'A client that may only write does not see what others wrote. Caches keep no answer. The audit log records every access before the answer, including refused accesses.',
        [
          'order-response/conditions.http.test.ts',
          'shows existing resources only to clients that may read them',
        ],
        [
          'order-response/interactions.http.test.ts',
          'are created: 201, the address of the version, and an outcome with a narrative',
        ],
        [
          'order-response/service.http.test.ts',
          'records every access with the identity of the client, refused accesses too',
        ],
        ['storage/repository.contract.ts', 'records every access before the answer'],
      ),
      must(
        "The request id is the client's if it is valid, and is in every answer. `_pretty` indents the answer, and so does a request of a browser.",
        [
          'order-response/conditions.http.test.ts',
          'every answer has a request id: the one of the client if it is valid, or else a new one',
        ],
        ['journeys/order-hostile.long.test.ts', 'headers of any kind do no harm'],
        [
          'order-response/formats.http.test.ts',
          'is indented with _pretty=true and for a browser, compact otherwise, and means the same',
        ],
      ),
      must(
        'The server refuses a damaged body, or stores it so that every format shows the same. No request stops the server.',
        [
          'order-response/damaged.property.test.ts',
          'a damaged body is refused with an outcome, or has the same content in every format',
        ],
        [
          'journeys/order-hostile.long.test.ts',
          'bodies of any kind are refused with an outcome, and the server continues',
        ],
      ),
    ],
  },
];
