/** Checks that narratives contain only FHIR's subset of XHTML, and nothing that fetches or runs. */
import { quote } from '../format/findings.ts';
import { startBudget, UNLIMITED } from '../format/limits.ts';
import { readXml, type XmlAttribute, type XmlElement } from '../format/xml-reader.ts';
import { XML_NAMESPACE } from '../format/xml-tokenizer/names.ts';

/** 4 KiB. The styles of HL7's own examples have less than 500 characters. */
export const STYLE_LENGTH_MAX = 4096;

/**
 * The problems of the value of a `style` attribute, as sentences. The allow-list excludes styles that
 * hide or cover text, which would mislead readers. Each declaration must be an
 * allowed property with an allowed value. No allowed value has an escape, comment, URL or
 * calculation, which programs could interpret differently.
 *
 * Does not detect text in the colour of its background, or text that nested elements make
 * smaller step by step.
 */
export function styleProblems(style: string): readonly string[] {
  if (style.length > STYLE_LENGTH_MAX) {
    return [
      `A style in the narrative has ${style.length} characters. Use at most ${STYLE_LENGTH_MAX}.`,
    ];
  }
  return style
    .replaceAll(SPACES, ' ')
    .split(';')
    .map((declaration) => declaration.replaceAll(OUTER_SPACE, ''))
    .filter((declaration) => declaration !== '' && !isAllowed(declaration))
    .map(
      (declaration) =>
        `The narrative has the style ${quote(declaration)}. Leave it out: styles may neither ` +
        'hide, cover nor move text, nor fetch or run anything.',
    );
}

/** White space of CSS: to a browser, a no-break space is a letter. */
const SPACES = /[ \t\r\n]+/g;
const OUTER_SPACE = /^ | $/g;

function isAllowed(declaration: string): boolean {
  const [, name = '', text = ''] = DECLARATION.exec(declaration) ?? [];
  const rule = RULES.get(name.toLowerCase());
  if (rule === undefined) return false;
  const value = text
    .toLowerCase()
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .replace(/ ?! ?important$/, '');
  if (rule.isList) return rule.value.test(value);
  const values = value.split(' ');
  return values.length <= rule.valuesMax && values.every((one) => rule.value.test(one));
}

const DECLARATION = /^([A-Za-z-]+) ?: ?(.*)$/;

interface Rule {
  readonly value: RegExp;
  readonly valuesMax: number;
  /** Whether the pattern matches the whole value, spaces included. */
  readonly isList: boolean;
}

/** Never negative, because a negative length could move text out of view. */
const LENGTH = String.raw`(?:\d{1,4}(?:\.\d{1,4})?|\.\d{1,4})(?:px|pt|pc|em|ex|ch|rem|cm|mm|in|%)?`;
/** At least half the size of the surrounding text, 6px or 6pt. */
const FONT_SIZE = String.raw`(?:[6-9]|[1-9]\d{1,2})(?:\.\d{1,4})?(?:px|pt)|(?:0?\.[5-9]\d{0,3}|[1-9](?:\.\d{1,4})?)r?em|(?:[5-9]\d|[1-4]\d\d)%`;
/** Large enough that lines do not overlap. */
const LINE_HEIGHT = String.raw`[1-9](?:\.\d{1,4})?(?:r?em)?|[1-4]\d\d%|[1-9]\d(?:\.\d{1,4})?(?:px|pt)`;
/** Opaque: a name, three or six hexadecimal digits, three parts. */
const COLOR = String.raw`(?!transparent)[a-z]{3,20}|#[\da-f]{3}|#[\da-f]{6}|rgb\((?:\d{1,3}%?,){2}\d{1,3}%?\)`;
const BORDER_STYLE = 'none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset';
const BORDER_WIDTH = `${LENGTH}|thin|medium|thick`;
const BREAK = 'auto|always|avoid|left|right';
const LIST_STYLE_TYPE = '[a-z-]{1,40}';
const FONT_NAME = String.raw`"[\p{L}\p{N} ._-]+"|'[\p{L}\p{N} ._-]+'|[\p{L}\p{N}._ -]+`;

