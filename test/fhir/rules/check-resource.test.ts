/** The rules of FHIR beyond structure: what a resource is refused for, and where. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import type { FhirObject, Resource } from '../../../src/fhir/format/resource.ts';
import { checkResource } from '../../../src/fhir/rules/check-resource.ts';

/** A valid resource of the test's own making, as the decoder reads it. */
function decoded(resource: object, definitions = dstu2): Resource {
  const { resource: read, findings } = decodeJson(
    Buffer.from(JSON.stringify(resource)),
    definitions,
  );
  assert.deepEqual(findings, []);
  assert.ok(read);
  return read;
}

interface Case {
  readonly name: string;
  /** In a Patient. */
  readonly patient?: object;
  /** Or a whole resource. */
  readonly resource?: object;
  /** `code path`; none: it is accepted. */
  readonly findings?: readonly string[];
  readonly text?: RegExp;
}

function check(cases: readonly Case[]): void {
  for (const { name, patient, resource, findings = [], text } of cases) {
    test(name, () => {
      const read = decoded(resource ?? { resourceType: 'Patient', ...patient });
      const found = checkResource(read, dstu2);
      assert.deepEqual(
        found.map(({ code, path }) => `${code} ${path}`),
        findings,
      );
      if (text) assert.match(found[0]?.text ?? '', text);
    });
  }
}

const P = '/f:Patient';
const org = (more: object = {}) => ({
  resourceType: 'Organization',
  id: 'org',
  name: 'A',
  ...more,
});
const toOrg = { managingOrganization: { reference: '#org' } };

describe('contained resources', () => {
  check([
    { name: 'that are referred to are accepted', patient: { contained: [org()], ...toOrg } },
    {
      name: 'may be referred to by others',
      patient: {
        contained: [
          {
            resourceType: 'Practitioner',
            id: 'gp',
            practitionerRole: [{ managingOrganization: { reference: '#org' } }],
          },
          org(),
        ],
        careProvider: [{ reference: '#gp' }],
      },
    },
    {
      name: 'may be referred to out of an extension of a primitive',
      patient: {
        contained: [org()],
        birthDate: '2001',
        _birthDate: { extension: [{ url: 'urn:a', valueReference: { reference: '#org' } }] },
      },
    },
    {
      name: 'may be referred to out of an extension of a repeating primitive',
      patient: {
        contained: [org()],
        name: [
          {
            given: ['a', 'b'],
            _given: [
              null,
              { extension: [{ url: 'urn:a', valueReference: { reference: '#org' } }] },
            ],
          },
        ],
      },
    },
    {
      name: 'need an id',
      patient: { contained: [{ resourceType: 'Organization', name: 'A' }] },
      findings: [`required ${P}/f:contained[1]/f:Organization`],
    },
    {
      name: 'have ids of their own',
      patient: {
        contained: [org(), { resourceType: 'Basic', id: 'org', code: { text: 'a' } }],
        ...toOrg,
      },
      findings: [`value ${P}/f:contained[2]/f:Basic/f:id`],
      text: /unique/,
    },
    {
      name: 'have no narrative',
      patient: {
        contained: [org({ text: { status: 'generated', div: '<div>a</div>' } })],
        ...toOrg,
      },
      findings: [`invariant ${P}/f:contained[1]/f:Organization/f:text`],
      text: /dom-1/,
    },
    {
      name: 'contain nothing, and what is in there is checked all the same',
      patient: {
        contained: [
          org({ contained: [{ resourceType: 'Patient', contact: [{ gender: 'other' }] }] }),
        ],
        ...toOrg,
      },
      findings: [
        `invariant ${P}/f:contained[1]/f:Organization/f:contained`,
        `invariant ${P}/f:contained[1]/f:Organization/f:contained[1]/f:Patient/f:contact[1]`,
      ],
      text: /dom-2/,
    },
    {
      name: 'have no version and no date, but profiles and tags',
      patient: {
        contained: [
          org({
            meta: { versionId: '1', lastUpdated: '2012-01-01T00:00:00Z', profile: ['urn:a'] },
          }),
        ],
        ...toOrg,
      },
      findings: [
        `invariant ${P}/f:contained[1]/f:Organization/f:meta/f:versionId`,
        `invariant ${P}/f:contained[1]/f:Organization/f:meta/f:lastUpdated`,
      ],
      text: /dom-4/,
    },
    {
      name: 'that nothing refers to are refused',
      patient: { contained: [org(), org({ id: 'other' })], ...toOrg },
      findings: [`invariant ${P}/f:contained[2]/f:Organization`],
      text: /"other" \(dom-3\)/,
    },
    {
      name: 'that only refer to themselves are refused',
      patient: { contained: [org({ partOf: { reference: '#org' } })] },
      findings: [`invariant ${P}/f:contained[1]/f:Organization`],
      text: /dom-3/,
    },
    {
      name: 'are checked like others',
      patient: { contained: [{ resourceType: 'Organization', id: 'org', active: true }], ...toOrg },
      findings: [`invariant ${P}/f:contained[1]/f:Organization`],
      text: /org-1/,
    },
    {
      name: 'of an entry of a bundle belong to its resource',
      resource: {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { fullUrl: 'urn:a', resource: { resourceType: 'Patient', contained: [org()], ...toOrg } },
          { fullUrl: 'urn:b', resource: { resourceType: 'Patient', ...toOrg } },
          { fullUrl: 'urn:c', resource: { resourceType: 'Patient', contained: [org()] } },
        ],
      },
      findings: [
        'invariant /f:Bundle/f:entry[2]/f:resource/f:Patient/f:managingOrganization/f:reference',
        'invariant /f:Bundle/f:entry[3]/f:resource/f:Patient/f:contained[1]/f:Organization',
      ],
    },
  ]);
});

