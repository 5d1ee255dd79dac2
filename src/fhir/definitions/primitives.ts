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

const rules: readonly Primitive[] = [
  {
    name: 'base64Binary',
    json: 'string',
    collapses: true,
    isValid: (text) => text.length % 4 === 0 && base64Pattern.test(text),
    expected: 'base64',
  },
  {
    name: 'boolean',
    json: 'boolean',
    collapses: true,
    isValid: (text) => text === 'true' || text === 'false',
    expected: 'true or false',
  },
  {
    name: 'code',
    json: 'string',
    collapses: true,
    isValid: (text) => codePattern.test(text) && fitsXml(text),
    expected: 'a code: no white space around it, single spaces inside',
  },
  {
    name: 'date',
    json: 'string',
    collapses: true,
    isValid: isDate,
    expected: 'a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD',
  },
  {
    name: 'dateTime',
    json: 'string',
    collapses: true,
    isValid: (text) => isDate(text) || isInstant(text),
    expected:
      'a date of the calendar (YYYY, YYYY-MM, YYYY-MM-DD), with a time: YYYY-MM-DDThh:mm:ss+zz:zz',
  },
  {
    name: 'decimal',
    json: 'number',
    collapses: true,
    isValid: (text) => decimalPattern.test(text),
    expected: 'a decimal number without an exponent',
  },
  {
    name: 'id',
    json: 'string',
    collapses: false,
    isValid: (text) => idPattern.test(text),
    expected: '1 to 64 of A-Z a-z 0-9 - .',
  },
  {
    name: 'instant',
    json: 'string',
    collapses: true,
    isValid: isInstant,
    expected: 'an instant of the calendar with its zone: YYYY-MM-DDThh:mm:ss+zz:zz',
  },
  {
    name: 'integer',
    json: 'number',
    collapses: true,
    isValid: (text) => isInteger(text, integerPattern),
    expected: 'a whole number of 32 bits',
  },
  { name: 'markdown', json: 'string', collapses: false, isValid: isString, expected: 'text' },
  {
    name: 'oid',
    json: 'string',
    collapses: true,
    isValid: (text) => oidPattern.test(text),
    expected: 'urn:oid: and numbers with dots between them',
  },
  {
    name: 'positiveInt',
    json: 'number',
    collapses: true,
    isValid: (text) => isInteger(text, positivePattern),
    expected: 'a whole number from 1',
  },
  { name: 'string', json: 'string', collapses: false, isValid: isString, expected: 'text' },
  {
    name: 'time',
    json: 'string',
    collapses: true,
    isValid: (text) => timePattern.test(text),
    expected: 'a time: hh:mm:ss',
  },
  {
    name: 'unsignedInt',
    json: 'number',
    collapses: true,
    isValid: (text) => isInteger(text, unsignedPattern),
    expected: 'a whole number from 0',
  },
  {
    name: 'uri',
    json: 'string',
    collapses: true,
    isValid: (text) => uriPattern.test(text) && fitsXml(text),
    expected: 'a URI without white space',
  },
  {
    name: 'uuid',
    json: 'string',
    collapses: true,
    isValid: (text) => uuidPattern.test(text),
    expected: 'urn:uuid: and a UUID in lower case',
  },
];

/** R4 has its own names for some kinds of uri. */
const uris = rules
  .filter(({ name }) => name === 'uri')
  .flatMap((rule) => ['canonical', 'url'].map((name) => ({ ...rule, name })));

export const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map(
  [...rules, ...uris].map((rule) => [rule.name, rule]),
);

/** Whether XML 1.0 can carry the text. */
export function fitsXml(text: string): boolean {
  return !notXml.test(text) && text.isWellFormed();
}

function isString(text: string): boolean {
  return text.length > 0 && text.length <= STRING_LENGTH_MAX && fitsXml(text);
}

function isInteger(text: string, pattern: RegExp): boolean {
  const value = Number(text);
  return pattern.test(text) && value >= INTEGER_MIN && value <= INTEGER_MAX;
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
  return Number(day) <= daysOf(Number(year), Number(month));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
