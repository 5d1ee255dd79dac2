/** Bodies made to exhaust a reader: each is refused, or read, with work in proportion to its size. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../../src/fhir/definitions/dstu2.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

const json = (text: string, limits = {}) => decodeJson(Buffer.from(text), dstu2, limits);
const xml = (text: string, limits = {}) => decodeXml(Buffer.from(text), dstu2, limits);
const patient = (content: string) => `<Patient xmlns="http://hl7.org/fhir">${content}</Patient>`;
const many = 100_000;
const unlimited = { elementsMax: Number.POSITIVE_INFINITY };
const repeat = (text: (index: number) => string, separator = '') =>
  Array.from({ length: many }, (_, index) => text(index)).join(separator);

describe('the depth of a body', () => {
  const extensions = (levels: number) =>
    `${'<extension url="a">'.repeat(levels)}<valueCode value="b"/>${'</extension>'.repeat(levels)}`;
  const nested = (levels: number) =>
    `${'{"url":"a","extension":['.repeat(levels)}{"url":"a","valueCode":"b"}${']}'.repeat(levels)}`;

  test('is limited to 64 elements', () => {
    assert.deepEqual(xml(patient(extensions(62))).findings, []);
    const [finding] = xml(patient(extensions(63))).findings;
    assert.equal(finding?.code, 'too-long');
    assert.match(finding?.text ?? '', /more than 64 levels deep/);
    assert.deepEqual(json(`{"resourceType":"Patient","extension":[${nested(61)}]}`).findings, []);
    const [other] = json(`{"resourceType":"Patient","extension":[${nested(62)}]}`).findings;
    assert.equal(other?.code, 'too-long');
  });

  test('does not exhaust the stack', () => {
    for (const text of ['[', '{"a":', '{"a":[', '[[{"a":']) {
      const { findings, findingsTotal } = json(text.repeat(many), unlimited);
      assert.deepEqual(
        findings.map((finding) => finding.code),
        ['too-long'],
        text,
      );
      assert.equal(findingsTotal, 1);
    }
    for (const text of ['<a>', '<a xmlns="urn:a">', '<contained><Patient>']) {
      assert.equal(xml(patient(text.repeat(many)), unlimited).findings[0]?.code, 'too-long');
    }
  });

  test('counts inside narratives', () => {
    const div = `<div>${'<b>'.repeat(70)}${'</b>'.repeat(70)}</div>`;
    const { findings } = json(
      `{"resourceType":"Patient","text":{"status":"empty","div":"${div}"}}`,
    );
    assert.deepEqual(
      findings.map((finding) => finding.code),
      ['too-long'],
    );
  });

  test('is an option', () => {
    assert.equal(xml(patient(extensions(3)), { depthMax: 4 }).findings[0]?.code, 'too-long');
    assert.deepEqual(xml(patient(extensions(3)), { depthMax: 5 }).findings, []);
  });
});

describe('the number of elements', () => {
  const names = (count: number) => Array(count).fill('{"text":"a"}').join();

  test('is limited to 5,000', () => {
    assert.deepEqual(json(`{"resourceType":"Patient","name":[${names(2499)}]}`).findings, []);
    const [finding] = json(`{"resourceType":"Patient","name":[${names(2500)}]}`).findings;
    assert.equal(finding?.code, 'too-long');
    assert.match(finding?.text ?? '', /more than 5000 elements/);
    const [other] = xml(patient('<name><text value="a"/></name>'.repeat(2500))).findings;
    assert.equal(other?.code, 'too-long');
  });

  test('counts elements of narratives', () => {
    const div = `<div>${'<br/>'.repeat(5000)}</div>`;
    const body = `{"resourceType":"Patient","text":{"status":"empty","div":"${div}"}}`;
    assert.equal(json(body).findings[0]?.code, 'too-long');
    assert.deepEqual(json(body, { elementsMax: 6000 }).findings, []);
  });

  test('can be lifted', () => {
    const { resource, findings } = json(
      `{"resourceType":"Patient","name":[${repeat(() => '{"text":"a"}', ',')}]}`,
      unlimited,
    );
    assert.deepEqual(findings, []);
    const names = resource?.name;
    assert.equal(Array.isArray(names) && names.length, many);
    const fromXml = xml(patient(repeat(() => '<name><text value="a"/></name>')), unlimited);
    assert.equal(encodeJson(fromXml.resource ?? {}), encodeJson(resource ?? {}));
  });
});

describe(`${many} at once`, () => {
  test('attributes are all counted', () => {
    const { findings, findingsTotal } = xml(
      patient(`<name ${repeat((i) => `a${i}="b"`, ' ')}><text value="c"/></name>`),
    );
    assert.equal(findings.length, 100);
    assert.equal(findingsTotal, many);
  });

  test('namespaces are read', () => {
    const declared = repeat((i) => `xmlns:n${i}="urn:${i}"`, ' ');
    assert.deepEqual(xml(patient(`<name ${declared}><text value="a"/></name>`)).findings, []);
    const each = repeat((i) => `<name xmlns:n="urn:${i}"><text value="a"/></name>`);
    assert.deepEqual(xml(patient(each), unlimited).findings, []);
  });

  test('names of JSON are all counted, also the same one', () => {
    const distinct = json(
      `{"resourceType":"Patient",${repeat((i) => `"x${i}":1`, ',')}}`,
      unlimited,
    );
    assert.equal(distinct.findingsTotal, many);
    const same = json(
      `{"resourceType":"Patient",${repeat(() => '"active":true', ',')}}`,
      unlimited,
    );
    assert.equal(same.findingsTotal, many - 1);
  });

  test('items of primitives are read', () => {
    const body = `{"resourceType":"Patient","name":[{"given":[${repeat(() => '"a"', ',')}]}]}`;
    assert.deepEqual(json(body, unlimited).findings, []);
  });

  test('findings keep their places', () => {
    const { findings, findingsTotal } = xml(
      patient(repeat(() => '\n<name><text value=""/></name>')),
      unlimited,
    );
    assert.equal(findingsTotal, many);
    assert.deepEqual(
      [findings.at(-1)?.path, findings.at(-1)?.line],
      ['/f:Patient/f:name[100]/f:text', 101],
    );
  });
});

describe('long texts', () => {
  const long = 1_000_000;

  test('of white space, digits and escapes take no longer than their length', () => {
    const spaces = ' '.repeat(long);
    const cases = [
      xml(patient(`<active value="a${spaces}b"/>`)),
      xml(patient(`<gender value="a${spaces}b"/>`)),
      xml(patient(`<name>${spaces}x<text value="a"/></name>`)),
      json(`{"resourceType":"Patient","multipleBirthInteger":${'1'.repeat(long)}}`),
      json(`{"resourceType":"Patient","gender":"${'\\u0061'.repeat(long / 10)}"}`),
      json(`{"resourceType":"Patient","${'x'.repeat(long)}":1}`),
    ];
    for (const { findings } of cases) {
      assert.equal(findings.length, 1);
      assert.ok((findings[0]?.text.length ?? 0) < 300);
      assert.ok((findings[0]?.path.length ?? 0) < 100);
    }
  });
});

describe('entities', () => {
  const refused = (body: string) => {
    const { findings, resource } = xml(body);
    assert.deepEqual(
      findings.map(({ code, path }) => [code, path]),
      [['structure', '/']],
    );
    assert.match(findings[0]?.text ?? '', /DOCTYPE/);
    assert.equal(resource, undefined);
  };

  test('that grow are refused with their DOCTYPE', () => {
    const lines = Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
    );
    refused(
      `<!DOCTYPE l [<!ENTITY l0 "lol">${lines.join('')}]>${patient('<name><text value="&l9;"/></name>')}`,
    );
  });

  test('of files and addresses are refused with their DOCTYPE', () => {
    for (const source of ['SYSTEM "file:///etc/passwd"', 'PUBLIC "a" "http://127.0.0.1/"']) {
      refused(`<!DOCTYPE a [<!ENTITY x ${source}>]>${patient('<name><text value="&x;"/></name>')}`);
      refused(`<!DOCTYPE a ${source}>${patient('')}`);
    }
    refused(`<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>${patient('')}`);
  });
});