describe('references', () => {
  check([
    {
      name: 'may lead elsewhere',
      patient: { managingOrganization: { reference: 'https://example.org/a/Patient/1' } },
    },
    { name: 'may have a text only', patient: { managingOrganization: { display: 'A' } } },
    {
      name: 'may be relative',
      patient: { managingOrganization: { reference: 'Organization/1/_history/2' } },
    },
    {
      name: 'to nothing contained are refused',
      patient: { managingOrganization: { reference: '#org' } },
      findings: [`invariant ${P}/f:managingOrganization/f:reference`],
      text: /"#org".*ref-1/,
    },
    {
      name: 'to # alone are refused',
      patient: { managingOrganization: { reference: '#' } },
      findings: [`invariant ${P}/f:managingOrganization/f:reference`],
    },
    ...['__proto__', 'constructor', 'toString'].map((id) => ({
      name: `to #${id} find nothing`,
      patient: { managingOrganization: { reference: `#${id}` } },
      findings: [`invariant ${P}/f:managingOrganization/f:reference`],
    })),
    {
      name: 'in a contained resource reach only the contained resources of the outer one',
      patient: {
        contained: [org({ partOf: { reference: '#missing' } })],
        ...toOrg,
      },
      findings: [`invariant ${P}/f:contained[1]/f:Organization/f:partOf/f:reference`],
    },
    {
      name: 'to a contained resource of a wrong type are refused',
      patient: {
        contained: [{ resourceType: 'Device', id: 'org', type: { text: 'a' } }],
        ...toOrg,
      },
      findings: [`value ${P}/f:managingOrganization/f:reference`],
      text: /"#org", a Device\. Expected Organization\./,
    },
    {
      name: 'to a relative address of a wrong type are refused',
      patient: { careProvider: [{ reference: 'Organization/1' }, { reference: 'Patient/1' }] },
      findings: [`value ${P}/f:careProvider[2]/f:reference`],
    },
    {
      name: 'of any type are left alone',
      resource: {
        resourceType: 'Order',
        detail: [{ reference: 'Patient/1' }, { reference: 'Nonsense/1' }],
      },
    },
  ]);
});

