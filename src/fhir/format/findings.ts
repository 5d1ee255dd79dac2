/** Collects what is wrong with a body while it is read, each finding with its path. */
import type { PropertyDefinition } from '../definitions/definitions.ts';
import type { Finding, FindingCode } from '../finding.ts';

/** More would not help whoever has to mend the body, and an answer stays small. */
export const FINDINGS_MAX = 100;

export interface Findings {
  readonly list: FoundAt[];
  total: number;
  /** Nothing that was sent under a name of FHIR's has been left out so far. */
  isWhole: boolean;
  /** Where the reader is. */
  readonly path: PathStep[];
}

/** The offset in the text is known for XML while its elements are read. */
export interface FoundAt extends Finding {
  readonly offset?: number;
}

/** A resource's type, an element, or the position (from 1) of a repeating one. */
export type PathStep = string | PropertyDefinition | number;

/** Names out of a body may be any text of any length; diagnostics show so much of them. */
const SHOWN_LENGTH_MAX = 80;

export function startFindings(): Findings {
  return { list: [], total: 0, isWhole: true, path: [] };
}

/** `more` leads on from where the reader is. */
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

/** Simple XPath, the same for JSON and XML. */
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

/** A name as a path step; nothing for one that XPath could not write. */
export function nameStep(name: string): readonly PathStep[] {
  return /^[A-Za-z][\w.-]{0,63}$/.test(name) ? [name] : [];
}

/** A value or name of the body in quotes, cut to a length that fits in a sentence. */
export function quote(text: string): string {
  return JSON.stringify(cut(text));
}

/** As `quote`, for a text that goes without quotes. */
export function cut(text: string): string {
  const shown = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  return shown.toWellFormed();
}
