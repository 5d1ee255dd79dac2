/** What FHIR JSON is refused, with which findings, and what is tolerated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2 } from '../../../src/fhir/definitions/dstu2.ts';
import { stu3 } from '../../../src/fhir/definitions/stu3.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';

const decode = (text: string, definitions: Definitions = dstu2) =>
  decodeJson(Buffer.from(text), definitions);
const patient = (members: string) => `{"resourceType":"Patient",${members}}`;
const P = '/f:Patient';

/** Each finding as `code path`, in the order of the body. */
interface Refused {
  readonly name: string;
  readonly body: string;
  readonly findings: readonly string[];
  readonly text?: RegExp;
  readonly definitions?: Definitions;
}

function refuses(cases: readonly Refused[]): void {
  for (const { name, body, findings, text, definitions } of cases) {
    test(name, () => {
      const decoded = decode(body, definitions);
      assert.deepEqual(
        decoded.findings.map(({ code, path }) => `${code} ${path}`),
        findings,
      );
      assert.equal(decoded.findingsTotal, findings.length);
      if (text) assert.match(decoded.findings[0]?.text ?? '', text);
    });
  }
}

describe('JSON that is not well-formed is one finding', () => {
  const one = ['structure /'];
  refuses([
    { name: 'nothing', body: '', findings: one, text: /a value was expected \(line 1, column 1\)/ },
    { name: 'a comment', body: '{\n // no\n}', findings: one, text: /line 2, column 2/ },
    { name: 'an end too early', body: '{"a":[1,', findings: one },
    { name: 'a string without an end', body: '{"a":"b', findings: one, text: /no end/ },
    { name: 'a trailing comma in an object', body: '{"a":1,}', findings: one },
    { name: 'a trailing comma in an array', body: '{"a":[1,]}', findings: one },
    { name: 'a name without quotes', body: '{a:1}', findings: one },
    { name: 'single quotes', body: "{'a':1}", findings: one },
    { name: 'a leading zero', body: '{"a":01}', findings: one },
    { name: 'a leading plus', body: '{"a":+1}', findings: one },
    { name: 'a number that ends in a point', body: '{"a":1.}', findings: one },
    { name: 'NaN', body: '{"a":NaN}', findings: one },
    {
      name: 'a control character in a string',
      body: '{"a":"b\tc"}',
      findings: one,
      text: /control/,
    },
    { name: 'an unknown escape', body: '{"a":"\\x"}', findings: one, text: /escape/ },
    { name: 'half an escape', body: '{"a":"\\u12"}', findings: one, text: /escape/ },
    { name: 'text after the end', body: '{} {}', findings: one, text: /after its end/ },
    { name: 'white space that is none', body: '{\u00a0}', findings: one },
    { name: 'a second byte order mark', body: '\ufeff\ufeff{}', findings: one },
  ]);

  test('bytes that are not UTF-8', () => {
    for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0xed, 0xa0, 0x80], [0xfe, 0xff, 0, 0x7b]]) {
      const { findings, resource } = decodeJson(Uint8Array.from(bytes), dstu2);
      assert.deepEqual(findings, [
        { path: '/', code: 'structure', text: 'The body is not valid UTF-8.' },
      ]);
      assert.equal(resource, undefined);
    }
  });
});

describe('a body that is no resource is refused', () => {
  refuses([
    { name: 'an array', body: '[]', findings: ['structure /'] },
    { name: 'a string', body: '"Patient"', findings: ['structure /'] },
    { name: 'null', body: 'null', findings: ['structure /'] },
    { name: 'a number', body: '2.00', findings: ['structure /'] },
    { name: 'no resourceType', body: '{"id":"a"}', findings: ['required /'] },
    {
      name: 'a resourceType that is no string',
      body: '{"resourceType":1}',
      findings: ['required /'],
    },
    { name: 'an unknown type', body: '{"resourceType":"Foo"}', findings: ['structure /f:Foo'] },
    { name: 'a data type', body: '{"resourceType":"Period"}', findings: ['structure /f:Period'] },
    {
      name: 'an abstract type',
      body: '{"resourceType":"DomainResource"}',
      findings: ['structure /f:DomainResource'],
    },
    {
      name: 'a type of the other version',
      body: '{"resourceType":"Order"}',
      findings: ['structure /f:Order'],
      definitions: stu3,
    },
    {
      name: 'a type in lower case',
      body: '{"resourceType":"patient"}',
      findings: ['structure /f:patient'],
    },
  ]);
});

