/** Decodes FHIR XML: bytes to a checked resource. */
import type { Definitions } from '../definitions/definitions.ts';
import type { Finding } from '../rules/finding.ts';
import { finish, positionsIn, refusedXml, requireText } from './body.ts';
import { type FoundAt, startFindings } from './findings.ts';
import {
  DEFAULT_LIMITS,
  type Limits,
  MalformedBody,
  requireFewMarks,
  startBudget,
} from './limits.ts';
import type { Decoded, Position } from './resource.ts';
import { validateResource } from './validate.ts';
import { readXmlResource } from './xml-content.ts';
import { readXml, type XmlElement } from './xml-reader.ts';

export { encodeXml } from './xml-writer.ts';

/** https://hl7.org/fhir/STU3/xml.html */
export function decodeXml(
  body: Uint8Array,
  definitions: Definitions,
  limits: Partial<Limits> = {},
): Decoded {
  const bytes = requireText(body, 'XML');
  if (!Buffer.isBuffer(bytes)) return bytes;
  const findings = startFindings();
  const budget = startBudget({ ...DEFAULT_LIMITS, ...limits });
  try {
    requireFewMarks(bytes, budget.limits);
    const root = readXml(bytes, budget);
    const raw = readXmlResource(root, { definitions, findings, budget });
    const resource = raw && validateResource(raw, { definitions, findings, budget, isXml: true });
    const offsetOf = (path: string) => locate(path, root);
    const positionAt = positionsIn(bytes);
    const placed = placeFindings(findings.list, offsetOf, positionAt);
    return {
      ...finish(resource, findings, placed),
      positionOf: (path) => positionAt(offsetOf(path)),
    };
  } catch (error) {
    if (error instanceof MalformedBody) return refusedXml(error, bytes);
    throw error;
  }
}

/** Adds line and column to each finding, and sorts the findings by position. */
function placeFindings(
  found: readonly FoundAt[],
  offsetOf: (path: string) => number,
  positionAt: (offset: number) => Position,
): Finding[] {
  if (found.length === 0) return [];
  return found
    .map(({ offset, ...finding }) => ({ finding, offset: offset ?? offsetOf(finding.path) }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ finding, offset }) => ({ ...finding, ...positionAt(offset) }));
}

const stepPattern = /^(?:[fh]:)?([\w.-]+)(?:\[(\d+)\])?$/;

/** The offset of the element at a path, or of the nearest one around it. */
function locate(path: string, root: XmlElement): number {
  let element = root;
  for (const step of path.split('/').slice(2)) {
    const [, name, position] = stepPattern.exec(step) ?? [];
    const child = element.content
      .filter((part) => typeof part !== 'string')
      .filter((part) => part.name === name)
      .at(Number(position ?? '1') - 1);
    if (child === undefined) break;
    element = child;
  }
  return element.offset;
}
