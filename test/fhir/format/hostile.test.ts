/** Bodies made to exhaust a reader: each is refused, or read, with work in proportion to its size. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

const json = (text: string, limits = {}) => decodeJson(Buffer.from(text), dstu2, limits);
const xml = (text: string, limits = {}) => decodeXml(Buffer.from(text), dstu2, limits);
const patient = (content: string) => `<Patient xmlns="http://hl7.org/fhir">${content}</Patient>`;
const many = 100_000;
const unlimited = {
  elementsMax: Number.POSITIVE_INFINITY,
  attributesMax: Number.POSITIVE_INFINITY,
  marksMax: Number.POSITIVE_INFINITY,
  sectionsLengthMax: Number.POSITIVE_INFINITY,
};
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

  test('counts a narrative from where it stands, in JSON as in XML', () => {
    const div = (levels: number) =>
      `<div xmlns="http://www.w3.org/1999/xhtml">${'<b>'.repeat(levels)}a${'</b>'.repeat(levels)}</div>`;
    const inJson = (levels: number) =>
      json(
        JSON.stringify({
          resourceType: 'Patient',
          text: { status: 'generated', div: div(levels) },
        }),
      );
    const inXml = (levels: number) =>
      xml(patient(`<text><status value="generated"/>${div(levels)}</text>`));
    for (const decode of [inJson, inXml]) {
      // Patient, text and div are the first three of 64.
      assert.deepEqual(decode(61).findings, []);
      assert.deepEqual(
        decode(62).findings.map((finding) => finding.code),
        ['too-long'],
      );
    }
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

  test('counts attributes and namespace declarations', () => {
    const attributes = (count: number) =>
      Array.from({ length: count }, (_, i) => `xmlns:n${i}="urn:${i}"`).join(' ');
    // Patient and its xmlns, name, text and its value.
    const body = (count: number) =>
      xml(patient(`<name ${attributes(count)}><text value="a"/></name>`), {
        attributesMax: Number.POSITIVE_INFINITY,
      });
    assert.deepEqual(body(4995).findings, []);
    assert.match(body(4996).findings[0]?.text ?? '', /more than 5000 elements and attributes/);
    const div = `<div><p ${Array.from({ length: 5000 }, (_, i) => `a${i}=''`).join(' ')}>a</p></div>`;
    const narrative = `{"resourceType":"Patient","text":{"status":"empty","div":"${div}"}}`;
    assert.equal(json(narrative).findings[0]?.code, 'too-long');
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
      unlimited,
    );
    assert.equal(findings.length, 100);
    assert.equal(findingsTotal, many);
  });

  test('namespaces are read', () => {
    const declared = repeat((i) => `xmlns:n${i}="urn:${i}"`, ' ');
    const once = patient(`<name ${declared}><text value="a"/></name>`);
    assert.deepEqual(xml(once, unlimited).findings, []);
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

  test('of line breaks are counted once for all findings', () => {
    const breaks = '\r\n\r\n\n'.repeat(long / 5);
    const { findings } = xml(patient(breaks + '<name/>\r'.repeat(200)), unlimited);
    assert.deepEqual(
      [findings.length, findings[0]?.line, findings[0]?.column],
      [100, (long / 5) * 3 + 1, 1],
    );
    assert.equal(findings[99]?.line, (long / 5) * 3 + 100);
  });

  test('of names are cut where the outcome shows them', () => {
    const name = 'x'.repeat(long / 10);
    const div = (content: string) =>
      json(`{"resourceType":"Patient","text":{"status":"empty","div":"${content}"}}`);
    const cases = [
      xml(`<a><${name}></a>`),
      xml(patient(`<${name}:a/>`)),
      xml(`<?xml version="1.0" encoding="${name}"?>${patient('')}`),
      div(`<div><${name}:a/></div>`),
      div(`<div><a xmlns='urn:${name}'/><${name} xmlns='urn:a'/></div>`),
      div(`<div${name}></div>`),
    ];
    for (const { findings } of cases) {
      assert.ok(findings.length > 0);
      for (const { text } of findings) assert.ok(text.length < 300, text);
    }
  });

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

describe('what takes the XML reader long', () => {
  const ns = 'xmlns="http://www.w3.org/1999/xhtml"';
  const text = (content: string) =>
    xml(patient(`<text><status value="empty"/><div ${ns}>${content}</div></text>`));

  test('is limited to 50,000 tags, references, line breaks and tabs', () => {
    for (const mark of ['\r', '\n', '\t', '&amp;', '>', '<?a b?>', '<!---->', '<![CDATA[a]]>']) {
      const [finding] = text(mark.repeat(50_001)).findings;
      assert.equal(finding?.code, 'too-long', mark);
      assert.match(finding?.text ?? '', /more than 50000 tags, references, line breaks and tabs/);
    }
    const base64 = `${'A'.repeat(76)}\n`.repeat(13_000);
    const extension = `<extension url="a:b"><valueBase64Binary value="${base64}"/></extension>`;
    assert.deepEqual(xml(patient(extension)).findings, []);
  });

  test('is limited to 64 Ki characters of comments, instructions and CDATA sections', () => {
    const sections = (length: number) => [
      `<!--${'- '.repeat((length - 8) / 2)} -->`,
      `<?a${'?'.repeat(length - 4)}>`,
      `<![CDATA[${']'.repeat(length - 11)}>`,
      `<!--${'a'.repeat(length / 2 - 7)}--><?a${' '.repeat(length / 2 - 5)}?>`,
    ];
    const decode = (section: string) => xml(patient(`<active value="true">${section}</active>`));
    for (const section of sections(65_536)) {
      assert.doesNotMatch(decode(section).findings[0]?.text ?? '', /characters/);
    }
    for (const section of sections(65_538)) {
      const [finding] = decode(section).findings;
      assert.equal(finding?.code, 'too-long', section.slice(0, 20));
      assert.match(finding?.text ?? '', /CDATA sections have more than 65536 characters/);
    }
  });

  test('is limited to narratives of 64 KiB, as they are sent and as they are stored', () => {
    const frame = `<div ${ns}></div>`.length;
    const inJson = (content: string) => {
      const div = `<div ${ns}>${content}</div>`;
      return json(JSON.stringify({ resourceType: 'Patient', text: { status: 'empty', div } }));
    };
    for (const decode of [text, inJson]) {
      assert.deepEqual(decode('a'.repeat(65_536 - frame)).findings, []);
      for (const content of ['a'.repeat(65_537 - frame), '>'.repeat(20_000)]) {
        const { findings, isWhole } = decode(content);
        assert.deepEqual(
          findings.map(({ path }) => path),
          ['/f:Patient/f:text/h:div'],
        );
        assert.match(findings[0]?.text ?? '', /The narrative has \d+ characters/);
        assert.equal(isWhole, false);
      }
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

  test('are not declared where a comment or text names a DOCTYPE', () => {
    const inText = '<div xmlns="http://www.w3.org/1999/xhtml"><![CDATA[<!DOCTYPE a>]]></div>';
    const text = `<text><status value="empty"/>${inText}</text>`;
    const body = `<?a <!DOCTYPE a>?><!-- <!DOCTYPE a> -->${patient(text)}`;
    assert.deepEqual(xml(body).findings, []);
  });

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

describe('a narrative that cannot be read', () => {
  const ns = 'xmlns="http://www.w3.org/1999/xhtml"';
  const divs = [
    `<div ${ns}>&nbsp;</div>`,
    `<div ${ns}><o:p>a</o:p></div>`,
    `<div ${ns} xmlns:o="urn:o" o:class="a" class="b">a</div>`,
    `<div ${ns} o:class="a">a</div>`,
    `<div ${ns}><p xmlns="urn:o">a</p></div>`,
    `<div ${ns}><p title="\ud83d">a</p></div>`,
    `<div ${ns}>\udc4d</div>`,
    `<div ${ns}>\ud83da</div>`,
    `<div ${ns}><!-- \ud83d -->a</div>`,
    `<div ${ns}><p title="&#xd83d;">a</p></div>`,
    `<div ${ns}><p></div>`,
    'a',
  ];
  for (const div of divs) {
    test(`is a finding at its place: ${JSON.stringify(div).slice(45)}`, () => {
      const body = { resourceType: 'Patient', text: { status: 'generated', div } };
      const { findings, resource, isWhole } = json(JSON.stringify(body));
      assert.ok(findings.length > 0);
      for (const { path, code } of findings) {
        assert.deepEqual([path, code], ['/f:Patient/f:text/h:div', 'structure']);
      }
      // Nobody reads it again.
      assert.equal(isWhole, false);
      assert.deepEqual(resource?.text, { status: 'generated' });
    });
  }

  test('leaves XML, too', () => {
    const div = `<div ${ns} xmlns:o="urn:o" o:class="a" class="b">a</div>`;
    const { findings, isWhole } = xml(patient(`<text><status value="empty"/>${div}</text>`));
    assert.deepEqual([findings.length, isWhole], [1, false]);
  });
});

describe('half of a surrogate pair', () => {
  const bodies = [
    '{"resourceType":"Patient","name":[{"text":"\\ud83d"}]}',
    '{"resourceType":"Patient","id":"\\udc4d"}',
    '{"resourceType":"Patient","name":[{"id":"\\udc4d","text":"a"}]}',
    '{"resourceType":"Patient","name":[{"_text":{"extension":[{"url":"\\udc4d","valueCode":"a"}]}}]}',
    '{"resourceType":"Patient","extension":[{"url":"a:b","valueBase64Binary":"\\ud83d"}]}',
    '{"resourceType":"Patient","extension":[{"url":"a:b","valueMarkdown":"\\ud83d"}]}',
    '{"resourceType":"Patient","extension":[{"url":"a:b","valueUri":"a:\\ud83d"}]}',
    '{"resourceType":"Patient","extension":[{"url":"a:b","valueCode":"\\ud83d"}]}',
    '{"resourceType":"Patient","\\ud83d":1}',
  ];
  for (const body of bodies) {
    test(`is refused in ${body.slice(27)}`, () => {
      const { findings } = json(body);
      assert.equal(findings.length, 1);
      assert.match(findings[0]?.path ?? '', /^\/f:Patient/);
    });
  }
});