describe('names', () => {
  refuses([
    {
      name: 'an unknown element',
      body: patient('"foo":1,"id":"a"'),
      findings: [`structure ${P}/f:foo`],
    },
    {
      name: 'an element of the other version',
      body: '{"resourceType":"Organization","alias":["a"]}',
      findings: ['structure /f:Organization/f:alias'],
    },
    {
      name: 'an unknown element inside a data type',
      body: patient('"name":[{"family":["a"]},{"last":"b","use":"usual"}]'),
      findings: [`structure ${P}/f:name[2]/f:last`],
    },
    { name: 'another case', body: patient('"Active":true'), findings: [`structure ${P}/f:Active`] },
    {
      name: 'a choice without its type',
      body: patient('"deceased":true'),
      findings: [`structure ${P}/f:deceased`],
    },
    {
      name: 'a choice with another type',
      body: patient('"deceasedString":"x"'),
      findings: [`structure ${P}/f:deceasedString`],
    },
    {
      name: 'a name that XPath cannot write',
      body: patient('"a b/c":1'),
      findings: [`structure ${P}`],
    },
    {
      name: 'two of one name',
      body: patient('"active":true,"active":false'),
      findings: [`structure ${P}/f:active`],
      text: /"active" occurs twice/,
    },
    {
      name: 'two of one name, one of them escaped',
      body: patient('"active":true,"\\u0061ctive":true'),
      findings: [`structure ${P}/f:active`],
    },
    {
      name: 'two of one name in a data type',
      body: patient('"link":[{"other":{"display":"a","display":"a"},"type":"refer"}]'),
      findings: [`structure ${P}/f:link[1]/f:other/f:display`],
    },
    {
      name: 'two resourceTypes',
      body: '{"resourceType":"Patient","resourceType":"Order"}',
      findings: [`structure ${P}/f:resourceType`],
    },
    {
      name: 'resourceType where there is no resource',
      body: patient('"name":[{"resourceType":"Patient"}]'),
      findings: [`structure ${P}/f:name[1]/f:resourceType`],
    },
    {
      name: 'an underscore before what is no primitive',
      body: patient('"_name":[{"id":"a"}]'),
      findings: [`structure ${P}`],
    },
    {
      name: 'an underscore before an attribute',
      body: patient('"extension":[{"url":"http://a.b","_url":{"id":"a"},"valueCode":"c"}]'),
      findings: [`structure ${P}/f:extension[1]`],
    },
    {
      name: 'value, as XML has it',
      body: patient('"_active":{"value":true,"id":"a"},"active":true'),
      findings: [`structure ${P}/f:active/f:value`],
    },
    {
      name: 'fhir_comments in STU3',
      body: patient('"fhir_comments":["a"]'),
      findings: [`structure ${P}/f:fhir_comments`],
      definitions: stu3,
    },
  ]);

  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
  ]) {
    test(`${name} is just an unknown element, at the top and inside`, () => {
      const inner = `"${name}":{"id":"x","active":true}`;
      const { findings, resource } = decode(patient(`${inner},"name":[{"text":"a",${inner}}]`));
      assert.deepEqual(
        findings.map((finding) => finding.code),
        ['structure', 'structure'],
      );
      assert.ok(resource);
      assert.deepEqual(Object.keys(resource), ['resourceType', 'name']);
      assert.equal(Object.getPrototypeOf(resource), Object.prototype);
      assert.equal('active' in {}, false);
    });
  }

  test('__proto__ as a resource type is no type', () => {
    for (const name of ['__proto__', 'constructor', 'valueOf']) {
      const { findings } = decode(`{"resourceType":"${name}"}`);
      assert.equal(findings.length, 1);
    }
  });
});

describe('cardinality', () => {
  refuses([
    {
      name: 'one value where there are many',
      body: patient('"name":{"text":"a"}'),
      findings: [`structure ${P}/f:name`],
      text: /it is an array/,
    },
    {
      name: 'one primitive where there are many',
      body: patient('"name":[{"given":"a"}]'),
      findings: [`structure ${P}/f:name[1]/f:given`],
    },
    {
      name: 'many where there is one',
      body: patient('"gender":["male"]'),
      findings: [`structure ${P}/f:gender`],
      text: /not an array/,
    },
    {
      name: 'many where there is one, of a data type',
      body: '{"resourceType":"Practitioner","name":[{"text":"a"}]}',
      findings: ['structure /f:Practitioner/f:name'],
    },
    {
      name: 'an object that is none',
      body: patient('"name":["a"],"maritalStatus":"M"'),
      findings: [`structure ${P}/f:name[1]`, `structure ${P}/f:maritalStatus`],
    },
    {
      name: 'an array in an array',
      body: patient('"name":[[{"text":"a"}]]'),
      findings: [`structure ${P}/f:name[1]`],
    },
    {
      name: 'required ones missing',
      body: '{"resourceType":"OrderResponse"}',
      findings: ['required /f:OrderResponse/f:request', 'required /f:OrderResponse/f:orderStatus'],
      text: /OrderResponse needs request/,
    },
    {
      name: 'a required one missing in a part',
      body: '{"resourceType":"Bundle","type":"history","link":[{"relation":"self"}]}',
      findings: ['required /f:Bundle/f:link[1]/f:url'],
    },
    {
      name: 'a required choice missing',
      body: '{"resourceType":"CapabilityStatement","status":"draft","date":"2017","kind":"instance","fhirVersion":"3.0.1","acceptUnknown":"no","format":["json"],"useContext":[{"code":{"code":"a"}}]}',
      findings: ['required /f:CapabilityStatement/f:useContext[1]'],
      definitions: stu3,
      text: /UsageContext needs value\[x\]/,
    },
    {
      name: 'a required attribute missing',
      body: patient('"extension":[{"valueCode":"a"}]'),
      findings: [`required ${P}/f:extension[1]/@url`],
    },
    {
      name: 'two of a choice',
      body: patient('"deceasedBoolean":true,"deceasedDateTime":"2017"'),
      findings: [`structure ${P}/f:deceasedDateTime`],
      text: /choice/,
    },
    {
      name: 'two of a choice, one of them only extensions',
      body: patient(
        '"deceasedBoolean":true,"_deceasedDateTime":{"extension":[{"url":"http://a.b","valueCode":"c"}]}',
      ),
      findings: [`structure ${P}/f:deceasedDateTime`],
    },
    {
      name: 'a comparator where the quantity is simple',
      body: '{"resourceType":"Group","type":"person","actual":true,"characteristic":[{"code":{"text":"a"},"exclude":false,"valueRange":{"low":{"value":1,"comparator":"<"}}}]}',
      findings: ['structure /f:Group/f:characteristic[1]/f:valueRange/f:low/f:comparator'],
    },
  ]);
});

