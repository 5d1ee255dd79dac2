/** What FHIR XML is refused, with which findings and where, and what is tolerated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';
import { P, patient, refuses } from './xml-cases.ts';

describe('XML that is not well-formed, or not ours to take, is one finding', () => {
  refuses([
    { name: 'nothing', body: '', findings: ['structure / 1:1'] },
    { name: 'no element', body: '<!-- a -->', findings: ['structure / 1:10'] },
    { name: 'no XML', body: '{"resourceType":"Patient"}', findings: ['structure / 1:1'] },
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
    { name: 'a bare &', body: patient('<id value="a & b"/>'), findings: ['structure / 2:14'] },
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
    { name: 'two roots', body: `${patient('')}\n<Patient/>`, findings: ['structure / 3:10'] },
    { name: 'text after the root', body: `${patient('')}x`, findings: ['structure / 2:11'] },
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
      text: /active must come before gender in Patient/,
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
