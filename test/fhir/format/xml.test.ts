/** What FHIR XML is refused, with which findings and where, and what is tolerated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2 } from '../../../src/fhir/definitions/dstu2.ts';
import { stu3 } from '../../../src/fhir/definitions/stu3.ts';
import { encodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';

const decode = (text: string, definitions: Definitions = dstu2) =>
  decodeXml(Buffer.from(text), definitions);
/** The content begins at line 2, column 1. */
const patient = (content: string) => `<Patient xmlns="http://hl7.org/fhir">\n${content}</Patient>`;
const P = '/f:Patient';

/** Each finding as `code path line:column`, in the order of the body. */
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
        decoded.findings.map((f) => `${f.code} ${f.path} ${f.line}:${f.column}`),
        findings,
      );
      assert.equal(decoded.findingsTotal, findings.length);
      if (text) assert.match(decoded.findings[0]?.text ?? '', text);
    });
  }
}

describe('XML that is not well-formed, or not ours to take, is one finding', () => {
  refuses([
    { name: 'nothing', body: '', findings: ['structure / 1:1'] },
    { name: 'no element', body: '<!-- a -->', findings: ['structure / 1:10'] },
    { name: 'no XML', body: '{"resourceType":"Patient"}', findings: ['structure / 1:27'] },
    {
      name: 'a tag left open',
      body: patient('<name>'),
      findings: ['structure / 2:16'],
      text: /unexpected close tag/,
    },
    {
      name: 'an end too early',
      body: '<Patient xmlns="http://hl7.org/fhir">\n<id',
      findings: ['structure / 2:3'],
    },
    {
      name: 'an attribute twice',
      body: patient('<id value="a" value="b"/>'),
      findings: ['structure / 2:25'],
      text: /duplicate attribute/,
    },
    {
      name: 'an attribute twice through prefixes',
      body: patient('<id xmlns:a="urn:x" xmlns:b="urn:x" a:c="1" b:c="2"/>'),
      findings: ['structure / 2:53'],
    },
    {
      name: 'a prefix that is not bound',
      body: patient('<f:id value="a"/>'),
      findings: ['structure / 2:17'],
      text: /unbound/,
    },
    {
      name: 'an attribute without quotes',
      body: patient('<id value=a/>'),
      findings: ['structure / 2:11'],
    },
    { name: 'a bare <', body: patient('<id value="<"/>'), findings: ['structure / 2:12'] },
    { name: 'a bare &', body: patient('<id value="a & b"/>'), findings: ['structure / 2:29'] },
    {
      name: 'a control character',
      body: patient('<id value="\u0001"/>'),
      findings: ['structure / 2:12'],
    },
    {
      name: 'a reference to a control character',
      body: patient('<id value="&#1;"/>'),
      findings: ['structure / 2:15'],
    },
    {
      name: 'the same in XML 1.1',
      body: `<?xml version="1.1"?>${patient('<id value="&#1;"/>')}`,
      findings: ['structure / 2:15'],
    },
    { name: 'two roots', body: `${patient('')}\n<Patient/>`, findings: ['structure / 3:9'] },
    { name: 'text after the root', body: `${patient('')}x`, findings: ['structure / 2:12'] },
    {
      name: 'another encoding',
      body: `<?xml version="1.0" encoding="ISO-8859-1"?>${patient('')}`,
      findings: ['structure / 1:1'],
      text: /ISO-8859-1/,
    },
    {
      name: 'a DOCTYPE',
      body: `<!DOCTYPE Patient>${patient('')}`,
      findings: ['structure / 1:1'],
      text: /DOCTYPE/,
    },
    {
      name: 'a DOCTYPE that is not first',
      body: `<?xml version="1.0"?>\n<!DOCTYPE Patient [\n]>\n${patient('')}`,
      findings: ['structure / 2:1'],
      text: /DOCTYPE/,
    },
    {
      name: 'an entity of HTML',
      body: patient('<name><text value="&nbsp;"/></name>'),
      findings: ['structure / 2:25'],
      text: /undefined entity/,
    },
    {
      name: 'an entity that JavaScript knows',
      body: patient('<name><text value="&constructor;"/></name>'),
      findings: ['structure / 2:32'],
      text: /undefined entity/,
    },
  ]);

  test('bytes that are not UTF-8', () => {
    const bytes = Buffer.from(patient('<name><text value="é"/></name>'), 'latin1');
    assert.deepEqual(decodeXml(bytes, dstu2).findings, [
      { path: '/', code: 'structure', text: 'The body is not valid UTF-8.' },
    ]);
  });
});