describe('nothing is empty, and null only fills gaps', () => {
  refuses([
    {
      name: 'an empty object',
      body: patient('"maritalStatus":{}'),
      findings: [`structure ${P}/f:maritalStatus`],
    },
    {
      name: 'an empty object in an array',
      body: patient('"name":[{"text":"a"},{}]'),
      findings: [`structure ${P}/f:name[2]`],
    },
    { name: 'an empty array', body: patient('"name":[]'), findings: [`structure ${P}/f:name`] },
    {
      name: 'an empty array of primitives',
      body: patient('"name":[{"given":[],"text":"a"}]'),
      findings: [`structure ${P}/f:name[1]/f:given`],
    },
    {
      name: 'an empty string',
      body: patient('"name":[{"text":""}]'),
      findings: [`value ${P}/f:name[1]/f:text`],
      text: /text is empty/,
    },
    {
      name: 'null as a value',
      body: patient('"active":null'),
      findings: [`structure ${P}/f:active`],
      text: /null/,
    },
    {
      name: 'null as an object',
      body: patient('"maritalStatus":null'),
      findings: [`structure ${P}/f:maritalStatus`],
    },
    {
      name: 'null in an array of objects',
      body: patient('"name":[null]'),
      findings: [`structure ${P}/f:name[1]`],
    },
    {
      name: 'null as a sibling',
      body: patient('"active":true,"_active":null'),
      findings: [`structure ${P}/f:active`],
    },
    {
      name: 'an empty sibling',
      body: patient('"active":true,"_active":{}'),
      findings: [`structure ${P}/f:active`],
    },
    {
      name: 'an empty sibling alone',
      body: patient('"_active":{}'),
      findings: [`structure ${P}/f:active`],
    },
    {
      name: 'a sibling with only an id',
      body: patient('"_active":{"id":"a"}'),
      findings: [`structure ${P}/f:active`],
      text: /ele-1/,
    },
    {
      name: 'null on both sides',
      body: patient('"name":[{"given":["a",null],"_given":[{"id":"x"},null]}]'),
      findings: [`structure ${P}/f:name[1]/f:given[2]`],
    },
    {
      name: 'null without a sibling',
      body: patient('"name":[{"given":["a",null]}]'),
      findings: [`structure ${P}/f:name[1]/f:given[2]`],
    },
    {
      name: 'siblings of another number',
      body: patient('"name":[{"given":["a","b"],"_given":[{"id":"x"}]}]'),
      findings: [`structure ${P}/f:name[1]/f:given`],
    },
    {
      name: 'siblings that are no array',
      body: patient('"name":[{"given":["a"],"_given":{"id":"x"}}]'),
      findings: [`structure ${P}/f:name[1]/f:given`],
    },
    {
      name: 'an object with only an id',
      body: patient('"maritalStatus":{"id":"a"}'),
      findings: [`structure ${P}/f:maritalStatus`],
      text: /ele-1/,
    },
    {
      name: 'an empty contained resource',
      body: patient('"contained":[{}]'),
      findings: [`required ${P}/f:contained[1]`],
    },
  ]);
});

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
      name: 'a date that the calendar lacks',
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
      name: 'a character that XML has not',
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
      name: 'an element id that is none, in DSTU2',
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
    '{"resourceType":"Patient","name":[{"text":"a"}],"gender":"x"}',
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
    'an array of nulls beside one that has something',
    patient(
      '"name":[{"given":[null],"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]},{"given":["a"],"_given":[null]}]',
    ),
    patient(
      '"name":[{"_given":[{"extension":[{"url":"http://a.b","valueCode":"d"}]}]},{"given":["a"]}]',
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
