/** Answers of the R4 interface, checked with the official JSON schema in both formats. */
import assert from 'node:assert/strict';
import { r4 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import type { Resource } from '../../../src/fhir/format/resource.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';
import { r4SchemaFindings } from '../../schemas/r4-schema.ts';
import type { DirectoryServer } from '../directory-server.ts';

/** A page of 100 organisations has some 6,000 elements. */
const LIMITS = { elementsMax: 50_000, marksMax: 500_000 };

/** The resource of a path below `/R4`, the same and valid in JSON and XML, indented or not. */
export async function validResource(
  server: DirectoryServer,
  path: string,
  status = 200,
): Promise<Resource> {
  const resources: Resource[] = [];
  for (const form of ['json', 'xml', 'json&_pretty=true', 'xml&_pretty=true']) {
    const separator = path.includes('?') ? '&' : '?';
    const answer = await server.get(`/fhir/R4/${path}${separator}_format=${form}`);
    assert.equal(answer.status, status, answer.text);
    const isJson = form.startsWith('json');
    const { resource, findings } = (isJson ? decodeJson : decodeXml)(
      Buffer.from(answer.text),
      r4,
      LIMITS,
    );
    assert.deepEqual(findings, [], path);
    assert.ok(resource);
    assert.deepEqual(r4SchemaFindings(JSON.parse(JSON.stringify(resource))), [], path);
    resources.push(resource);
  }
  const [first] = resources;
  assert.ok(first);
  return first;
}
