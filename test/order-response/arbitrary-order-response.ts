/** Valid order responses for property tests: all that FHIR lets clients send, in FHIR's order. */

import {
  type FhirObject,
  type FhirValue,
  numberOf,
  type Resource,
} from '../../src/fhir/format/resource.ts';
import { fc } from '../property.ts';

type Model = Readonly<Record<string, fc.Arbitrary<FhirValue | undefined>>>;

/** The properties in the order of the model; those that are not required may be missing. */
function object(model: Model, required: readonly string[] = []): fc.Arbitrary<FhirObject> {
  const names = Object.keys(model);
  const options = names.map((name) => {
    const value = model[name] ?? fc.constant(undefined);
    return required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 });
  });
  return fc.tuple(...options).map((values) => {
    const pairs = names.map((name, index) => [name, values[index]] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  });
}

const list = (item: fc.Arbitrary<FhirValue>, maxLength = 2) =>
  fc.array(item, { minLength: 1, maxLength });
const constant = (value: FhirValue) => fc.constant(value);

const PIECES = [
  'a',
  'Ω',
  '\u{1f600}',
  ' ',
  '"',
  "'",
  '&',
  '<',
  '>',
  '\t',
  '\n',
  '\\',
  ']]>',
  '<script>',
];
const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''));
const id = fc.stringMatching(/^[A-Za-z0-9\-.]{1,12}$/);
const uri = fc.stringMatching(
  /^https:\/\/[a-z]{1,8}\.example\/[A-Za-z0-9&?='_-]{0,8}(#[a-z]{1,3})?$/,
);
const decimal = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,12})?$/).map(numberOf);
const zone = fc.constantFrom('Z', '+00:00', '-00:00', '+14:00', '-11:30', '+05:45', '+12:45');
const fraction = fc.constantFrom('', '.0', '.123', '.123456789');
const dateTime = fc.oneof(
  fc.constantFrom('2017', '2017-06', '2016-02-29', '0001-01-01'),
  fc.tuple(fraction, zone).map((parts) => `2017-06-15T14:57:54${parts.join('')}`),
);

const value: fc.Arbitrary<FhirObject> = fc.oneof(
  object({ valueString: text }, ['valueString']),
  object({ valueDecimal: decimal }, ['valueDecimal']),
  object({ valueDateTime: dateTime }, ['valueDateTime']),
  object({ valueBoolean: fc.boolean() }, ['valueBoolean']),
  object({ valueQuantity: object({ value: decimal, unit: text }, ['value']) }, ['valueQuantity']),
);
const simpleExtension = fc
  .tuple(fc.option(id, { nil: undefined }), uri, value)
  .map(([id, url, value]): FhirObject => ({ ...(id !== undefined && { id }), url, ...value }));
const nestedExtension = object(
  {
    url: uri,
    extension: list(
      fc.tuple(fc.constantFrom('short', 'urn:a'), value).map(([url, value]) => ({ url, ...value })),
    ),
  },
  ['url', 'extension'],
).map(({ url, extension }) => ({ extension, url }) as FhirObject);
const extension = list(fc.oneof(simpleExtension, nestedExtension));

/** A primitive with its sibling: a value, a value with id or extensions, or extensions alone. */
function primitive(name: string, of: fc.Arbitrary<FhirValue>): fc.Arbitrary<FhirObject> {
  const details = fc.oneof(object({ id }, ['id']), object({ id, extension }, ['extension']));
  return fc.oneof(
    { weight: 4, arbitrary: of.map((value): FhirObject => ({ [name]: value })) },
    fc
      .tuple(of, details)
      .map(([value, more]): FhirObject => ({ [name]: value, [`_${name}`]: more })),
    extension.map((extension): FhirObject => ({ [`_${name}`]: { extension } })),
  );
}

/** Parts of an object one after the other, each of which may be missing. */
function parts(...all: readonly fc.Arbitrary<FhirObject>[]): fc.Arbitrary<FhirObject> {
  return fc
    .tuple(...all.map((part) => fc.option(part, { nil: {}, freq: 2 })))
    .map((chosen) => Object.assign({}, ...chosen));
}

const coding = object(
  { id, extension, system: uri, code: fc.constantFrom('a', 'b c'), display: text },
  ['code'],
);
const concept = object({ coding: list(coding), text }, ['text']);
const period = fc.constantFrom<FhirObject>(
  { start: '2011' },
  { start: '2011-02', end: '2012-01-31' },
  { start: '2012-01-01T00:00:00+14:00', end: '2012-01-01T00:00:00Z' },
);
const identifier = object(
  { use: fc.constantFrom('usual', 'official'), type: concept, system: uri, value: text, period },
  ['value'],
);
const humanName = fc
  .tuple(
    parts(object({ use: constant('official') }, ['use']), primitive('text', text)),
    list(text),
    fc.option(extension, { nil: undefined }),
  )
  .map(
    ([start, family, extension]): FhirObject => ({
      ...start,
      family,
      ...(extension && { _family: family.map((_, index) => (index === 0 ? { extension } : null)) }),
    }),
  );
