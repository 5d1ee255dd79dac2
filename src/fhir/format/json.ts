/** Decodes FHIR JSON to a checked resource, and encodes resources as JSON. */
import type { Definitions } from '../definitions/definitions.ts';
import { finish, refusedJson, requireText } from './body.ts';
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
  const bytes = requireText(body, 'JSON');
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

/** Encodes the properties in their order. The resource may be in a legacy form. */
export function encodeJson(resource: object, options: { pretty?: boolean } = {}): string {
  if (options.pretty !== true) return JSON.stringify(resource);
  return `${JSON.stringify(resource, null, 2)}\n`;
}
