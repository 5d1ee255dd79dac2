/** FHIR JSON: bytes to a checked resource, and a resource to text. */
import type { Definitions } from '../definitions/definitions.ts';
import { demandUtf8, finish, refusedJson } from './body.ts';
import { startFindings } from './findings.ts';
import { readJson } from './json-reader.ts';
import { DEFAULT_LIMITS, type Limits, MalformedBody, startBudget } from './limits.ts';
import type { Decoded } from './resource.ts';
import { validateResource } from './validate.ts';

/** https://hl7.org/fhir/STU3/json.html */
export function decodeJson(
  body: Uint8Array,
  definitions: Definitions,
  limits: Partial<Limits> = {},
): Decoded {
  const bytes = demandUtf8(body);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const text = bytes.toString();
  const findings = startFindings();
  const budget = startBudget({ ...DEFAULT_LIMITS, ...limits });
  try {
    const { value, duplicates } = readJson(text, budget);
    const resource = validateResource(value, { definitions, findings, budget, duplicates });
    return finish(resource, findings, findings.list);
  } catch (error) {
    if (error instanceof MalformedBody) return refusedJson(error, text);
    throw error;
  }
}

/** Properties come in the order that they have; the form may be another than FHIR's. */
export function encodeJson(resource: object, options: { pretty?: boolean } = {}): string {
  if (options.pretty !== true) return JSON.stringify(resource);
  return `${JSON.stringify(resource, null, 2)}\n`;
}
