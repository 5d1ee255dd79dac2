/** The rules of the service for an order response: what it refuses, and what it warns about. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { checkResource } from '../../src/fhir/rules/check-resource.ts';
import { createOrderReview } from '../../src/orders/order-response/rules.ts';
import { ROOT } from '../tidy/source-files.ts';

const FIXTURES = join(ROOT, 'test/fhir/format/fixtures/dstu2');

function decoded(resource: object): Resource {
  const { resource: read, findings } = decodeJson(Buffer.from(JSON.stringify(resource)), dstu2);
  assert.deepEqual(findings, []);
  assert.ok(read);
  return read;
}

const order = (subject?: object) => ({
  resourceType: 'Order',
  id: 'order',
  ...(subject && { subject }),
  detail: [{ display: 'a' }],
});
const ORDER = order({ reference: '#pat' });
const PATIENT = { resourceType: 'Patient', id: 'pat' };
const PRACTITIONER = { resourceType: 'Practitioner', id: 'prac' };
const ORGANIZATION = { resourceType: 'Organization', id: 'org', name: 'A' };

const response = (more: object) => ({
  resourceType: 'OrderResponse',
  contained: [ORDER, PATIENT, PRACTITIONER],
  request: { reference: '#order' },
  who: { reference: '#prac' },
  orderStatus: 'completed',
  ...more,
});

interface Case {
  readonly name: string;
  readonly resource: object;
  /** `code path`, by the setting. */
  readonly base?: readonly string[];
  readonly contained?: readonly string[];
}

const R = '/f:OrderResponse';
const EXTERNAL = { contained: undefined, request: { reference: 'Order/1' } };
const NONE_CONTAINED = [`business-rule ${R}`, `business-rule ${R}`, `business-rule ${R}`];

const CASES: readonly Case[] = [
  { name: 'with all three contained', resource: response({}) },
  {
    name: 'with other resources elsewhere',
    resource: response({ ...EXTERNAL, who: { reference: 'https://example.org/Practitioner/1' } }),
    contained: [
      ...NONE_CONTAINED,
      `business-rule ${R}/f:request/f:reference`,
      `business-rule ${R}/f:who/f:reference`,
    ],
  },
  {
    name: 'without anyone who responds',
    resource: response({ contained: [ORDER, PATIENT], who: undefined }),
    contained: [`business-rule ${R}`, `business-rule ${R}`],
  },
  {
    name: 'that names its order and responder in words',
    resource: response({ ...EXTERNAL, request: { display: 'a' }, who: { display: 'b' } }),
    contained: [...NONE_CONTAINED, `business-rule ${R}/f:request`, `business-rule ${R}/f:who`],
  },
  {
    name: 'of an organization',
    resource: response({
      contained: [ORDER, PATIENT, ORGANIZATION],
      who: { reference: '#org' },
    }),
    contained: [`business-rule ${R}`, `business-rule ${R}/f:who/f:reference`],
  },
  {
    name: 'of a device',
    resource: response({
      contained: [ORDER, PATIENT, { resourceType: 'Device', id: 'device', type: { text: 'a' } }],
      who: { reference: '#device' },
    }),
    contained: [`business-rule ${R}`, `business-rule ${R}/f:who/f:reference`],
  },
  ...['Group', 'Device', 'Substance'].map((resourceType): Case => {
    const code = { text: 'a' };
    const subject = {
      Group: { type: 'person', actual: false },
      Device: { type: code },
      Substance: { code },
    }[resourceType];
    return {
      name: `about a ${resourceType}`,
      resource: response({
        contained: [
          order({ reference: '#it' }),
          { resourceType, id: 'it', ...subject },
          PRACTITIONER,
        ],
      }),
      contained: [`business-rule ${R}`],
    };
  }),
  {
    name: 'that requests a Patient',
    resource: response({ request: { reference: '#pat' }, fulfillment: [{ reference: '#order' }] }),
    base: [`value ${R}/f:request/f:reference`],
    contained: [`value ${R}/f:request/f:reference`],
  },
  {
    name: 'that a Patient responds to',
    resource: response({ who: { reference: '#pat' }, fulfillment: [{ reference: '#prac' }] }),
    base: [`value ${R}/f:who/f:reference`],
    contained: [`value ${R}/f:who/f:reference`],
  },
  {
    name: 'about an Organization',
    resource: response({
      contained: [order({ reference: '#org' }), ORGANIZATION, PATIENT, PRACTITIONER],
      fulfillment: [{ reference: '#pat' }],
    }),
    base: [`value ${R}/f:contained[1]/f:Order/f:subject/f:reference`],
    contained: [`value ${R}/f:contained[1]/f:Order/f:subject/f:reference`],
  },
  {
    name: 'that refers to nothing',
    resource: response({ who: { reference: '#gone' }, fulfillment: [{ reference: '#prac' }] }),
    base: [`invariant ${R}/f:who/f:reference`],
    contained: [`invariant ${R}/f:who/f:reference`],
  },
];

