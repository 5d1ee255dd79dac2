/** Values, nested resources and narratives in XML. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { stu3 } from '../../../src/fhir/definitions/published.ts';
import { encodeJson } from '../../../src/fhir/format/json.ts';
import { encodeXml } from '../../../src/fhir/format/xml.ts';
import { decode, P, patient, refuses } from './xml-cases.ts';

describe('values', () => {
  refuses([
    {
      name: 'a boolean',
      body: patient('<active value="1"/>'),
      findings: [`value ${P}/f:active 2:1`],
      text: /"1" is not a valid boolean. Expected true or false/,
    },
    {
      name: 'a date',
      body: patient('<gender value="male"/>\n  <birthDate value="2017-02-29"/>'),
      findings: [`value ${P}/f:birthDate 3:3`],
    },
    {
      name: 'a dateTime without a zone',
      body: patient('<deceasedDateTime value="2017-06-15T14:57:54"/>'),
      findings: [`value ${P}/f:deceasedDateTime 2:1`],
    },
    {
      name: 'a code',
      body: patient('<gender value="Male"/>'),
      findings: [`value ${P}/f:gender 2:1`],
    },
    {
      name: 'an integer',
      body: patient('<telecom><system value="phone"/><rank value="1.0"/></telecom>'),
      findings: [`value ${P}/f:telecom[1]/f:rank 2:33`],
    },
    {
      name: 'an integer that is not a number',
      body: patient('<telecom><system value="phone"/><rank value="one"/></telecom>'),
      findings: [`value ${P}/f:telecom[1]/f:rank 2:33`],
    },
    {
      name: 'a decimal',
      body: patient('<extension url="http://a.b"><valueDecimal value="1e3"/></extension>'),
      findings: [`value ${P}/f:extension[1]/f:valueDecimal 2:29`],
    },
    {
      name: 'white space around an id',
      body: patient('<id value=" a"/>'),
      findings: [`value ${P}/f:id 2:1`],
    },
    {
      name: 'deep in the extension of a primitive',
      body: patient(
        '<birthDate value="2017"><extension url="http://a.b"><valueBoolean value="x"/></extension></birthDate>',
      ),
      findings: [`value ${P}/f:birthDate/f:extension[1]/f:valueBoolean 2:53`],
    },
  ]);
});

describe('resources in resources', () => {
  const basic = '<Basic><code><text value="a"/></code></Basic>';
  refuses([
    {
      name: 'none',
      body: patient('<contained/>'),
      findings: [`structure ${P}/f:contained[1] 2:1`],
      text: /exactly one resource, not 0/,
    },
    {
      name: 'two',
      body: patient(`<contained>${basic}\n${basic}</contained>`),
      findings: [`structure ${P}/f:contained[1] 3:1`],
      text: /exactly one resource, not 2/,
    },
    {
      name: 'text',
      body: patient(`<contained>x${basic}</contained>`),
      findings: [`structure ${P}/f:contained[1] 2:1`],
    },
    {
      name: 'of an unknown type',
      body: patient('<contained>\n<Foo><a/></Foo></contained>'),
      findings: [`structure ${P}/f:contained[1]/f:Foo 3:1`],
    },
    {
      name: 'of another namespace',
      body: patient('<contained>\n<Basic xmlns="urn:a"/></contained>'),
      findings: [`structure ${P}/f:contained[1]/f:Basic 3:1`],
    },
    {
      name: 'with findings after one that is refused',
      body: patient(`<contained/>\n<contained><Patient><gender value="x"/></Patient></contained>`),
      findings: [
        `structure ${P}/f:contained[1] 2:1`,
        `value ${P}/f:contained[2]/f:Patient/f:gender 3:21`,
      ],
    },
  ]);
});

describe('narratives', () => {
  const text = (div: string) => patient(`<text><status value="generated"/>${div}</text>`);
  const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';
  refuses([
    {
      name: 'without a namespace',
      body: text('<div>a</div>'),
      findings: [`structure ${P}/f:text/h:div 2:34`, `required ${P}/f:text/h:div 2:34`],
    },
    {
      name: 'with an element of FHIR',
      body: text(`<div ${xhtml}><p xmlns="http://hl7.org/fhir"/></div>`),
      findings: [`structure ${P}/f:text/h:div 2:34`],
    },
    {
      name: 'two',
      body: text(`<div ${xhtml}>a</div><div ${xhtml}>b</div>`),
      findings: [`structure ${P}/f:text/h:div 2:83`],
    },
    { name: 'missing', body: text(''), findings: [`required ${P}/f:text/h:div 2:1`] },
  ]);
});

test('all findings of a body come at once, in its order', () => {
  const { findings } = decode(
    patient('<id value="_"/>\n<foo/>\n<gender value="x"/>\n<name><text value="a"/></name>'),
  );
  assert.deepEqual(
    findings.map(({ path, line }) => `${line} ${path}`),
    [`2 ${P}/f:id`, `3 ${P}/f:foo`, `4 ${P}/f:gender`, `5 ${P}/f:name[1]`],
  );
});

test('lines end in LF, CR LF or CR', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const body = `<Patient xmlns="http://hl7.org/fhir">${end}${end}  <foo/>${end}</Patient>`;
    const [finding] = decode(body).findings;
    assert.deepEqual([finding?.line, finding?.column], [3, 3]);
  }
});

describe('tolerated', () => {
  const same = (name: string, body: string, expected: string, definitions?: Definitions) =>
    test(name, () => {
      const { resource, findings } = decode(body, definitions);
      assert.deepEqual(findings, []);
      assert.equal(resource && encodeJson(resource), `{"resourceType":"Patient"${expected}}`);
    });

  same(
    'a byte order mark and a declaration',
    `\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${patient('<id value="a"/>')}`,
    ',"id":"a"',
  );
  same(
    'any prefix',
    '<f:Patient xmlns:f="http://hl7.org/fhir"><g:id xmlns:g="http://hl7.org/fhir" value="a"/></f:Patient>',
    ',"id":"a"',
  );
  same(
    'comments and processing instructions',
    `<?a b?><!-- c -->${patient('<!-- d --><id value="a"><?e f?><!-- g --></id>')}<!-- h -->`,
    ',"id":"a"',
  );
  same(
    'the five entities and character references',
    patient('<name><text value="&lt;&gt;&amp;&quot;&apos;&#9;&#xA;&#13;&#x1F600;"/></name>'),
    ',"name":[{"text":"<>&\\"\'\\t\\n\\r\u{1f600}"}]',
  );
  same(
    'line breaks in an attribute, which XML makes spaces',
    patient('<name><text value="a\nb\tc"/></name>'),
    ',"name":[{"text":"a b c"}]',
  );
  same(
    'white space around what the schemas collapse',
    patient('<active value=" true "/><gender value="\nmale"/>'),
    ',"active":true,"gender":"male"',
  );
  same(
    'white space around a string, which is part of it',
    patient('<name><text value=" a "/></name>'),
    ',"name":[{"text":" a "}]',
  );
  same('an empty resource', patient(''), '');
  same(
    'a primitive with extensions in place of its value',
    patient('<active><extension url="http://a.b"><valueCode value="c"/></extension></active>'),
    ',"_active":{"extension":[{"url":"http://a.b","valueCode":"c"}]}',
  );
  same(
    'an item with an id beside one without',
    patient('<name><given value="a"/><given id="x" value="b"/></name>'),
    ',"name":[{"given":["a","b"],"_given":[null,{"id":"x"}]}]',
  );
  same(
    'a narrative with a prefix, comments and CDATA',
    patient(
      '<text><status value="generated"/><h:div xmlns:h="http://www.w3.org/1999/xhtml">a<!-- b --><h:br></h:br><![CDATA[<c>]]></h:div></text>',
    ),
    ',"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">a<br/>&lt;c&gt;</div>"}',
  );
  test('white space inside base64', () => {
    const body =
      '<Binary xmlns="http://hl7.org/fhir"><contentType value="a/b"/><content value=" AA\n AA "/></Binary>';
    assert.equal(decode(body).resource?.content, 'AAAA');
  });
});

describe('encodeXml', () => {
  const written = (resource: { resourceType: string }, definitions = stu3) =>
    encodeXml(resource, definitions).replace('<?xml version="1.0" encoding="UTF-8"?>', '');

  test('writes the declaration and the default namespace', () => {
    assert.equal(
      encodeXml({ resourceType: 'Patient' }, stu3),
      '<?xml version="1.0" encoding="UTF-8"?><Patient xmlns="http://hl7.org/fhir"/>',
    );
  });

  test('writes tabs and line breaks in values as character references', () => {
    const resource = { resourceType: 'Organization', name: '<a>&"\'\t\n\r' };
    assert.equal(
      written(resource),
      '<Organization xmlns="http://hl7.org/fhir"><name value="&lt;a>&amp;&quot;\'&#9;&#10;&#13;"/></Organization>',
    );
  });

  test('writes a built resource in the order of the definitions, undefined properties left out', () => {
    const resource = {
      name: 'a',
      active: false,
      id: 'x',
      alias: undefined,
      resourceType: 'Organization',
    };
    assert.equal(
      written(resource),
      '<Organization xmlns="http://hl7.org/fhir"><id value="x"/><active value="false"/><name value="a"/></Organization>',
    );
  });

  test('writes id and url as attributes, one resource in each contained', () => {
    const resource = {
      resourceType: 'Organization',
      contained: [
        { resourceType: 'Basic', id: 'a' },
        { resourceType: 'Basic', id: 'b' },
      ],
      extension: [{ id: 'e', url: 'http://a.b', valueDecimal: 2 }],
      _name: { id: 'n' },
      name: 'c',
    };
    assert.equal(
      written(resource),
      '<Organization xmlns="http://hl7.org/fhir">' +
        '<contained><Basic><id value="a"/></Basic></contained><contained><Basic><id value="b"/></Basic></contained>' +
        '<extension id="e" url="http://a.b"><valueDecimal value="2"/></extension>' +
        '<name value="c" id="n"/></Organization>',
    );
  });

  test('indents by two spaces, the narrative as it is', () => {
    const resource = {
      resourceType: 'Organization',
      text: { status: 'generated', div: '<div>a<br/></div>' },
      contact: [{ name: { text: 'b' } }],
    };
    assert.deepEqual(encodeXml(resource, stu3, { pretty: true }).split('\n'), [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Organization xmlns="http://hl7.org/fhir">',
      '  <text>',
      '    <status value="generated"/>',
      '    <div xmlns="http://www.w3.org/1999/xhtml">a<br/></div>',
      '  </text>',
      '  <contact>',
      '    <name>',
      '      <text value="b"/>',
      '    </name>',
      '  </contact>',
      '</Organization>',
      '',
    ]);
  });

  test('throws for what is not a resource of the version', () => {
    assert.throws(() => encodeXml({ resourceType: 'Order' }, stu3), /STU3 has no resource Order/);
    assert.throws(
      () => encodeXml({ resourceType: 'Patient', foo: 1 }, stu3),
      /Patient has no element foo/,
    );
    const broken = {
      resourceType: 'Patient',
      text: { status: 'generated', div: '<div><p></div>' },
    };
    assert.throws(() => encodeXml(broken, stu3), /not well-formed/);
  });
});
