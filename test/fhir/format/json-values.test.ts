/** Extensions, values, nested resources and narratives in JSON. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { stu3 } from '../../../src/fhir/definitions/published.ts';
import { encodeJson } from '../../../src/fhir/format/json.ts';
import { decode, P, patient, refuses } from './json-cases.ts';

describe('extensions', () => {
  const extension = (members: string) => patient(`"extension":[{"url":"http://a.b",${members}}]`);
  const E = `${P}/f:extension[1]`;
  refuses([
    {
      name: 'without value and extensions',
      body: patient('"extension":[{"url":"http://a.b"}]'),
      findings: [`invariant ${E}`],
      text: /ext-1/,
    },
    {
      name: 'with both',
      body: extension('"valueCode":"a","extension":[{"url":"c","valueCode":"d"}]'),
      findings: [`invariant ${E}`],
    },
    {
      name: 'with two values',
      body: extension('"valueCode":"a","valueString":"b"'),
      findings: [`structure ${E}/f:valueCode`],
    },
    {
      name: 'a modifierExtension inside',
      body: extension('"valueCode":"a","modifierExtension":[{"url":"http://a.b","valueCode":"d"}]'),
      findings: [`structure ${E}/f:modifierExtension`],
    },
    {
      name: 'a modifierExtension in a data type',
      body: patient(
        '"name":[{"text":"a","modifierExtension":[{"url":"http://a.b","valueCode":"d"}]}]',
      ),
      findings: [`structure ${P}/f:name[1]/f:modifierExtension`],
    },
    {
      name: 'deep in a primitive',
      body: patient(
        '"_birthDate":{"extension":[{"url":"http://a.b","extension":[{"url":"c","valueInteger":"1"}]}]}',
      ),
      findings: [`value ${P}/f:birthDate/f:extension[1]/f:extension[1]/f:valueInteger`],
    },
  ]);
});

describe('values', () => {
  const quantity = (value: string) =>
    `{"resourceType":"Observation","status":"final","code":{"text":"a"},"valueQuantity":{"value":${value}}}`;
  const Q = 'value /f:Observation/f:valueQuantity/f:value';
  const rank = (value: string) => patient(`"telecom":[{"system":"phone","rank":${value}}]`);
  const R = `value ${P}/f:telecom[1]/f:rank`;
  refuses([
    {
      name: 'a string for an integer',
      body: rank('"5"'),
      findings: [R],
      text: /"5" is not a JSON number/,
    },
    { name: 'a fraction for an integer', body: rank('5.0'), findings: [R] },
    { name: 'an exponent for an integer', body: rank('5e0'), findings: [R] },
    { name: 'zero where it is positive', body: rank('0'), findings: [R] },
    { name: 'more than 32 bits', body: rank('2147483648'), findings: [R] },
    { name: 'a string for a decimal', body: quantity('"1.0"'), findings: [Q] },
    { name: 'an exponent for a decimal', body: quantity('1e-7'), findings: [Q] },
    {
      name: 'a string for a boolean',
      body: patient('"active":"true"'),
      findings: [`value ${P}/f:active`],
    },
    {
      name: 'a number for a boolean',
      body: patient('"active":1'),
      findings: [`value ${P}/f:active`],
    },
    {
      name: 'a number for a string',
      body: patient('"name":[{"text":2.50}]'),
      findings: [`value ${P}/f:name[1]/f:text`],
    },
    {
      name: 'an object for a string',
      body: patient('"name":[{"text":{}}]'),
      findings: [`value ${P}/f:name[1]/f:text`],
    },
    {
      name: 'a date that does not exist in the calendar',
      body: patient('"birthDate":"2017-02-29"'),
      findings: [`value ${P}/f:birthDate`],
      text: /"2017-02-29" is not a valid date/,
    },
    {
      name: 'a dateTime without a zone',
      body: patient('"deceasedDateTime":"2017-06-15T14:57:54"'),
      findings: [`value ${P}/f:deceasedDateTime`],
    },
    {
      name: 'white space around a date',
      body: patient('"birthDate":"2017-02-28 "'),
      findings: [`value ${P}/f:birthDate`],
    },
    {
      name: 'an id of wrong characters',
      body: patient('"id":"a_b"'),
      findings: [`value ${P}/f:id`],
    },
    {
      name: 'a code out of its list',
      body: patient('"gender":"Male"'),
      findings: [`value ${P}/f:gender`],
      text: /"Male" is not one of male, female, other, unknown/,
    },
    {
      name: 'a code of the other version',
      body: patient('"telecom":[{"system":"url"}]'),
      findings: [`value ${P}/f:telecom[1]/f:system`],
    },
    {
      name: 'a character that XML does not allow',
      body: patient('"name":[{"text":"a\\u0000"}]'),
      findings: [`value ${P}/f:name[1]/f:text`],
    },
    {
      name: 'half a surrogate pair',
      body: patient('"name":[{"text":"\\ud800"}]'),
      findings: [`value ${P}/f:name[1]/f:text`],
    },
    {
      name: 'no base64',
      body: '{"resourceType":"Binary","contentType":"a/b","content":"x"}',
      findings: ['value /f:Binary/f:content'],
    },
    {
      name: 'white space in a URI',
      body: patient('"implicitRules":"http://a b"'),
      findings: [`value ${P}/f:implicitRules`],
    },
    {
      name: 'an element id that is not valid, in DSTU2',
      body: patient('"name":[{"id":"a b","text":"a"}]'),
      findings: [`value ${P}/f:name[1]/@id`],
    },
  ]);

  test('an element id is any string in STU3', () => {
    assert.deepEqual(decode(patient('"name":[{"id":"a b","text":"a"}]'), stu3).findings, []);
  });
});

describe('resources in resources', () => {
  refuses([
    {
      name: 'of an unknown type',
      body: patient('"contained":[{"resourceType":"Foo"}]'),
      findings: [`structure ${P}/f:contained[1]/f:Foo`],
    },
    {
      name: 'that are none',
      body: patient('"contained":["#a"]'),
      findings: [`structure ${P}/f:contained[1]`],
    },
    {
      name: 'with findings of their own',
      body: patient(
        '"contained":[{"resourceType":"Patient"},{"resourceType":"Patient","gender":"x"}]',
      ),
      findings: [`value ${P}/f:contained[2]/f:Patient/f:gender`],
    },
  ]);
});

describe('narratives', () => {
  const text = (div: string) =>
    patient(`"text":{"status":"generated","div":${JSON.stringify(div)}}`);
  const D = [`structure ${P}/f:text/h:div`];
  const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';
  refuses([
    {
      name: 'that are not well-formed',
      body: text('<div><p></div>'),
      findings: D,
      text: /character \d+ of the narrative/,
    },
    {
      name: 'with an entity of HTML',
      body: text('<div>&nbsp;</div>'),
      findings: D,
      text: /entity/,
    },
    { name: 'with an entity of no one', body: text('<div>&constructor;</div>'), findings: D },
    { name: 'that are no div', body: text('<p>a</p>'), findings: D },
    { name: 'that begin like a div', body: text('<divider></divider></div>'), findings: D },
    { name: 'with text before', body: text(' <div>a</div>'), findings: D },
    { name: 'with text after', body: text('<div>a</div>.'), findings: D },
    { name: 'two of them', body: text('<div>a</div><div>b</div>'), findings: D },
    {
      name: 'with an XML declaration',
      body: text('<?xml version="1.0"?><div>a</div>'),
      findings: D,
    },
    {
      name: 'in the namespace of FHIR',
      body: text('<div xmlns="http://hl7.org/fhir">a</div>'),
      findings: D,
    },
    {
      name: 'with an element of another namespace',
      body: text(`<div ${xhtml}><p xmlns="urn:a">a</p></div>`),
      findings: D,
    },
    {
      name: 'with an attribute of another namespace',
      body: text(`<div ${xhtml} xmlns:a="urn:a" a:b="c">a</div>`),
      findings: D,
    },
    {
      name: 'without a namespace in STU3',
      body: text('<div>a</div>'),
      findings: D,
      definitions: stu3,
    },
    {
      name: 'that are no string',
      body: patient('"text":{"status":"generated","div":{}}'),
      findings: [`value ${P}/f:text/h:div`],
    },
    {
      name: 'that are missing',
      body: patient('"text":{"status":"generated"}'),
      findings: [`required ${P}/f:text/h:div`],
    },
  ]);
});

test('all findings of a body come at once, in its order', () => {
  const { findings } = decode(patient('"id":"_","name":[{"text":""},{"x":1}],"gender":"x"'));
  assert.deepEqual(
    findings.map(({ path }) => path),
    [`${P}/f:id`, `${P}/f:name[1]/f:text`, `${P}/f:name[2]/f:x`, `${P}/f:gender`],
  );
});

test('after 100 findings the others are only counted', () => {
  const names = Array.from({ length: 150 }, () => '{"use":"x"}').join();
  const { findings, findingsTotal } = decode(patient(`"name":[${names}]`));
  assert.equal(findings.length, 100);
  assert.equal(findingsTotal, 150);
});

test('a resource with findings is read as far as it goes', () => {
  const { resource } = decode(
    patient('"foo":1,"gender":"x","active":"true","name":[{"text":"a"},7]'),
  );
  assert.equal(
    resource && encodeJson(resource),
    '{"resourceType":"Patient","name":[{"text":"a"},{}],"gender":"x"}',
  );
});

describe('tolerated', () => {
  const same = (name: string, body: string, expected: string, definitions?: Definitions) =>
    test(name, () => {
      const { resource, findings } = decode(body, definitions);
      assert.deepEqual(findings, []);
      assert.equal(resource && encodeJson(resource), expected);
    });

  const div = '<div xmlns=\\"http://www.w3.org/1999/xhtml\\">';
  const text = (content: string) => patient(`"text":{"status":"generated","div":"${content}"}`);
  same('a byte order mark', `\ufeff${patient('"id":"a"')}`, patient('"id":"a"'));
  same('white space', ` \t\r\n{ "resourceType" : "Patient" ,\n"id":"a" }\n`, patient('"id":"a"'));
  same(
    'resourceType at the end, any order',
    '{"gender":"male","id":"a","resourceType":"Patient"}',
    patient('"id":"a","gender":"male"'),
  );
  same(
    'escapes',
    patient('"id":"\\u0061","name":[{"text":"\\ud83d\\ude00\\/\\n"}]'),
    patient('"id":"a","name":[{"text":"\u{1f600}/\\n"}]'),
  );
  same('a resource with nothing in it', '{"resourceType":"Patient"}', '{"resourceType":"Patient"}');
  same(
    'DSTU2 narratives without a namespace',
    text('<div>a<p/></div>'),
    text(`${div}a<p></p></div>`),
  );
  same(
    'narratives in another spelling',
    text(`${div}&#169;<br></br><!-- x --><b title='&quot;'>&gt;</b></div>`),
    text(`${div}©<br/><b title=\\"&quot;\\">&gt;</b></div>`),
    stu3,
  );
  same(
    'white space in base64',
    '{"resourceType":"Binary","contentType":"a/b","content":"AA\\n AA"}',
    '{"resourceType":"Binary","contentType":"a/b","content":"AAAA"}',
  );
  same(
    'comments in DSTU2',
    patient(
      '"fhir_comments":["a"],"_active":{"fhir_comments":["b"]},"active":true,"name":[{"fhir_comments":["c"],"given":["d"],"_given":[{"fhir_comments":["e"]}]}]',
    ),
    patient('"active":true,"name":[{"given":["d"]}]'),
  );
  const decimals = ['1.0', '-0', '0.10', '100', '2.5', '12345678901234567890.12345678901234567890'];
  const extensions = decimals.map((text) => `{"url":"http://a.b","valueDecimal":${text}}`).join();
  same(
    'decimals, with their text',
    patient(`"extension":[${extensions}]`),
    patient(`"extension":[${extensions}]`),
  );
  same(
    'extensions in extensions, and on primitives in arrays',
    patient(
      '"extension":[{"url":"http://a.b","extension":[{"url":"c","valueCode":"d"}]}],"name":[{"given":["a",null],"_given":[null,{"extension":[{"url":"http://a.b","valueCode":"d"}]}]}]',
    ),
    patient(
      '"extension":[{"extension":[{"url":"c","valueCode":"d"}],"url":"http://a.b"}],"name":[{"given":["a",null],"_given":[null,{"extension":[{"url":"http://a.b","valueCode":"d"}]}]}]',
    ),
  );
  same(
    'an array of extensions without an array of values',
    patient('"name":[{"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]}]'),
    patient(
      '"name":[{"given":[null],"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]}]',
    ),
  );
  same(
    'an array of nulls beside one that has something',
    patient(
      '"name":[{"given":[null],"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]},{"given":["a"],"_given":[null]}]',
    ),
    patient(
      '"name":[{"given":[null],"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]},{"given":["a"]}]',
    ),
  );
});

test('encodeJson writes compact text, or indented by two spaces', () => {
  const resource = { resourceType: 'Patient', id: 'a' };
  assert.equal(encodeJson(resource), '{"resourceType":"Patient","id":"a"}');
  assert.equal(
    encodeJson(resource, { pretty: true }),
    '{\n  "resourceType": "Patient",\n  "id": "a"\n}\n',
  );
});
