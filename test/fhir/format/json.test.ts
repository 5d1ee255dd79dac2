/** What FHIR JSON is refused, with which findings, and what is tolerated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { decode, P, patient, refuses } from './json-cases.ts';

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
    { name: 'white space that JSON does not allow', body: '{\u00a0}', findings: one },
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

describe('a body that is not a resource is refused', () => {
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

  test('__proto__ as a resource type is not a type', () => {
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
      text: /Send it as an array/,
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
      text: /without an array/,
    },
    {
      name: 'many where there is one, of a data type',
      body: '{"resourceType":"Practitioner","name":[{"text":"a"}]}',
      findings: ['structure /f:Practitioner/f:name'],
    },
    {
      name: 'a value that is not an object',
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
