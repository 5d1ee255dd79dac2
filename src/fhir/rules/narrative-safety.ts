/** Checks that narratives contain only FHIR's subset of XHTML, and nothing that fetches or runs. */

import { quote } from '../format/findings.ts';
import { startBudget, UNLIMITED } from '../format/limits.ts';
import { readXml, type XmlAttribute, type XmlElement } from '../format/xml-reader.ts';
import { XML_NAMESPACE } from '../format/xml-tokenizer/namespaces.ts';
import { styleProblems } from './narrative-style.ts';

/** The most problems in the answer. Longer lists would not help the author of the narrative. */
const PROBLEMS_MAX = 100;

/**
 * The problems of a div that a decoder has read, as sentences, each once.
 * https://hl7.org/fhir/DSTU2/narrative.html
 */
export function narrativeProblems(div: string): readonly string[] {
  const root = readXml(div, startBudget(UNLIMITED));
  const problems = new Set<string>();
  const hasContent = checkElement(root, problems);
  if (!hasContent) problems.add('The narrative has neither text nor an image (txt-2).');
  return [...problems];
}

/** txt-1. Its text also allows col, sub and sup, which its XPath expression lacks. */
const ELEMENTS = new Set(
  (
    'a abbr acronym b big blockquote br caption cite code col colgroup dd dfn div dl dt em ' +
    'h1 h2 h3 h4 h5 h6 hr i img li ol p pre q samp small span strong sub sup ' +
    'table tbody td tfoot th thead tr tt ul var'
  ).split(' '),
);

/** txt-3. */
const ATTRIBUTES = new Set(
  (
    'abbr accesskey align alt axis bgcolor border cellhalign cellpadding cellspacing cellvalign ' +
    'char charoff charset cite class colspan compact coords dir frame headers height href ' +
    'hreflang hspace id lang longdesc name nowrap rel rev rowspan rules scope shape span src ' +
    'start style summary tabindex title type valign value vspace width'
  ).split(' '),
);

/** The XML forms of HTML's lang and of the white space of pre. */
const XML_ATTRIBUTES = new Set(['lang', 'space']);

/** Whether it has content: text that is not white space, or an image. */
function checkElement(element: XmlElement, problems: Set<string>): boolean {
  const { name, attributes, content } = element;
  if (!ELEMENTS.has(name)) {
    add(problems, `FHIR does not allow the element ${quote(name)} in a narrative (txt-1).`);
  }
  for (const attribute of attributes) checkAttribute(attribute, problems);
  let hasContent = name === 'img' && attributes.some((attribute) => attribute.name === 'src');
  for (const part of content) {
    if (typeof part === 'string') hasContent ||= notSpace.test(part);
    else if (checkElement(part, problems)) hasContent = true;
  }
  return hasContent;
}

const notSpace = /[^ \t\r\n]/;

function checkAttribute({ namespace, name, value }: XmlAttribute, problems: Set<string>): void {
  const isKnown = namespace === XML_NAMESPACE ? XML_ATTRIBUTES.has(name) : ATTRIBUTES.has(name);
  if (!isKnown) {
    add(problems, `FHIR does not allow the attribute ${quote(name)} in a narrative (txt-3).`);
    return;
  }
  switch (name) {
    case 'href':
    case 'cite':
    case 'longdesc':
      if (linkPattern.test(value) || relativePattern.test(value)) return;
      add(
        problems,
        `The narrative has the ${name} ${quote(value)}. Use http:, https:, mailto:, tel:, #… or a relative link.`,
      );
      return;
    case 'src':
      if (imagePattern.test(value.replaceAll(space, ''))) return;
      add(
        problems,
        `The narrative has the src ${quote(value)}. Use #… or data:image/png, jpeg or gif in base64.`,
      );
      return;
    case 'style':
      for (const problem of styleProblems(value)) add(problems, problem);
  }
}

function add(problems: Set<string>, problem: string): void {
  if (problems.size < PROBLEMS_MAX) problems.add(problem);
}

/** No control characters and no spaces: browsers drop them before they look for the scheme. */
const linkPattern = /^(?:(?:https?:\/\/|mailto:|tel:)[^\p{Cc}\p{Z}\\]+|#[^\p{Cc}\p{Z}\\]+)$/iu;
/**
 * Relative references such as `Patient/1` or `../ValueSet/a?b#c`. The path must not contain a
 * colon, which would end a scheme, or begin with a slash, which could begin a host.
 */
const relativePattern = /^[\w.~%!$&'()*+,;=@-][\w.~%!$&'()*+,;=@/-]*(?:[?#][^\p{Cc}\p{Z}\\]*)?$/u;
const imagePattern =
  /^(?:#[^\p{Cc}\p{Z}\\]+|data:image\/(?:png|jpeg|gif);base64,[A-Za-z0-9+/]+={0,2})$/iu;
/** Base64 may be broken into lines. */
const space = /[ \t\r\n]/g;
