/** Bodies of an order response that attack a parser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy/source-files.ts';

const EXAMPLE = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
export const JSON_TYPE = 'application/json+fhir';
export const XML_TYPE = 'application/xml+fhir';

export const MANY = 100_000;
export const many = (make: (place: number) => string, separator = '') =>
  Array.from({ length: MANY }, (_, place) => make(place)).join(separator);

/** As many as fit in a body. */
export const some = (make: (place: number) => string, separator = '') =>
  Array.from({ length: 40_000 }, (_, place) => make(place)).join(separator);

/** What FHIR allows, so that it is 422 as it is, and 400 for what is added. */
export const RESPONSE =
  '{"resourceType":"OrderResponse","request":{"display":"a"},"orderStatus":"review"';
const CONTENT = '<request><display value="a"/></request><orderStatus value="review"/>';
const ROOT_ELEMENT = '<OrderResponse xmlns="http://hl7.org/fhir"';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

export const BODIES: readonly (readonly [what: string, type: string, body: () => string])[] = [
  ['__proto__', JSON_TYPE, () => `${RESPONSE},"__proto__":{"orderStatus":"completed"}}`],
  ['constructor', JSON_TYPE, () => `${RESPONSE},"constructor":{"prototype":{"a":1}}}`],
  [
    'names of Object',
    JSON_TYPE,
    () => `${RESPONSE},"toString":"a","valueOf":1,"hasOwnProperty":[]}`,
  ],
  ['__proto__ within', JSON_TYPE, () => `${RESPONSE},"who":{"__proto__":{"reference":"#a"}}}`],
  ['__proto__ as a sibling', JSON_TYPE, () => `${RESPONSE},"___proto__":{"id":"a"}}`],
  [
    'a contained type of __proto__',
    JSON_TYPE,
    () => `${RESPONSE},"contained":[{"resourceType":"__proto__"}]}`,
  ],
  [
    'a contained id of __proto__',
    JSON_TYPE,
    () =>
      `${RESPONSE},"contained":[{"resourceType":"Basic","id":"__proto__"}],"who":{"reference":"#__proto__"}}`,
  ],
  ['a type of constructor', JSON_TYPE, () => '{"resourceType":"constructor"}'],
  [
    'an element of XML named constructor',
    XML_TYPE,
    () =>
      `${ROOT_ELEMENT}><constructor value="a"/><__proto__ value="a"/>${CONTENT}</OrderResponse>`,
  ],
  [
    '100,000 attributes',
    XML_TYPE,
    () => `${ROOT_ELEMENT} ${many((i) => `a${i}=""`, ' ')}>${CONTENT}</OrderResponse>`,
  ],
  [
    '40,000 namespaces',
    XML_TYPE,
    () =>
      `${ROOT_ELEMENT} ${some((i) => `xmlns:n${i}="u:${i}"`, ' ')} n1:a="">${CONTENT}</OrderResponse>`,
  ],
  ['100,000 items', JSON_TYPE, () => `${RESPONSE},"fulfillment":[${many(() => '{}', ',')}]}`],
  ['100,000 nulls', JSON_TYPE, () => `${RESPONSE},"fulfillment":[${many(() => 'null', ',')}]}`],
  ['40,000 names', JSON_TYPE, () => `${RESPONSE},${some((i) => `"x${i}":1`, ',')}}`],
  ['one name 40,000 times', JSON_TYPE, () => `${RESPONSE},${some(() => '"date":"2017"', ',')}}`],
  [
    '100,000 levels of JSON',
    JSON_TYPE,
    () => `${RESPONSE},"x":${'['.repeat(MANY)}${']'.repeat(MANY)}}`,
  ],
  ['100,000 levels without an end', JSON_TYPE, () => `${RESPONSE},"x":${'{"a":'.repeat(MANY)}`],
  [
    '100,000 levels of XML',
    XML_TYPE,
    () => `${ROOT_ELEMENT}>${'<a>'.repeat(MANY)}${'</a>'.repeat(MANY)}${CONTENT}</OrderResponse>`,
  ],
  [
    '100,000 levels of a narrative',
    JSON_TYPE,
    () => `${RESPONSE},"text":{"status":"generated","div":"<div>${'<b>'.repeat(MANY)}</div>"}}`,
  ],
  [
    'a narrative with markup in a contained resource',
    XML_TYPE,
    () =>
      EXAMPLE.replace(
        '<id value="pat"/>',
        `$&<text><status value="generated"/><div ${XHTML}><script>alert(1)</script><iframe src="https://a.example"/></div></text>`,
      ),
  ],
  [
    'nested contained resources',
    JSON_TYPE,
    () =>
      `${RESPONSE},"contained":[${'{"resourceType":"Basic","id":"a","contained":['.repeat(40)}${']}'.repeat(40)}]}`,
  ],
  [
    'a number of 500,000 digits',
    JSON_TYPE,
    () => `${RESPONSE},"extension":[{"url":"u:a","valueDecimal":${'9'.repeat(500_000)}e9}]}`,
  ],
  ['a date of 500,000 digits', JSON_TYPE, () => `${RESPONSE},"date":"${'2'.repeat(500_000)}"}`],
  [
    'a language of 500,000 parts',
    JSON_TYPE,
    () => `${RESPONSE},"language":"${'a-'.repeat(400_000)}"}`,
  ],
  [
    'an entity that grows',
    XML_TYPE,
    () => `<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "${'&b;'.repeat(1000)}">]>${EXAMPLE}`,
  ],
  [
    'an entity that is a file',
    XML_TYPE,
    () =>
      `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${EXAMPLE.replace('Kanfeld', '&b;')}`,
  ],
  [
    'a schema elsewhere',
    XML_TYPE,
    () =>
      EXAMPLE.replace(
        'xmlns=',
        'xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="a http://127.0.0.1:1/" xmlns=',
      ),
  ],
  ['1 MiB of white space', JSON_TYPE, () => ' '.repeat(1024 ** 2)],
  ['1 MiB of <', XML_TYPE, () => '<'.repeat(1024 ** 2)],
  ['1 MiB of noughts', XML_TYPE, () => '\0'.repeat(1024 ** 2)],
  ['nothing', XML_TYPE, () => ''],
];
