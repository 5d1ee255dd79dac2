/** What FHIR requires of JSON, XML, data types and the resources in answers, with the tests that show it. */
import { type Chapter, choice, must, should } from './statement.ts';

export const FORMATS: readonly Chapter[] = [
  {
    title: 'JSON',
    statements: [
      must(
        'The root and each contained resource have `resourceType`: first in output, anywhere in input.',
        ['fhir/format/json.test.ts', 'no resourceType'],
        ['fhir/format/round-trip.test.ts', 'is the same for any order of its JSON properties'],
        ['fhir/format/json-values.test.ts', 'that are none'],
      ),
      must(
        'Names are case-sensitive. Elements that may repeat are arrays in their order, and no others. Nothing is empty. A choice element has the type in its name, and occurs at most once.',
        ['fhir/format/json.test.ts', 'another case'],
        ['fhir/format/round-trip.test.ts', 'is valid, and unchanged by validation'],
        ['fhir/format/json.test.ts', 'one value where there are many'],
        ['fhir/format/json.test.ts', 'many where there is one'],
        ['fhir/format/json.test.ts', 'an empty array'],
        ['fhir/format/json.test.ts', 'null as a value'],
        ['fhir/format/json.test.ts', 'two of a choice'],
        ['fhir/format/json.test.ts', 'a choice without its type'],
      ),
      must(
        'Numbers and booleans are JSON numbers and booleans. Integers have no decimal point and no exponent. Decimals keep their digits.',
        ['fhir/format/json-values.test.ts', 'a string for an integer'],
        ['fhir/format/json-values.test.ts', 'a string for a boolean'],
        ['fhir/format/json-values.test.ts', 'a fraction for an integer'],
        ['fhir/format/json-values.test.ts', 'an exponent for an integer'],
        [
          'fhir/format/round-trip.test.ts',
          'goes from JSON to XML and back unchanged, compact and indented',
        ],
      ),
      must(
        'The id and extensions of a primitive are in `_name`. Repeated primitives have two arrays, filled with null.',
        ['fhir/format/json.test.ts', 'a sibling with only an id'],
        ['fhir/format/round-trip.test.ts', 'is valid, and unchanged by validation'],
        ['fhir/format/json.test.ts', 'siblings of another number'],
        ['fhir/format/json.test.ts', 'null on both sides'],
        [
          'fhir/format/repeating-primitives.test.ts',
          'keeps its items in both arrays, through JSON and XML',
        ],
        ['fhir/format/repeating-primitives.test.ts', 'gets the nulls that a client left out'],
      ),
      must(
        'A narrative is one `div` and nothing else.',
        ['fhir/format/json-values.test.ts', 'with text before'],
        ['fhir/format/json-values.test.ts', 'with an XML declaration'],
      ),
      choice(
        'JSON with comments or duplicate names is not valid.',
        must(
          'JSON is UTF-8, without a byte order mark in output. Comments and duplicate names are not valid. White space outside strings has no meaning.',
          ['fhir/format/json.test.ts', 'bytes that are not UTF-8'],
          ['fhir/format/json.test.ts', 'a second byte order mark'],
          ['fhir/format/json.test.ts', 'a comment'],
          ['fhir/format/json.test.ts', 'two of one name'],
          ['fhir/format/json-values.test.ts', 'white space around a date'],
        ),
      ),
    ],
  },
  {
    title: 'XML',
    statements: [
      must(
        'The root element is the type, in the FHIR namespace, with any prefix; output uses the default namespace. Only narratives use another namespace.',
        ['fhir/format/xml.test.ts', 'without a namespace'],
        ['fhir/format/xml.test.ts', 'in another namespace'],
        ['fhir/format/xml-values.test.ts', 'tolerated'],
        ['fhir/format/xml-values.test.ts', 'writes the declaration and the default namespace'],
        ['fhir/format/xml.test.ts', 'of XHTML'],
      ),
      must(
        'Elements are in the order of the definition, also within data types and components. Repeated elements keep their order.',
        ['fhir/format/xml.test.ts', 'in a wrong order'],
        ['fhir/format/schema.test.ts', 'accepts random resources of any type'],
        ['fhir/format/xml.test.ts', 'in a wrong order inside a data type'],
        [
          'fhir/format/round-trip.test.ts',
          'goes from JSON to XML and back unchanged, compact and indented',
        ],
      ),
      must(
        '`value`, `url` and `id` are the only attributes; the id of a resource is an element. There are no empty elements or attributes. An element that contains a resource contains exactly one.',
        ['fhir/format/xml.test.ts', 'with an id as attribute'],
        [
          'fhir/format/xml-values.test.ts',
          'writes id and url as attributes, one resource in each contained',
        ],
        ['fhir/format/xml.test.ts', 'with a schema location'],
        ['fhir/format/xml.test.ts', 'unknown on a primitive'],
        ['fhir/format/xml.test.ts', 'an object'],
        ['fhir/format/xml.test.ts', 'a value'],
        ['fhir/format/xml-values.test.ts', 'two'],
      ),
      must(
        'XML is UTF-8, and output has an XML declaration. A DOCTYPE, an entity, or a character that XML does not allow is not valid.',
        ['fhir/format/xml.test.ts', 'another encoding'],
        ['fhir/format/xml-values.test.ts', 'writes the declaration and the default namespace'],
        ['fhir/format/xml.test.ts', 'a DOCTYPE'],
        ['fhir/format/hostile.test.ts', 'that grow are refused with their DOCTYPE'],
        ['fhir/format/hostile.test.ts', 'of files and addresses are refused with their DOCTYPE'],
        ['fhir/format/json-values.test.ts', 'a character that XML does not allow'],
        ['directory/read.http.test.ts', 'an outcome that quotes a request is valid XML'],
      ),
      should('Processing instructions and comments are ignored.', [
        'fhir/format/xml-values.test.ts',
        'tolerated',
      ]),
      choice(
        'In XML, white space around a value is trimmed if the schemas collapse it: in booleans, numbers, codes, URIs, dates and times, base64, OIDs and UUIDs. In JSON it is not valid there, except in base64. In both, it is not valid around an id or a reference, and stays in a string or in Markdown.',
        should(
          'White space around attribute values is trimmed.',
          [
            'fhir/format/white-space.test.ts',
            'around a … of … is trimmed in XML, and not valid in JSON',
          ],
          ['fhir/format/white-space.test.ts', 'around a … of … stays'],
          ['fhir/format/white-space.test.ts', 'around an id of … is not valid'],
          ['fhir/format/white-space.test.ts', 'in base64 of … is dropped'],
          [
            'order-response/validation.http.test.ts',
            'with … is … with its place, for a create and an update',
          ],
        ),
      ),
      must(
        'Output is valid against the schema, and writes tabs and line breaks in values as character references.',
        [
          'fhir/format/xml-values.test.ts',
          'writes tabs and line breaks in values as character references',
        ],
        ['fhir/format/schema.test.ts', 'accepts random resources of any type'],
        [
          'fhir/format/schema.test.ts',
          'accepts the official examples that were read from JSON and XML',
        ],
      ),
    ],
  },
  {
    title: 'Narratives and extensions',
    statements: [
      must(
        'A narrative has `status` and `div`, with text or an image. HTML entities are not valid.',
        ['fhir/format/json-values.test.ts', 'that are missing'],
        [
          'order-response/validation.http.test.ts',
          'with an empty narrative is 422 with its place, for a create and an update',
        ],
        ['fhir/format/json-values.test.ts', 'with an entity of HTML'],
        ['fhir/format/xml.test.ts', 'an entity of HTML'],
      ),
      choice(
        'An import drops narratives.',
        must(
          'A narrative contains only the HTML that FHIR allows. The directory writes no narratives, and an import drops them.',
          [
            'order-response/validation.http.test.ts',
            'with a script is 422 with its place, for a create and an update',
          ],
          [
            'fhir/rules/narrative-safety.test.ts',
            'is reported once for each kind, and at most a hundred times',
          ],
        ),
      ),
      choice(
        'Organisations have no narrative, because it would repeat the elements. Outcomes of creates and updates have one.',
        should(
          'Resources have a narrative. Outcomes of creates and updates have one. Organisations have none, because it would repeat the elements.',
          [
            'order-response/interactions.http.test.ts',
            'are created: 201, the address of the version, and an outcome with a narrative',
          ],
        ),
      ),
      must(
        'An extension has a `url`, and either a value or extensions. Extensions and data types have no modifierExtension.',
        ['fhir/format/json-values.test.ts', 'without value and extensions'],
        ['fhir/format/json-values.test.ts', 'with both'],
        ['fhir/format/json.test.ts', 'a required attribute missing'],
        ['fhir/format/json-values.test.ts', 'a modifierExtension inside'],
        ['fhir/format/json-values.test.ts', 'a modifierExtension in a data type'],
      ),
      choice(
        'An import leaves out the extensions that it does not know, including modifierExtensions, and reports each. An order response keeps all extensions.',
        must(
          'An unknown extension is not a reason to refuse a resource. An import leaves it out and reports it. An order response keeps it.',
          ['sources/fhir/organization-record.test.ts', 'an Organization is read'],
          [
            'order-response/validation.http.test.ts',
            'may have unknown extensions, also modifiers, and ids of elements, which are kept',
          ],
        ),
      ),
      must(
        'The server refuses an unknown modifierExtension, or warns about it.',
        'An import warns about every element that it leaves out. An order response is stored and returned completely.',
      ),
      choice(
        'Order responses keep the ids of elements that clients send. The server uses only those of contained resources.',
        must(
          'Ids of elements are unique in a resource.',
          'The directory writes no such ids. Order responses keep the ids that clients send. The server uses only the ids of contained resources.',
        ),
      ),
    ],
  },
  {
    title: 'Primitive types',
    statements: [
      must(
        'Values of every primitive type are checked: `id`, `boolean`, `integer`, `decimal`, `string`, `code`, `uri`, `oid`, `uuid`, `date`, `dateTime`, `instant`, `time`, `unsignedInt` and `positiveInt`. A date that is not in the calendar is not valid.',
        ['fhir/definitions/primitives.test.ts', 'id takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'boolean takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'integer takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'decimal takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'string takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'code takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'uri takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'oid takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'uuid takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'date takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'dateTime takes valid values and refuses others'],
        [
          'fhir/definitions/primitives.test.ts',
          'unsignedInt takes valid values and refuses others',
        ],
        [
          'fhir/definitions/primitives.test.ts',
          'positiveInt takes valid values and refuses others',
        ],
        ['fhir/definitions/primitives.test.ts', 'instant takes valid values and refuses others'],
        ['fhir/definitions/primitives.test.ts', 'time takes valid values and refuses others'],
        ['fhir/format/json-values.test.ts', 'a date that does not exist in the calendar'],
      ),
      must(
        'A dateTime keeps its zone and precision. White space in `base64Binary` has no meaning in XML.',
        [
          'fhir/format/round-trip.test.ts',
          'goes from JSON to XML and back unchanged, compact and indented',
        ],
        ['fhir/format/xml-values.test.ts', 'white space inside base64'],
      ),
    ],
  },
  {
    title: 'Resources in answers',
    statements: [
      must(
        'An Organization matches its definition: an identifier or a name, a system and a value of an identifier, data types, and codes from the required value sets.',
        ['directory/search.http.test.ts', 'without parameters finds A81001'],
        [
          'directory/current-edition.http.test.ts',
          'has one organisation on each line, the same as in a read, in the order of codes',
        ],
        ['fhir/format/json-values.test.ts', 'a code out of its list'],
        [
          'directory/search.http.test.ts',
          'without parameters finds A81001, A81002, RR8, RR801, RTG, X1',
        ],
        ['directory/search.http.test.ts', 'active=false finds A81002'],
      ),
      choice(
        'Addresses and telecoms of the directory have no `use`.',
        must('No address and no telecom has the use `home`.', 'The directory writes no `use`.'),
      ),
      choice(
        'Periods of the directory are as published.',
        must(
          'A telecom with a value has a system. A period starts before it ends.',
          'A telecom always has a system. Periods are as published.',
        ),
      ),
      must('A role is a complex extension. Exactly one role of a record is primary.', [
        'directory/read.http.test.ts',
        'uses the url of the primary role extension from the settings',
      ]),
      must(
        'An OperationOutcome matches its definition, with FHIR codes of issues.',
        ['directory/search.http.test.ts', 'name=ab is refused'],
        ['directory/read.http.test.ts', 'an outcome that quotes a request is valid XML'],
      ),
      must(
        'The CapabilityStatement has its required elements, each mode, type and parameter once, the kind `instance` with an implementation, and codes from the required value sets.',
        [
          'directory/definitions.http.test.ts',
          'metadata is valid in JSON and XML, indented or not, and the same in all',
        ],
        [
          'directory/definitions.http.test.ts',
          'names every type, interaction, parameter and document of the server',
        ],
      ),
      must(
        'A CodeSystem has a status and a content, and lists each code once.',
        [
          'directory/definitions.http.test.ts',
          'the code system of roles has each code once, also codes that the source does not define',
        ],
        [
          'directory/definitions.http.test.ts',
          'CodeSystem/ODSAPI-OrganizationRole-1 is valid in JSON and XML, indented or not, and the same in all',
        ],
      ),
    ],
  },
];