const telecom = object(
  { system: fc.constantFrom('phone', 'email'), value: text, rank: fc.integer({ min: 1, max: 9 }) },
  ['system', 'value'],
);
const gender = primitive('gender', fc.constantFrom('male', 'female', 'other', 'unknown'));

const div = fc
  .array(
    fc.constantFrom(
      'a',
      '&amp;&lt;',
      '<p class="b">c<br/></p>',
      '<a href="https://example.org/?a=1&amp;b">d</a>',
      '<a href="#e">f</a>',
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt=""/>',
      '<table border="0"><tr><td style="font-weight: bold;">g</td></tr></table>',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((pieces) => `<div xmlns="http://www.w3.org/1999/xhtml">${pieces.join('')}</div>`);
const narrative = object({ status: fc.constantFrom('generated', 'additional'), div }, [
  'status',
  'div',
]);

const contained = (resourceType: string, id: string, content: fc.Arbitrary<FhirObject>) =>
  fc
    .tuple(
      parts(
        object({ meta: object({ profile: list(uri), tag: list(coding) }, ['profile']) }, ['meta']),
        object({ extension }, ['extension']),
      ),
      content,
    )
    .map(([start, rest]): FhirObject => ({ resourceType, id, ...start, ...rest }));

const order = contained(
  'Order',
  'order',
  object(
    {
      identifier: list(identifier),
      date: dateTime,
      subject: constant({ reference: '#pat' }),
      reasonCodeableConcept: concept,
      when: object({ code: concept }, ['code']),
      detail: list(
        fc.constantFrom<FhirObject>(
          { reference: 'https://example.org/DiagnosticReport/1' },
          { display: 'a' },
        ),
      ),
    },
    ['subject', 'detail'],
  ),
);
const patient = contained(
  'Patient',
  'pat',
  fc
    .tuple(
      parts(
        object({ identifier: list(identifier) }, ['identifier']),
        object({ active: fc.boolean() }, ['active']),
        object({ name: list(humanName) }, ['name']),
        object({ telecom: list(telecom) }, ['telecom']),
        gender,
        primitive('birthDate', fc.constantFrom('1998-03-19', '1998', '2000-02')),
      ),
      object({ multipleBirthInteger: fc.integer({ min: 1, max: 4 }) }),
    )
    .map(([start, end]): FhirObject => ({ ...start, ...end })),
);
const practitioner = contained(
  'Practitioner',
  'prac',
  object({ identifier: list(identifier), name: humanName }),
);
const organization = contained(
  'Organization',
  'org',
  object({ identifier: list(identifier), name: text, telecom: list(telecom) }, ['name']),
);
const observation = contained(
  'Observation',
  'obs',
  object(
    {
      status: constant('final'),
      code: concept,
      subject: constant({ reference: '#pat' }),
      effectiveDateTime: dateTime,
      performer: constant([{ reference: '#org' }]),
      valueQuantity: object(
        {
          value: decimal,
          unit: text,
          system: constant('http://unitsofmeasure.org'),
          code: constant('mg'),
        },
        ['value', 'system', 'code'],
      ),
    },
    ['status', 'code', 'performer'],
  ),
);

/** With Order, Patient and Practitioner contained, in any order, and sometimes two more. */
export const arbitraryOrderResponse: fc.Arbitrary<Resource> = fc
  .tuple(
    parts(
      object(
        {
          meta: object(
            { id, extension, profile: list(uri), security: list(coding), tag: list(coding) },
            ['tag'],
          ),
        },
        ['meta'],
      ),
      object({ language: fc.constantFrom('en', 'cy-GB') }, ['language']),
      object({ text: narrative }, ['text']),
    ),
    fc
      .tuple(order, patient, practitioner, fc.option(fc.tuple(observation, organization)))
      .chain(([a, b, c, more]) => {
        const all: FhirObject[] = [a, b, c, ...(more ?? [])];
        return fc.shuffledSubarray(all, { minLength: all.length });
      }),
    parts(
      object({ extension }, ['extension']),
      object({ identifier: list(identifier) }, ['identifier']),
    ),
    parts(primitive('date', dateTime)),
    fc.constantFrom(
      'pending',
      'review',
      'rejected',
      'error',
      'accepted',
      'cancelled',
      'replaced',
      'aborted',
      'completed',
    ),
    parts(primitive('description', text)),
  )
  .map(([start, contained, own, date, orderStatus, description]) => ({
    resourceType: 'OrderResponse',
    ...start,
    contained,
    ...own,
    request: { reference: '#order' },
    ...date,
    who: { reference: '#prac' },
    orderStatus,
    ...description,
    ...(contained.length > 3 && { fulfillment: [{ reference: '#obs' }] }),
  }));
