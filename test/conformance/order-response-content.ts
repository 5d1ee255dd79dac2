/** What FHIR requires of the content of order responses, with the tests that show it. */
import { type Chapter, must } from './statement.ts';

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
      must('The server accepts `fhir_comments` and drops them.', [
        'order-response/validation.http.test.ts',
        'may have comments in fhir_comments, which are dropped',
      ]),
      must('A narrative in JSON may omit its namespace. XML output has it.', [
        'order-response/validation.http.test.ts',
        'may have a narrative without a namespace, which gets one in XML',
      ]),
      must('Ids of elements are valid ids.', [
        'order-response/validation.http.test.ts',
        'with an id of an element that is not valid is 400 with its place, for a create and an update',
      ]),
      must('A reference `#…` refers to a contained resource.', [
        'order-response/validation.http.test.ts',
        'with a reference to nothing is 400 with its place, for a create and an update',
      ]),
      must(
        'References have no identifier, family names repeat, and telecoms have no system `url` or `sms`.',
        ['order-response/validation.http.test.ts', 'with an identifier of a reference is 400'],
        ['order-response/validation.http.test.ts', 'with a family name outside of a list is 400'],
        [
          'order-response/validation.http.test.ts',
          'with a telephone of system url is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'XML output is valid against the schema of DSTU2.',
        [
          'order-response/schema.http.test.ts',
          'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
        ],
        [
          'order-response/rules.property.test.ts',
          'is valid for the schema of DSTU2 as it is stored',
        ],
      ),
    ],
  },
  {
    title: 'Order responses: the resource',
    statements: [
      must(
        '`request` and `orderStatus` occur exactly once.',
        [
          'order-response/validation.http.test.ts',
          'with no request is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with no status is 400 with its place, for a create and an update',
        ],
      ),
      must('`orderStatus` is one of nine codes.', [
        'order-response/validation.http.test.ts',
        'has one of the statuses of DSTU2',
      ]),
      must(
        '`who` is a Practitioner, an Organization or a Device.',
        [
          'order-response/validation.http.test.ts',
          'with a responder that is a patient is 400 with its place, for a create and an update',
        ],
        ['order-response/rules.test.ts', 'of a device is accepted'],
      ),
      must(
        '`orderStatus` and `implicitRules` change the meaning of the resource.',
        'The server does not interpret the resource: it returns what it stored.',
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
      must('If `orders.profile` is `base`, references may refer to other resources.', [
        'order-response/validation.http.test.ts',
        'may refer to anything if orders.profile is base',
      ]),
      must(
        'A local reference refers to a resource of an allowed type.',
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
        'A narrative has a status, and text or an image.',
        [
          'order-response/validation.http.test.ts',
          'with an empty narrative is 422 with its place, for a create and an update',
        ],
        ['fhir/format/json-values.test.ts', 'that are missing'],
      ),
      must(
        'A narrative contains only the HTML that FHIR allows. It cannot run code or load files.',
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
      must('A contained resource has no narrative (dom-1).', [
        'order-response/validation.http.test.ts',
        'with a contained resource with a narrative is 400 with its place, for a create and an update',
      ]),
      must('A contained resource contains no resources (dom-2).', [
        'order-response/validation.http.test.ts',
        'with a contained resource in a contained one is 400 with its place, for a create and an update',
      ]),
      must(
        'Something refers to each contained resource; this may be another contained resource (dom-3).',
        [
          'order-response/validation.http.test.ts',
          'with a contained resource that nothing refers to is 400 with its place, for a create and an update',
        ],
        ['fhir/rules/check-resource.test.ts', 'may be referred to by others'],
      ),
      must(
        'A contained resource has no version and no date. It may have profiles (dom-4).',
        [
          'order-response/validation.http.test.ts',
          'with a contained resource with a version is 400 with its place, for a create and an update',
        ],
        ['fhir/rules/check-resource.test.ts', 'have no version and no date, but profiles and tags'],
      ),
      must(
        'Each contained resource has a unique id.',
        [
          'order-response/validation.http.test.ts',
          'with a contained resource without an id is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with two contained resources of one id is 400 with its place, for a create and an update',
        ],
      ),
      must('The ids of contained resources stay as they were sent.', [
        'order-response/interactions.http.test.ts',
        'are read as they were sent, except for id, version and date',
      ]),
      must('Each `contained` has exactly one resource, and no extensions.', [
        'order-response/validation.http.test.ts',
        'with two resources in one contained is 400, with line and column',
      ]),
      must('Contained resources have no URL.', [
        'order-response/order-of-checks.http.test.ts',
        'report a contained type',
      ]),
      must(
        'The local references of a contained resource refer to other resources that the same resource contains.',
        [
          'fhir/rules/check-resource.test.ts',
          'in a contained resource reach only the contained resources of the outer one',
        ],
      ),
      must(
        'An Order has details, and not both a code and a schedule.',
        [
          'order-response/validation.http.test.ts',
          'with an order without a target is 400 with its place, for a create and an update',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a code and a schedule is 400 with its place, for a create and an update',
        ],
      ),
      must('An Order has at most one reason.', [
        'order-response/validation.http.test.ts',
        'with two reasons is 400 with its place, for a create and an update',
      ]),
      must(
        'The gender, birth date, contacts, languages and links of a Patient are valid.',
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
      ),
      must(
        'A Practitioner has one name, and qualifications with a code.',
        [
          'order-response/validation.http.test.ts',
          'with a practitioner with a list of names is 400',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a qualification without a code is 400 with its place, for a create and an update',
        ],
      ),
      must('The use of an identifier comes from the required value set.', [
        'order-response/validation.http.test.ts',
        'with an identifier of an unknown use is 400 with its place, for a create and an update',
      ]),
      must(
        'The uses and systems of names and telecoms come from the required value sets.',
        [
          'order-response/validation.http.test.ts',
          'with a hundred faults lists all of them, and with more a hundred and the number of others',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a telephone of system url is 400 with its place, for a create and an update',
        ],
      ),
      must(
        'Languages are language tags.',
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
      must('An outcome has issues with severity and code, and has no `expression`.', [
        'order-response/schema.http.test.ts',
        'outcomes, resources, histories and the Conformance are valid for the schema of DSTU2',
      ]),
      must('`location` is a simple XPath.', [
        'order-response/validation.http.test.ts',
        'with an unknown gender is 400 with its place, for a create and an update',
      ]),
      must(
        '`meta` has its elements in order.',
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
        'The answer lists up to 100 problems, then the number of further problems. It includes conditions that are not valid.',
        [
          'order-response/order-of-checks.http.test.ts',
          'reports problems of a condition and of the body together, in the order of the request',
        ],
        [
          'order-response/validation.http.test.ts',
          'with a hundred faults lists all of them, and with more a hundred and the number of others',
        ],
      ),
      must('For XML, each problem has its line and column.', [
        'order-response/validation.http.test.ts',
        'has findings with the exact line and column',
      ]),
      must(
        'A DOCTYPE, or an entity that XML does not define, is not valid.',
        ['order-response/validation.http.test.ts', 'with a DOCTYPE is 400, with line and column'],
        [
          'order-response/validation.http.test.ts',
          'with its own entity is 400, with line and column',
        ],
      ),
      must(
        'Depth, number of elements and length have limits.',
        [
          'order-response/validation.http.test.ts',
          'with more elements or levels than allowed is 400',
        ],
        ['order-response/interactions.http.test.ts', 'refuses a body that is too long with 413'],
      ),
      must('The server keeps unknown profiles and warns about them.', [
        'order-response/validation.http.test.ts',
        'may name unknown profiles, which are kept with a warning',
      ]),
      must(
        'An update that changes nothing creates a version. Any status may follow any other.',
        [
          'order-response/interactions.http.test.ts',
          'get a new version from an update that changes nothing',
        ],
        [
          'order-response/conditions.http.test.ts',
          'accepts any status after any other, and ignores the version and date of the client',
        ],
      ),
      must('A client that may only write does not see what others wrote.', [
        'order-response/conditions.http.test.ts',
        'shows existing resources only to clients that may read them',
      ]),
      must('Caches keep no answer.', [
        'order-response/interactions.http.test.ts',
        'are created: 201, the address of the version, and an outcome with a narrative',
      ]),
      must(
        "The request id is the client's if it is valid, and is in every answer.",
        [
          'order-response/conditions.http.test.ts',
          'every answer has a request id: the one of the client if it is valid, or else a new one',
        ],
        ['journeys/order-hostile.long.test.ts', 'headers of any kind do no harm'],
      ),
      must('`_pretty` indents the answer, and so does a request of a browser.', [
        'order-response/formats.http.test.ts',
        'is indented with _pretty=true and for a browser, compact otherwise, and means the same',
      ]),
      must(
        'The audit log records every access before the answer, including refused accesses.',
        [
          'order-response/service.http.test.ts',
          'records every access with the identity of the client, refused accesses too',
        ],
        ['storage/repository.contract.ts', 'records every access before the answer'],
      ),
      must('The server refuses a damaged body, or stores it so that every format shows the same.', [
        'order-response/damaged.property.test.ts',
        'a damaged body is refused with an outcome, or has the same content in every format',
      ]),
      must('No request stops the server.', [
        'journeys/order-hostile.long.test.ts',
        'bodies of any kind are refused with an outcome, and the server continues',
      ]),
    ],
  },
];