for (const profile of ['base', 'contained'] as const) {
  describe(`with orders.profile "${profile}" an order response`, () => {
    for (const each of CASES) {
      const { name, resource } = each;
      const expected = each[profile] ?? [];
      test(`${name} ${expected.length === 0 ? 'is accepted' : 'is refused'}`, () => {
        const read = decoded(resource);
        const { findings: own } = createOrderReview({ profile })(read);
        const findings = [...checkResource(read, dstu2), ...own];
        assert.deepEqual(
          findings.map(({ code, path }) => `${code} ${path}`),
          expected,
        );
        for (const { code, text } of findings) {
          if (code === 'business-rule')
            assert.match(text, /this server accepts only order responses that contain/);
        }
      });
    }
  });
}

describe('the official examples', () => {
  for (const file of readdirSync(FIXTURES)) {
    test(`${file} breaks no rule`, () => {
      const decode = file.endsWith('.json') ? decodeJson : decodeXml;
      const { resource, isWhole } = decode(readFileSync(join(FIXTURES, file)), dstu2);
      assert.ok(resource && isWhole);
      assert.deepEqual(checkResource(resource, dstu2), []);
    });
  }

  test('of the laboratory is accepted with orders.profile contained too', () => {
    const { resource } = decodeXml(readFileSync(join(FIXTURES, 'order-response-brief.xml')), dstu2);
    assert.ok(resource);
    assert.deepEqual(checkResource(resource, dstu2), []);
    assert.deepEqual(createOrderReview({ profile: 'contained' })(resource).findings, []);
  });
});

describe('profiles', () => {
  const profiled = (own: readonly string[], patients: readonly string[]) =>
    response({
      meta: { profile: own },
      contained: [ORDER, { ...PATIENT, meta: { profile: patients } }, PRACTITIONER],
    });
  const FHIR = 'http://hl7.org/fhir/StructureDefinition/';

  test('of the response that are not known are named in one warning each, those within it are not', () => {
    const resource = decoded(profiled(['urn:a', 'urn:b'], ['urn:b', 'urn:c']));
    const { findings, warnings } = createOrderReview({ profile: 'contained' })(resource);
    assert.deepEqual(findings, []);
    assert.deepEqual(
      warnings.map((warning) => /"(.*?)"/.exec(warning)?.[1]),
      ['urn:a', 'urn:b'],
    );
  });

  test('that are those of the types of FHIR are known', () => {
    const resource = decoded(profiled([`${FHIR}OrderResponse`], [`${FHIR}Patient`]));
    assert.deepEqual(createOrderReview({ profile: 'base' })(resource).warnings, []);
  });

  test('of another type are not known', () => {
    const resource = decoded(profiled([`${FHIR}Patient`], [`${FHIR}Patient`]));
    assert.equal(createOrderReview({ profile: 'base' })(resource).warnings.length, 1);
  });

  test('are named a hundred times at most', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `urn:${index}`);
    const resource = decoded(profiled(many, ['urn:a']));
    assert.equal(createOrderReview({ profile: 'base' })(resource).warnings.length, 100);
  });
});

describe('thousands of faults', () => {
  test('are found at once', () => {
    const count = 1500;
    const many = <T>(make: (index: number) => T) =>
      Array.from({ length: count }, (_, i) => make(i));
    const lone = many((index) => ({ resourceType: 'Basic', id: `b${index}`, code: { text: 'a' } }));
    const dangling = many((index) => ({ reference: `#gone${index}` }));
    const limits = { elementsMax: 100_000 };
    const body = JSON.stringify(response({ contained: lone, fulfillment: dangling }));
    const { resource } = decodeJson(Buffer.from(body), dstu2, limits);
    assert.ok(resource);
    const findings = checkResource(resource, dstu2);
    // And neither request nor who is contained.
    assert.equal(findings.length, 2 * count + 2);
  });
});