describe('the root', () => {
  refuses([
    {
      name: 'without a namespace',
      body: '<Patient/>',
      findings: [`structure ${P} 1:1`],
      text: /not in the namespace/,
    },
    {
      name: 'in another namespace',
      body: '<Patient xmlns="http://hl7.org/fhir/"/>',
      findings: [`structure ${P} 1:1`],
    },
    {
      name: 'of an unknown type',
      body: '<?xml version="1.0"?>\n<Foo xmlns="http://hl7.org/fhir"/>',
      findings: ['structure /f:Foo 2:1'],
    },
    {
      name: 'of a data type',
      body: '<Period xmlns="http://hl7.org/fhir"/>',
      findings: ['structure /f:Period 1:1'],
    },
    {
      name: 'with an id as attribute',
      body: '<Patient id="a" xmlns="http://hl7.org/fhir"/>',
      findings: [`structure ${P} 1:1`],
    },
    {
      name: 'with a schema location',
      body: '<Patient xmlns="http://hl7.org/fhir" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://hl7.org/fhir a.xsd"/>',
      findings: [`structure ${P} 1:1`],
      text: /schemaLocation/,
    },
  ]);
});

describe('elements', () => {
  refuses([
    {
      name: 'unknown',
      body: patient('<foo value="a"/>\n <active value="true"/>\n <bar/>'),
      findings: [`structure ${P}/f:foo 2:1`, `structure ${P}/f:bar 4:2`],
    },
    {
      name: 'unknown in a data type',
      body: patient(
        '<name><text value="a"/></name>\n<name>\n<use value="usual"/><last value="b"/></name>',
      ),
      findings: [`structure ${P}/f:name[2]/f:last 4:21`],
    },
    {
      name: 'called like what every object has',
      body: patient('<constructor value="a"/>\n<__proto__ value="a"/>'),
      findings: [`structure ${P}/f:constructor 2:1`, `structure ${P} 3:1`],
    },
    {
      name: 'of another namespace',
      body: patient('<active xmlns="" value="true"/>'),
      findings: [`structure ${P}/f:active 2:1`],
      text: /namespace/,
    },
    {
      name: 'of XHTML',
      body: patient('<active xmlns="http://www.w3.org/1999/xhtml" value="true"/>'),
      findings: [`structure ${P}/f:active 2:1`],
    },
    {
      name: 'in a wrong order',
      body: patient('<gender value="male"/>\n<active value="true"/>'),
      findings: [`structure ${P}/f:active 3:1`],
      text: /active stands before gender in Patient/,
    },
    {
      name: 'in a wrong order, inherited ones last',
      body: patient('<active value="true"/><id value="a"/>'),
      findings: [`structure ${P}/f:id 2:23`],
    },
    {
      name: 'in a wrong order inside a data type',
      body: patient('<name><given value="a"/><family value="b"/></name>'),
      findings: [`structure ${P}/f:name[1]/f:family[1] 2:25`],
    },
    {
      name: 'apart from their like',
      body: patient(
        '<name><text value="a"/></name><gender value="male"/>\n<name><text value="b"/></name>',
      ),
      findings: [`structure ${P}/f:name[2] 3:1`],
    },
    {
      name: 'twice, not repeating',
      body: patient('<active value="true"/>\n<active value="false"/>'),
      findings: [`structure ${P}/f:active 3:1`],
      text: /does not repeat/,
    },
    {
      name: 'a choice twice',
      body: patient('<deceasedBoolean value="true"/>\n<deceasedDateTime value="2017"/>'),
      findings: [`structure ${P}/f:deceasedDateTime 3:1`],
      text: /choice/,
    },
    {
      name: 'a choice twice, in the other order',
      body: patient('<deceasedDateTime value="2017"/>\n<deceasedBoolean value="true"/>'),
      findings: [`structure ${P}/f:deceasedDateTime 2:1`],
    },
    {
      name: 'missing',
      body: '<OrderResponse xmlns="http://hl7.org/fhir">\n</OrderResponse>',
      findings: [
        'required /f:OrderResponse/f:request 1:1',
        'required /f:OrderResponse/f:orderStatus 1:1',
      ],
    },
    {
      name: 'missing in an item',
      body: patient(
        '<link><other><display value="a"/></other><type value="refer"/></link>\n<link><type value="refer"/></link>',
      ),
      findings: [`required ${P}/f:link[2]/f:other 3:1`],
    },
    {
      name: 'that are attributes',
      body: patient('<name><id value="a"/><text value="b"/></name>'),
      findings: [`structure ${P}/f:name[1]/f:id 2:7`],
    },
    {
      name: 'with text between them',
      body: patient('<name>\nMr<text value="b"/></name>\n'),
      findings: [`structure ${P}/f:name[1] 2:1`],
      text: /"Mr"/,
    },
    {
      name: 'with text in a CDATA section',
      body: patient('<name><![CDATA[x]]><text value="b"/></name>'),
      findings: [`structure ${P}/f:name[1] 2:1`],
    },
    {
      name: 'with text in a primitive',
      body: patient('<gender value="male">x</gender>'),
      findings: [`structure ${P}/f:gender 2:1`],
    },
    {
      name: 'a modifierExtension in a data type',
      body: patient(
        '<name><modifierExtension url="http://a.b"><valueCode value="c"/></modifierExtension><text value="a"/></name>',
      ),
      findings: [`structure ${P}/f:name[1]/f:modifierExtension 2:7`],
    },
  ]);
});

