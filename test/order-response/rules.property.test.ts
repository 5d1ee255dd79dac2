/** Any valid order response is accepted and returned unchanged. Any defect is found at its place. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../src/fhir/format/json.ts';
import { type Decoded, isObject, type Resource } from '../../src/fhir/format/resource.ts';
import { decodeXml, encodeXml } from '../../src/fhir/format/xml.ts';
import type { Finding } from '../../src/fhir/request/finding.ts';
import { checkResource } from '../../src/fhir/rules/check-resource.ts';
import { stampText, unstampedText } from '../../src/fhir/stored/stored-text.ts';
import { createOrderReview } from '../../src/orders/order-response/rules.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { arbitraryOrderResponse } from './arbitrary-order-response.ts';
import { DEFECTS, type Defect, type Draft } from './defects.ts';
import { schemaErrors } from './schema-errors.ts';

const numRuns = repetitions(30, 200);
const settings = { profile: 'contained' } as const;

function findingsOf({ resource, findings, isWhole }: Decoded): readonly Finding[] {
  if (resource === undefined || !isWhole) return findings;
  const { findings: own } = createOrderReview(settings)(resource);
  return [...findings, ...checkResource(resource, dstu2), ...own];
}

function accepted(decoded: Decoded): Resource {
  assert.deepEqual(findingsOf(decoded), []);
  assert.ok(decoded.resource);
  return decoded.resource;
}

const fromJson = (text: string) => decodeJson(Buffer.from(text), dstu2);
const fromXml = (text: string) => decodeXml(Buffer.from(text), dstu2);

describe('any valid order response', () => {
  test('is accepted and goes from JSON to XML and back as it was', () => {
    const property = fc.property(arbitraryOrderResponse, fc.boolean(), (sent, pretty) => {
      const json = encodeJson(sent);
      const xml = encodeXml(accepted(fromJson(json)), dstu2, { pretty });
      assert.equal(encodeJson(accepted(fromXml(xml))), json);
    });
    fc.assert(property, { numRuns });
  });

  test('is stored as it was sent, except for its id, version and date', () => {
    const property = fc.property(arbitraryOrderResponse, (sent) => {
      const writtenAt = '2026-11-21T09:30:00.123+00:00';
      const stored = stampText(unstampedText(sent, 'new-id'), 7, writtenAt);
      const read = accepted(fromJson(stored));
      assert.equal(encodeJson(read), stored);
      const { resourceType, meta, ...rest } = sent;
      const { id, extension, ...tags } = isObject(meta) ? meta : {};
      const expected = {
        resourceType,
        id: 'new-id',
        meta: {
          ...(id !== undefined && { id }),
          ...(extension !== undefined && { extension }),
          versionId: '7',
          lastUpdated: writtenAt,
          ...tags,
        },
        ...rest,
      };
      assert.equal(stored, JSON.stringify(expected));
    });
    fc.assert(property, { numRuns });
  });

  test('is valid for the schema of DSTU2 as it is stored', async () => {
    const samples = fc.sample(arbitraryOrderResponse, { numRuns: 60, seed: 20_261_121 });
    const documents = samples.map((sent) => {
      const text = stampText(unstampedText(sent, 'a'), 1, '2026-11-21T09:30:00.123+00:00');
      return encodeXml(accepted(fromJson(text)), dstu2);
    });
    assert.deepEqual(await schemaErrors(documents), []);
  });
});

describe('an order response with one defect', () => {
  for (const defect of DEFECTS) {
    test(`is refused for ${defect.name}, and shown where`, () => {
      const property = fc.property(arbitraryOrderResponse, (sent) => {
        const { draft, path } = broken(sent, defect);
        assertFound(findingsOf(fromJson(JSON.stringify(draft))), path, defect);
        if (defect.isJsonOnly) return;
        const xml = encodeXml(draft, dstu2, { pretty: true });
        const decoded = fromXml(xml);
        assertFound(findingsOf(decoded), path, defect);
        assertPlaced(decoded, xml, path);
      });
      fc.assert(property, { numRuns: 15 });
    });
  }
});

function broken(sent: Resource, defect: Defect): { draft: Draft; path: string } {
  const draft: Draft = JSON.parse(encodeJson(sent));
  const path = defect.apply(draft);
  return { draft, path };
}

function assertFound(findings: readonly Finding[], path: string, { isOurs }: Defect): void {
  const shown = JSON.stringify(findings);
  assert.ok(
    findings.some((finding) => finding.path === path),
    `${path} in ${shown}`,
  );
  assert.equal(
    findings.every(({ code }) => code === 'business-rule'),
    isOurs === true,
    shown,
  );
}

/** The position is that of the element, or of the one that lacks it. */
function assertPlaced({ positionOf }: Decoded, xml: string, path: string): void {
  const position = positionOf?.(path);
  assert.ok(position);
  const line = xml.split('\n')[position.line - 1] ?? '';
  const names = path.match(/(?<=:)\w+/g) ?? [];
  const [, name] = /^<(\w+)/.exec(line.slice(position.column - 1)) ?? [];
  assert.ok(name === names.at(-1) || name === names.at(-2), `${path} at ${line}`);
}
