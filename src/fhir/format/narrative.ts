/** The XHTML of narratives: read from JSON strings and XML, written in one canonical form. */
import { cut } from './findings.ts';
import { type Budget, type Limits, MalformedBody, startBudget, UNLIMITED } from './limits.ts';
import { readXml, type XmlElement } from './xml-reader.ts';
import { escapeXmlAttribute, escapeXmlText } from './xml-text.ts';
import { XML_NAMESPACE } from './xml-tokenizer/names.ts';

export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

export interface Narrative {
  /**
   * `<div xmlns="http://www.w3.org/1999/xhtml">…</div>` in canonical form, so that reading it
   * again gives the same text; undefined if there are problems.
   */
  readonly div: string | undefined;
  /** The problems, as sentences. */
  readonly problems: readonly string[];
}

/**
 * @param isNamespaceOptional DSTU2 shows JSON narratives as `<div>` without a namespace
 * @throws MalformedBody when the limits are passed
 */
export function parseNarrative(
  text: string,
  isNamespaceOptional: boolean,
  budget: Budget,
  depth: number,
): Narrative {
  if (!text.startsWith('<div') || !/(?:<\/div>|\/>)$/.test(text)) {
    return refused('A narrative must be one XHTML div. Begin it with <div and end it with </div>.');
  }
  const { narrativeLengthMax } = budget.limits;
  if (text.length > narrativeLengthMax) return refused(tooLong(text.length, narrativeLengthMax));
  // UTF-8 cannot encode a lone surrogate.
  if (!text.isWellFormed()) {
    return refused('The narrative has a lone surrogate, which is not a character. Remove it.');
  }
  try {
    const root = readXml(text, budget, depth);
    return writeNarrative(root, budget.limits, isNamespaceOptional);
  } catch (error) {
    if (!(error instanceof MalformedBody) || error.code === 'too-long') throw error;
    const character = Buffer.from(text).toString('utf8', 0, error.offset).length + 1;
    return refused(`${error.message} (character ${character} of the narrative)`);
  }
}

function tooLong(length: number, lengthMax: number): string {
  return `The narrative has ${length} characters in its stored form. Use at most ${lengthMax}.`;
}

function refused(problem: string): Narrative {
  return { div: undefined, problems: [problem] };
}

/** The div of an XML body in its canonical form. */
export function writeNarrative(
  root: XmlElement,
  { narrativeLengthMax }: Limits,
  isNamespaceOptional = false,
): Narrative {
  const problems = new Set<string>();
  const isBare = isNamespaceOptional && root.namespace === '';
  if (root.name !== 'div') problems.add(`A narrative must be a div, not ${cut(root.name)}.`);
  const div = writeElement(root, isBare ? '' : XHTML_NAMESPACE, problems, true);
  if (div.length > narrativeLengthMax) problems.add(tooLong(div.length, narrativeLengthMax));
  return { div: problems.size === 0 ? div : undefined, problems: [...problems] };
}

const CANONICAL_START = `<div xmlns="${XHTML_NAMESPACE}"`;

/**
 * The div in canonical form, for a resource that the server built itself. Throws if the text
 * is not a valid div.
 */
export function canonicalDiv(text: string): string {
  if (text.startsWith(CANONICAL_START)) return text;
  const unlimited = startBudget({ ...UNLIMITED, depthMax: 1_000 });
  const { div, problems } = parseNarrative(text, true, unlimited, 1);
  if (div === undefined) throw new Error(problems.join(' '));
  return div;
}

/**
 * A canonical div with other values of its attributes.
 *
 * @param replace returns the value, or another one
 */
export function replaceAttributes(
  div: string,
  replace: (element: string, attribute: string, value: string) => string,
): string {
  let isSame = true;
  const replaceIn = (element: XmlElement): XmlElement => ({
    ...element,
    attributes: element.attributes.map((attribute) => {
      const value = replace(element.name, attribute.name, attribute.value);
      isSame &&= value === attribute.value;
      return { ...attribute, value };
    }),
    content: element.content.map((part) => (typeof part === 'string' ? part : replaceIn(part))),
  });
  const replaced = replaceIn(readXml(div, startBudget(UNLIMITED)));
  return isSame ? div : (writeNarrative(replaced, UNLIMITED).div ?? div);
}

/** XHTML writes only these without an end tag; a browser would not see `<p/>` as closed. */
const VOID = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'param']);

function writeElement(
  element: XmlElement,
  namespace: string,
  problems: Set<string>,
  isRoot: boolean,
): string {
  if (element.namespace !== namespace) {
    problems.add(
      `The narrative has the element ${cut(element.name)} outside the namespace ${XHTML_NAMESPACE}.`,
    );
  }
  let text = isRoot ? `<${element.name} xmlns="${XHTML_NAMESPACE}"` : `<${element.name}`;
  for (const { namespace: uri, name, value } of element.attributes) {
    if (uri !== '' && uri !== XML_NAMESPACE) {
      problems.add(`The narrative has the attribute ${cut(name)} of another namespace.`);
    }
    text += ` ${uri === XML_NAMESPACE ? 'xml:' : ''}${name}="${escapeXmlAttribute(value)}"`;
  }
  if (element.content.length === 0 && VOID.has(element.name)) return `${text}/>`;
  text += '>';
  for (const part of element.content) {
    text +=
      typeof part === 'string'
        ? escapeXmlText(part)
        : writeElement(part, namespace, problems, false);
  }
  return `${text}</${element.name}>`;
}