describe('extensions', () => {
  check([
    {
      name: 'have absolute addresses, except for those inside other extensions',
      patient: {
        extension: [
          { url: 'https://example.org/a', extension: [{ url: 'short', valueString: 'a' }] },
          { url: 'urn:oid:1.2.3', valueString: 'a' },
        ],
      },
    },
    {
      name: 'with short addresses are refused',
      patient: { modifierExtension: [{ url: 'short', valueString: 'a' }] },
      findings: [`value ${P}/f:modifierExtension[1]`],
      text: /"short" is not absolute/,
    },
    {
      name: 'have values that are checked',
      patient: { extension: [{ url: 'urn:a', valuePeriod: { start: '2012', end: '2011' } }] },
      findings: [`invariant ${P}/f:extension[1]/f:valuePeriod/f:start`],
      text: /per-1/,
    },
  ]);
});

const concept = (system: string | undefined, code: string) => ({ coding: [{ system, code }] });
const MARITAL = 'http://hl7.org/fhir/v3/MaritalStatus';

describe('required value sets', () => {
  check([
    { name: 'have the marital status', patient: { maritalStatus: concept(MARITAL, 'M') } },
    {
      name: 'are met by one of several codings',
      patient: {
        maritalStatus: {
          coding: [
            { system: 'urn:a', code: 'x' },
            { system: MARITAL, code: 'M' },
          ],
        },
      },
    },
    { name: 'let texts through', patient: { maritalStatus: { text: 'married' } } },
    ...[
      concept(MARITAL, 'X'),
      concept('urn:a', 'M'),
      concept(undefined, 'M'),
      concept('constructor', 'M'),
    ].map((maritalStatus) => ({
      name: `lack ${JSON.stringify(maritalStatus.coding)}`,
      patient: { maritalStatus },
      findings: [`code-invalid ${P}/f:maritalStatus`],
      text: /value set marital-status/,
    })),
    {
      name: 'have languages of any system',
      patient: {
        communication: [
          { language: concept('urn:ietf:bcp:47', 'nl-NL') },
          { language: concept('https://fhir.example.org/languages', 'en') },
          { language: { text: 'Welsh' } },
        ],
      },
    },
    {
      name: 'must not have languages that are not language tags',
      patient: { communication: [{ language: concept('urn:ietf:bcp:47', 'English!') }] },
      findings: [`code-invalid ${P}/f:communication[1]/f:language`],
    },
    {
      name: 'hold for repeating elements',
      resource: {
        resourceType: 'Practitioner',
        communication: [concept('urn:ietf:bcp:47', 'cy'), concept('urn:ietf:bcp:47', 'c')],
      },
      findings: ['code-invalid /f:Practitioner/f:communication[2]'],
    },
    ...[
      'en',
      'en-GB',
      'zh-Hant-TW',
      'de-CH-1996',
      'sl-rozaj-biske',
      'en-a-bbb-x-a',
      'x-own',
      'i-klingon',
      'es-419',
      'sgn-BE-FR',
    ].map((language) => ({ name: `have the language ${language}`, patient: { language } })),
    ...['e', 'en_GB', 'en-', 'en GB', 'abcdefghi', '12', 'x', 'en-x', 'en--GB'].map((language) => ({
      name: `lack the language ${language}`,
      patient: { language },
      findings: [`code-invalid ${P}/f:language`],
      text: /BCP 47/,
    })),
    ...['image/png', 'text/plain; charset=utf-8', 'application/xml+fhir'].map((contentType) => ({
      name: `have the media type ${contentType}`,
      patient: { photo: [{ contentType, language: 'en' }] },
    })),
    ...['png', 'image/', '/png', 'image/p/q'].map((contentType) => ({
      name: `lack the media type ${contentType}`,
      patient: { photo: [{ contentType }] },
      findings: [`code-invalid ${P}/f:photo[1]/f:contentType`],
    })),
  ]);
});

