/** The primitive data types of DSTU2, STU3 and R4: how JSON writes each, and which texts are valid. */

export interface Primitive {
  readonly name: string;
  /** The JSON type that carries the value. */
  readonly json: 'string' | 'number' | 'boolean';
  /** Whether white space around the value means nothing in XML (the schemas collapse it). */
  readonly collapses: boolean;
  readonly isValid: (text: string) => boolean;
  /** Describes a valid value in diagnostics: `Expected {expected}`. */
  readonly expected: string;
}

/** FHIR: "Note that strings SHALL NOT exceed 1MB in size". */
const STRING_LENGTH_MAX = 1024 * 1024;
/** FHIR integers have 32 bits, unsigned and positive ones too: they specialise integer. */
const INTEGER_MAX = 2 ** 31 - 1;
const INTEGER_MIN = -(2 ** 31);

const DATE = '-?([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?';
const FULL_DATE = '-?([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const TIME = String.raw`(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?`;
const ZONE = '(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))';

const datePattern = new RegExp(`^${DATE}$`);
const instantPattern = new RegExp(`^${FULL_DATE}T${TIME}${ZONE}$`);
const timePattern = new RegExp(`^${TIME}$`);
const integerPattern = /^-?(?:0|[1-9][0-9]*)$/;
const unsignedPattern = /^(?:0|[1-9][0-9]*)$/;
const positivePattern = /^[1-9][0-9]*$/;
const decimalPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const idPattern = /^[A-Za-z0-9\-.]{1,64}$/;
/** White space in XML. A no-break space, which ends some published codes, is not part of it. */
const codePattern = /^[^ \t\r\n]+(?: [^ \t\r\n]+)*$/;
const uriPattern = /^[^ \t\r\n]+$/;
const oidPattern = /^urn:oid:(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*))*$/;
const uuidPattern = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The last character before a padding has unused bits, which are zero (RFC 4648, XML Schema). */
const base64Pattern = /^[A-Za-z0-9+/]*(?:[A-Za-z0-9+/]|[AQgw]==|[AEIMQUYcgkosw048]=)$/;
/** XML 1.0 has no way to write these, so no FHIR string may hold them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

type JsonForm = Partial<Pick<Primitive, 'json' | 'collapses'>>;
const NUMBER: JsonForm = { json: 'number' };
const KEPT_SPACE: JsonForm = { collapses: false };

const rules: readonly Primitive[] = [
  primitive('base64Binary', (text) => text.length % 4 === 0 && base64Pattern.test(text), 'base64'),
  primitive('boolean', (text) => text === 'true' || text === 'false', 'true or false', {
    json: 'boolean',
  }),
  primitive(
    'code',
    (text) => codePattern.test(text) && fitsXml(text),
    'a code: no white space around it, single spaces inside',
  ),
  primitive('date', isDate, 'a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD'),
  primitive(
    'dateTime',
    (text) => isDate(text) || isInstant(text),
    'a date of the calendar (YYYY, YYYY-MM, YYYY-MM-DD), with a time: YYYY-MM-DDThh:mm:ss+zz:zz',
  ),
  primitive(
    'decimal',
    (text) => decimalPattern.test(text),
    'a decimal number without an exponent',
    NUMBER,
  ),
  primitive('id', (text) => idPattern.test(text), '1 to 64 of A-Z a-z 0-9 - .', KEPT_SPACE),
  primitive(
    'instant',
    isInstant,
    'an instant of the calendar with its zone: YYYY-MM-DDThh:mm:ss+zz:zz',
  ),
  primitive('integer', isInteger(integerPattern), 'a whole number of 32 bits', NUMBER),
  primitive('markdown', isString, 'text', KEPT_SPACE),
  primitive('oid', (text) => oidPattern.test(text), 'urn:oid: and numbers with dots between them'),
  primitive('positiveInt', isInteger(positivePattern), 'a whole number from 1', NUMBER),
  primitive('string', isString, 'text', KEPT_SPACE),
  primitive('time', (text) => timePattern.test(text), 'a time: hh:mm:ss'),
  primitive('unsignedInt', isInteger(unsignedPattern), 'a whole number from 0', NUMBER),
  primitive('uri', (text) => uriPattern.test(text) && fitsXml(text), 'a URI without white space'),
  primitive('uuid', (text) => uuidPattern.test(text), 'urn:uuid: and a UUID in lower case'),
];

/** R4 has its own names for some kinds of uri. */
const uris = rules
  .filter(({ name }) => name === 'uri')
  .flatMap((rule) => ['canonical', 'url'].map((name) => ({ ...rule, name })));

export const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map(
  [...rules, ...uris].map((rule) => [rule.name, rule]),
);

/** Most types are texts in JSON, and collapse in XML; `form` has what differs. */
function primitive(
  name: string,
  isValid: Primitive['isValid'],
  expected: string,
  form: JsonForm = {},
): Primitive {
  return { name, json: 'string', collapses: true, isValid, expected, ...form };
}

/** Whether XML 1.0 can carry the text. */
export function fitsXml(text: string): boolean {
  return !notXml.test(text) && text.isWellFormed();
}

function isString(text: string): boolean {
  return text.length > 0 && text.length <= STRING_LENGTH_MAX && fitsXml(text);
}

function isInteger(pattern: RegExp): Primitive['isValid'] {
  return (text) => {
    const value = Number(text);
    return pattern.test(text) && value >= INTEGER_MIN && value <= INTEGER_MAX;
  };
}

function isDate(text: string): boolean {
  const match = datePattern.exec(text);
  return match !== null && isOfCalendar(match);
}

function isInstant(text: string): boolean {
  const match = instantPattern.exec(text);
  return match !== null && isOfCalendar(match);
}

/** Month lengths, leap days, and no year 0000 (XML Schema has none). */
function isOfCalendar([, year, month, day]: RegExpExecArray): boolean {
  if (year === '0000') return false;
  if (day === undefined || Number(day) <= 28) return true;
  // Date.UTC takes years below 100 for those since 1900, which have the same leap years.
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}
