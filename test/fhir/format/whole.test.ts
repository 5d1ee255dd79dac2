/** Whether a decoded resource is whole, and where its elements stand in an XML body. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

const json = (members: string) =>
  decodeJson(Buffer.from(`{"resourceType":"Patient",${members}}`), dstu2);
const xml = (content: string) =>
  decodeXml(Buffer.from(`<Patient xmlns="http://hl7.org/fhir">\n${content}</Patient>`), dstu2);

describe('a resource is whole', () => {
  const cases: readonly (readonly [name: string, decoded: ReturnType<typeof json>])[] = [
    ['when it is valid', json('"active":true')],
    ['with values that are not valid', json('"gender":"x","birthDate":"2001-13"')],
    ['without elements that FHIR does not know', json('"nonsense":1,"contact":[{"nonsense":{}}]')],
    ['without elements that it needs', json('"communication":[{"preferred":true}]')],
    ['in a wrong order of XML', xml('<birthDate value="2001"/><active value="true"/>')],
  ];
  for (const [name, { isWhole }] of cases) test(name, () => assert.equal(isWhole, true));
});

describe('a resource is not whole', () => {
  const cases: readonly (readonly [name: string, decoded: ReturnType<typeof json>])[] = [
    ['when it is not JSON', json('"active":')],
    ['when it is not XML', xml('<active>')],
    ['without a value of a wrong kind', json('"active":"true"')],
    ['without an element that is not an object', json('"name":["a"]')],
    ['without an empty element', json('"name":[{"text":"a"},{}]')],
    ['without what does not repeat', json('"active":[true]')],
    ['without what repeats', json('"name":{"text":"a"}')],
    ['without a contained resource of no type', json('"contained":[{"resourceType":"Nonsense"}]')],
    ['without an empty container', xml('<contained/>')],
    ['without the second resource of a container', xml('<contained><Basic/><Basic/></contained>')],
    ['without an element of another namespace', xml('<name xmlns="urn:a"/>')],
    ['without what may not come twice', xml('<active value="true"/><active value="true"/>')],
    ['without a text that is not a number', xml('<multipleBirthInteger value="a"/>')],
  ];
  for (const [name, { isWhole, findings }] of cases) {
    test(name, () => {
      assert.equal(isWhole, false);
      assert.notEqual(findings.length, 0);
    });
  }
});

describe('the position of', () => {
  const { positionOf } = xml(
    '<name>\n<given value="a"/><given value="b"/></name>\r\n  <name><text value="c"/></name>',
  );
  const cases: readonly (readonly [path: string, line: number, column: number])[] = [
    ['/f:Patient', 1, 1],
    ['/f:Patient/f:name[1]', 2, 1],
    ['/f:Patient/f:name[1]/f:given[2]', 3, 19],
    ['/f:Patient/f:name[2]/f:text', 4, 9],
    ['/f:Patient/f:name[2]/f:family', 4, 3],
    ['/f:Patient/f:birthDate', 1, 1],
    ['/', 1, 1],
  ];
  for (const [path, line, column] of cases) {
    test(`${path} is that of the element, or of the one that lacks it`, () => {
      assert.deepEqual(positionOf?.(path), { line, column });
    });
  }

  test('an element in JSON is not known', () => {
    assert.equal(json('"active":true').positionOf, undefined);
  });
});
