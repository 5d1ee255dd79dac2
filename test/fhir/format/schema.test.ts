/** What we write as XML is valid for the official schemas; xmllint judges it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { validateXML } from 'xmllint-wasm';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { arbitraryResource } from './arbitrary-resource.ts';

/** One run of xmllint takes half a second to read the schema, and little for each document. */
const SAMPLES = repetitions(100, 300);
const SEED = 20_171_115;

for (const { definitions, folder } of [
  { definitions: dstu2, folder: 'dstu2' },
  { definitions: stu3, folder: 'stu3' },
]) {
  describe(`the ${definitions.version} schema`, () => {
    test('accepts the official examples that were read from JSON and XML', async () => {
      const fixtures = join(import.meta.dirname, 'fixtures', folder);
      const documents = readdirSync(fixtures).map((file) => {
        const decode = file.endsWith('.json') ? decodeJson : decodeXml;
        const { resource } = decode(readFileSync(join(fixtures, file)), definitions);
        assert.ok(resource, file);
        return encodeXml(resource, definitions);
      });
      assert.deepEqual(await schemaErrors(documents, folder), []);
    });

    test('accepts random resources of any type', async () => {
      const resources = fc.sample(arbitraryResource(definitions), { numRuns: SAMPLES, seed: SEED });
      const documents = resources.map((resource) => encodeXml(resource, definitions));
      assert.deepEqual(await schemaErrors(documents, folder), []);
    });

    test('would not accept elements in a wrong order', async () => {
      const wrong =
        '<Basic xmlns="http://hl7.org/fhir"><language value="en"/><id value="a"/></Basic>';
      const [error] = await schemaErrors([wrong], folder);
      assert.match(
        error ?? '',
        /^0\.xml:1: .*Schemas validity error : Element '.*id': This element is not expected/,
      );
    });
  });
}

async function schemaErrors(documents: readonly string[], folder: string): Promise<string[]> {
  const schemas = join(import.meta.dirname, '../../schemas', folder);
  const file = (fileName: string) => ({
    fileName,
    contents: readFileSync(join(schemas, fileName), 'utf8'),
  });
  const { errors } = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [file('fhir-single.xsd')],
    preload: [file('fhir-xhtml.xsd'), file('xml.xsd')],
    // The schemas do not fit in the 16 MiB that xmllint-wasm would have.
    initialMemoryPages: 1024,
    maxMemoryPages: 8192,
  });
  return errors.map((error) => error.rawMessage);
}