describe('nothing is empty', () => {
  refuses([
    {
      name: 'an object',
      body: '<OrderResponse xmlns="http://hl7.org/fhir">\n<request/><orderStatus value="error"/></OrderResponse>',
      findings: ['structure /f:OrderResponse/f:request 2:1'],
    },
    {
      name: 'an item',
      body: patient('<name><text value="a"/></name>\n<name>\n</name>'),
      findings: [`structure ${P}/f:name[2] 3:1`],
    },
    {
      name: 'an object with only an id',
      body: patient('<maritalStatus id="a"/>'),
      findings: [`structure ${P}/f:maritalStatus 2:1`],
      text: /ele-1/,
    },
    { name: 'a primitive', body: patient('<active/>'), findings: [`structure ${P}/f:active 2:1`] },
    {
      name: 'a primitive with only an id',
      body: patient('<active id="a"/>'),
      findings: [`structure ${P}/f:active 2:1`],
    },
    {
      name: 'an item that is a primitive',
      body: patient('<name><given value="a"/>\n<given/></name>'),
      findings: [`structure ${P}/f:name[1]/f:given[2] 3:1`],
    },
    {
      name: 'a value',
      body: patient('<name><text value=""/></name>'),
      findings: [`value ${P}/f:name[1]/f:text 2:7`],
    },
    {
      name: 'a value that is no string',
      body: patient('<active value=""/>'),
      findings: [`value ${P}/f:active 2:1`],
    },
    {
      name: 'an id',
      body: patient('<name id=""><text value="a"/></name>'),
      findings: [`value ${P}/f:name[1]/@id 2:1`],
    },
    {
      name: 'an extension',
      body: patient('<extension url="http://a.b"/>'),
      findings: [`invariant ${P}/f:extension[1] 2:1`],
      text: /ext-1/,
    },
  ]);
});

describe('attributes', () => {
  refuses([
    {
      name: 'unknown on a primitive',
      body: patient('<active value="true" foo="a"/>'),
      findings: [`structure ${P}/f:active 2:1`],
      text: /"foo"/,
    },
    {
      name: 'value on an object',
      body: patient('<name value="a"><text value="b"/></name>'),
      findings: [`structure ${P}/f:name[1] 2:1`],
    },
    {
      name: 'url where there is no extension',
      body: patient('<name url="a"><text value="b"/></name>'),
      findings: [`structure ${P}/f:name[1] 2:1`],
    },
    {
      name: 'of another namespace',
      body: patient('<active value="true" xml:lang="en"/>'),
      findings: [`structure ${P}/f:active 2:1`],
    },
    {
      name: 'value in the namespace of FHIR',
      body: patient('<active xmlns:f="http://hl7.org/fhir" f:value="true"/>'),
      findings: [`structure ${P}/f:active 2:1`, `structure ${P}/f:active 2:1`],
    },
    {
      name: 'on contained',
      body: patient('<contained id="a"><Basic><code><text value="a"/></code></Basic></contained>'),
      findings: [`structure ${P}/f:contained[1] 2:1`],
    },
    {
      name: 'no url',
      body: patient('<extension><valueCode value="a"/></extension>'),
      findings: [`required ${P}/f:extension[1]/@url 2:1`],
    },
  ]);
});

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
      name: 'an integer that is no number',
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

  test('throws for what is no resource of the version', () => {
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
