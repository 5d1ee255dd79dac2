/** Collects the findings about a body while it is read, each with its path. */
import type { PropertyDefinition } from '../definitions/definitions.ts';
import type { Finding, FindingCode } from '../request/finding.ts';

/** The limit keeps the answer small. More findings would not help to correct the body. */
export const FINDINGS_MAX = 100;

export interface Findings {
  readonly list: FoundAt[];
  total: number;
  /** Whether the reader has kept every element with a name of FHIR so far. */
  isWhole: boolean;
  /** The path of the element that is being read. */
  readonly path: PathStep[];
}

/** A finding with the offset of its element, which is known for XML only. */
export interface FoundAt extends Finding {
  readonly offset?: number;
}

/** A resource's type, an element, or the position (from 1) of a repeating one. */
export type PathStep = string | PropertyDefinition | number;

/** The characters that diagnostics show of a name or value of a body, which may be long. */
const SHOWN_LENGTH_MAX = 80;

export function startFindings(): Findings {
  return { list: [], total: 0, isWhole: true, path: [] };
}

/** Adds a finding at the current path, extended by `more`. */
export function addFinding(
  findings: Findings,
  code: FindingCode,
  text: string,
  more: readonly PathStep[] = [],
  offset?: number,
): void {
  findings.total += 1;
  if (findings.list.length >= FINDINGS_MAX) return;
  const path = showPath([...findings.path, ...more]);
  findings.list.push({ path, code, text, ...(offset !== undefined && { offset }) });
}

/** The path as a simple XPath, which is the same for JSON and XML. */
export function showPath(steps: readonly PathStep[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (typeof step === 'string') path += `/f:${step}`;
    else if (step.element.isAttribute) path += `/@${step.name}`;
    else path += `/${step.form === 'xhtml' ? 'h' : 'f'}:${step.name}`;
  }
  return path === '' ? '/' : path;
}

/** A name as a path step; no step for a name that is not valid in XPath. */
export function nameStep(name: string): readonly PathStep[] {
  return /^[A-Za-z][\w.-]{0,63}$/.test(name) ? [name] : [];
}

/** Quotes a value or name of the body, and cuts it to a length that fits in a sentence. */
export function quote(text: string): string {
  return JSON.stringify(cut(text));
}

/** As `quote`, but without the quotes. */
export function cut(text: string): string {
  const shown = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  return shown.toWellFormed();
}

/** As `quote`, for a value at the current path. A value that can be a secret is not repeated. */
export function quoteValue(text: string, findings: Pick<Findings, 'path'>): string {
  return isSecret(findings) ? 'the value' : quote(text);
}

/**
 * Whether values at the current path can be secrets: the headers, the endpoint and the extensions of
 * the channel of a subscription. https://hl7.org/fhir/DSTU2/subscription.html
 */
export function isSecret({ path }: Pick<Findings, 'path'>): boolean {
  return path.some((step, at) => {
    const next = path[at + 1];
    return step === 'Subscription' && typeof next === 'object' && next.name === 'channel';
  });
}
