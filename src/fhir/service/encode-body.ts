/** Encodes a resource in the negotiated form. */
import type { Definitions } from '../definitions/definitions.ts';
import { encodeJson } from '../format/json.ts';
import type { AnyResource } from '../format/resource.ts';
import { encodeXml } from '../format/xml.ts';
import type { Form } from '../http/negotiate.ts';

export function encodeBody(
  resource: AnyResource,
  { format, isPretty: pretty }: Form,
  definitions: Definitions,
): string {
  return format === 'json'
    ? encodeJson(resource, { pretty })
    : encodeXml(resource, definitions, { pretty });
}