const SIDES = ['top', 'right', 'bottom', 'left'];

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...rules('color', COLOR),
  ...rules('background-color background border-color', `${COLOR}|transparent|none`, 4),
  ...rules('border-style', BORDER_STYLE, 4),
  ...rules('border-width', BORDER_WIDTH, 4),
  ...rules('border-radius', LENGTH, 4),
  ...['border', ...SIDES.map((side) => `border-${side}`)].flatMap((name) => [
    ...rules(name, `${BORDER_WIDTH}|${BORDER_STYLE}|${COLOR}|transparent`, 3),
  ]),
  ...SIDES.flatMap((side) => [
    ...rules(`border-${side}-style`, BORDER_STYLE),
    ...rules(`border-${side}-width`, BORDER_WIDTH),
    ...rules(`border-${side}-color`, `${COLOR}|transparent`),
  ]),
  ...rules('border-collapse', 'collapse|separate'),
  ...rules('border-spacing', LENGTH, 2),
  ...rules('caption-side', 'top|bottom'),
  ...rules('empty-cells', 'show|hide'),
  ...rules('table-layout', 'auto|fixed'),
  ...rules('clear float', 'none|left|right|both'),
  // Not table-column: its content is not shown.
  ...rules(
    'display',
    'block|inline|inline-block|list-item|table|inline-table|table-row|table-cell|table-caption|table-(?:row|header|footer)-group',
  ),
  ...rules('font-size', `${FONT_SIZE}|(?:x{0,2}-)?(?:small|large)|medium|smaller|larger`),
  ...rules('font-style', 'normal|italic|oblique'),
  ...rules('font-variant', 'normal|small-caps'),
  ...rules('font-weight', 'normal|bold|bolder|lighter|[1-9]00'),
  ...rules('width height min-width min-height max-width max-height', `${LENGTH}|auto|none`),
  ...rules('line-height', `${LINE_HEIGHT}|normal`),
  ...rules('list-style-type', LIST_STYLE_TYPE),
  ...rules('list-style-position', 'inside|outside'),
  ...rules('list-style', LIST_STYLE_TYPE, 2),
  ...['margin', 'padding'].flatMap((name) => [
    ...rules(name, `${LENGTH}|auto`, 4),
    ...SIDES.flatMap((side) => rules(`${name}-${side}`, `${LENGTH}|auto`)),
  ]),
  ...rules('page-break-before page-break-after page-break-inside', BREAK),
  ...rules('text-align', 'left|right|center|justify|start|end'),
  ...rules('text-decoration', 'none|underline|overline|line-through', 3),
  ...rules('text-indent', LENGTH),
  ...rules('text-transform', 'none|capitalize|uppercase|lowercase'),
  ...rules('vertical-align', 'baseline|sub|super|top|text-top|middle|bottom|text-bottom'),
  ...rules('white-space', 'normal|nowrap|pre|pre-wrap|pre-line'),
  ...rules('overflow-wrap word-wrap word-break', 'normal|anywhere|break-word|break-all|keep-all'),
  [
    'font-family',
    {
      value: new RegExp(`^(?:${FONT_NAME})(?:,(?:${FONT_NAME}))*$`, 'u'),
      valuesMax: 1,
      isList: true,
    },
  ],
]);

/** The allowed properties, which the documentation lists. */
export const STYLE_PROPERTIES: readonly string[] = [...RULES.keys()];

/** The rules of properties with the same values: up to `valuesMax` values, separated by spaces. */
function rules(names: string, value: string, valuesMax = 1): [string, Rule][] {
  const rule = { value: new RegExp(`^(?:${value}|inherit|initial)$`), valuesMax, isList: false };
  return names.split(' ').map((name) => [name, rule]);
}

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