describe('invariants are looked for', () => {
  check([
    {
      name: 'in the resource, its parts and its data types',
      patient: {
        contact: [{ name: { text: 'a' } }, { gender: 'other' }],
        telecom: [{ value: '1' }],
        identifier: [{ period: { start: '2012-02', end: '2012-01' } }],
      },
      findings: [
        `invariant ${P}/f:identifier[1]/f:period/f:start`,
        `invariant ${P}/f:telecom[1]/f:value`,
        `invariant ${P}/f:contact[2]`,
      ],
    },
    {
      name: 'at the places of elements',
      resource: {
        resourceType: 'Organization',
        name: 'A',
        telecom: [
          { system: 'phone', use: 'work' },
          { system: 'phone', use: 'home' },
        ],
        address: [{ use: 'home' }],
      },
      findings: [
        'invariant /f:Organization/f:telecom[2]/f:use',
        'invariant /f:Organization/f:address[1]/f:use',
      ],
    },
    {
      name: 'in choices and in quantities by another name',
      resource: {
        resourceType: 'Observation',
        status: 'final',
        code: { text: 'a' },
        valueQuantity: { value: 1, code: 'mg' },
        dataAbsentReason: { text: 'a' },
        referenceRange: [{ low: { value: 1, code: 'mg' } }],
      },
      findings: [
        'invariant /f:Observation/f:dataAbsentReason',
        'invariant /f:Observation/f:valueQuantity/f:code',
        'invariant /f:Observation/f:referenceRange[1]/f:low/f:code',
      ],
    },
    {
      name: 'once for a part, also where it has the content of another',
      resource: {
        resourceType: 'Questionnaire',
        status: 'draft',
        group: {
          required: true,
          group: [{ group: [{}].map(() => ({ text: 'a' })), question: [{ text: 'b' }] }],
        },
      },
      findings: ['invariant /f:Questionnaire/f:group/f:group[1]/f:question[1]'],
    },
  ]);
});

describe('narratives', () => {
  const narrative = (div: string) => ({ status: 'generated', div: `<div>${div}</div>` });
  check([
    { name: 'that are safe are accepted', patient: { text: narrative('<p>a</p>') } },
    {
      name: 'that are not are against the rules of the service',
      patient: { text: narrative('<a href="javascript:a">b</a><script>c</script>') },
      findings: [`business-rule ${P}/f:text/h:div`, `business-rule ${P}/f:text/h:div`],
      text: /javascript/,
    },
    {
      name: 'are looked for in contained resources too',
      patient: {
        contained: [org({ text: narrative('<p onclick="a">b</p>') })],
        ...toOrg,
      },
      findings: [
        `invariant ${P}/f:contained[1]/f:Organization/f:text`,
        `business-rule ${P}/f:contained[1]/f:Organization/f:text/h:div`,
      ],
    },
    {
      name: 'are looked for in the sections of compositions',
      resource: {
        resourceType: 'Composition',
        date: '2012',
        type: { text: 'a' },
        title: 'a',
        status: 'final',
        subject: { display: 'a' },
        author: [{ display: 'a' }],
        section: [{ text: narrative(' ') }],
      },
      findings: ['business-rule /f:Composition/f:section[1]/f:text/h:div'],
      text: /txt-2/,
    },
  ]);
});

test('markup outside of narratives is text like any other', () => {
  const read = decoded({ resourceType: 'Patient', name: [{ text: '<script>alert(1)</script>' }] });
  assert.deepEqual(checkResource(read, dstu2), []);
});

test('a resource of STU3 is checked by the invariants of both versions', () => {
  const period: FhirObject = { start: '2012', end: '2011' };
  const read = decoded(
    { resourceType: 'Patient', identifier: [{ period }], maritalStatus: concept('urn:a', 'b') },
    stu3,
  );
  assert.deepEqual(
    checkResource(read, stu3).map(({ path }) => path),
    [`${P}/f:identifier[1]/f:period/f:start`],
  );
});
