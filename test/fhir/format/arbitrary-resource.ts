/** Resources of any type and version for property tests, made from the definitions. */

import type {
  Definitions,
  ElementDefinition,
  PropertyDefinition,
  TypeDefinition,
} from '../../../src/fhir/definitions/definitions.ts';
import { type FhirValue, numberOf, type Resource } from '../../../src/fhir/format/resource.ts';
import { escapeXmlText } from '../../../src/fhir/format/xml-text.ts';
import { fc } from '../../property.ts';

/** A level below this has required elements only. */
const LEVELS = 3;

/** A valid resource in the form that a decoder makes: canonical order, narratives, null padding. */
export function arbitraryResource(
  definitions: Definitions,
  types: readonly string[] = definitions.resourceTypes,
): fc.Arbitrary<Resource> {
  return fc
    .constantFrom(...types)
    .chain((name) => resourceOf(name, definitions, LEVELS))
    .map((resource) => resource as Resource);
}

function resourceOf(
  name: string,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<FhirValue> {
  const type = definitions.resource(name);
  if (type === undefined) throw new Error(`No resource ${name}.`);
  return objectOf(type, definitions, levels).map((object) => ({ resourceType: name, ...object }));
}

type Properties = Record<string, FhirValue>;

function objectOf(
  type: TypeDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<Properties> {
  const optional = type.elements.filter((element) => element.min === 0 && element.max > 0);
  const chosen =
    levels <= 0
      ? fc.constant<ElementDefinition[]>([])
      : fc.subarray(optional, { maxLength: Math.min(optional.length, levels > 1 ? 4 : 2) });
  return chosen
    .map((elements) => withContent(type, elements, levels))
    .chain((elements) => fc.tuple(...elements.map((e) => elementOf(e, definitions, levels))))
    .map((parts) => Object.assign({}, ...parts));
}

/** Elements that make a valid object: required ones, never nothing, a value or extensions (ext-1). */
function withContent(
  type: TypeDefinition,
  chosen: readonly ElementDefinition[],
  levels: number,
): ElementDefinition[] {
  const set = new Set(chosen);
  for (const element of type.required) set.add(element);
  const named = (name: string) => type.elements.find((element) => element.name === name);
  if (type.name === 'Extension') {
    const nested = named('extension');
    const value = named('value');
    if (nested && value) {
      const isNested = set.has(nested) && levels > 1;
      set.delete(isNested ? value : nested);
      set.add(isNested ? nested : value);
    }
  }
  const hasContent = [...set].some((element) => element.name !== 'id');
  const own = type.elements.filter((e) => e.max > 0 && e.name !== 'id' && e.name !== 'extension');
  const filler = own.find((e) => e.properties[0]?.form === 'primitive') ?? own.at(-1);
  if (!hasContent && type.kind !== 'resource' && filler) set.add(filler);
  return type.elements.filter((element) => set.has(element));
}

function elementOf(
  element: ElementDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<Properties> {
  // Deep down a choice is a primitive where it can be, so that the resource has an end.
  const primitives = element.properties.filter((property) => property.form === 'primitive');
  const options = levels <= 0 && primitives.length > 0 ? primitives : element.properties;
  return fc.constantFrom(...options).chain((property) => propertyOf(property, definitions, levels));
}

function propertyOf(
  property: PropertyDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<Properties> {
  if (property.form === 'primitive') return primitiveOf(property, definitions, levels);
  const item = itemOf(property, definitions, levels - 1);
  if (!property.repeats) return item.map((value) => ({ [property.name]: value }));
  return fc
    .array(item, { minLength: 1, maxLength: 2 })
    .map((items) => ({ [property.name]: items }));
}

function itemOf(
  property: PropertyDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<FhirValue> {
  if (property.form === 'xhtml') return narrative;
  if (property.form === 'resource') {
    return fc
      .constantFrom('Basic', 'Binary', 'Organization', 'OperationOutcome')
      .chain((name) => resourceOf(name, definitions, levels));
  }
  const type = definitions.type(property.type);
  if (type === undefined) throw new Error(`No type ${property.type}.`);
  return objectOf(type, definitions, levels);
}

interface Item {
  readonly value: FhirValue;
  readonly sibling: FhirValue;
}

function primitiveOf(
  property: PropertyDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<Properties> {
  const item = primitiveItem(property, definitions, levels);
  if (!property.repeats) {
    return item.map(({ value, sibling }) => ({
      ...(value !== null && { [property.name]: value }),
      ...(sibling !== null && { [property.sibling]: sibling }),
    }));
  }
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
    [property.name]: items.map(({ value }) => value),
    ...(items.some(({ sibling }) => sibling !== null) && {
      [property.sibling]: items.map(({ sibling }) => sibling),
    }),
  }));
}

/** A value, sometimes with an id or extensions, sometimes extensions in its place. */
function primitiveItem(
  property: PropertyDefinition,
  definitions: Definitions,
  levels: number,
): fc.Arbitrary<Item> {
  const value = arbitraryValue(property);
  const plain = value.map((value): Item => ({ value, sibling: null }));
  const extension = definitions.type('Extension');
  if (property.element.isAttribute || levels <= 1 || extension === undefined) return plain;
  const id = fc.record({ id: idText });
  const extensions = fc.record({
    extension: fc.array(objectOf(extension, definitions, 0), { minLength: 1, maxLength: 2 }),
  });
  return fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: fc.record({ value, sibling: fc.oneof(id, extensions) }) },
    { weight: 1, arbitrary: fc.record({ value: fc.constant(null), sibling: extensions }) },
  );
}

const idText = fc.stringMatching(/^[A-Za-z0-9\-.]{1,20}$/);

/** Text that XML and JSON both have to escape, and text that they have not. */
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'Ω',
      '\u{1f600}',
      ' ',
      '"',
      "'",
      '&',
      '<',
      '>',
      '\t',
      '\n',
      '\r',
      '\\',
      ']]>',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const token = fc.stringMatching(/^[a-zA-Z0-9&<>"'.:/#?=_-]{1,12}$/);
const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const date = fc
  .tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${pad(year, 4)}-${pad(month)}-${pad(day)}`);
const time = fc
  .tuple(
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom('', '.5', '.250'),
  )
  .map(([hour, minute, fraction]) => `${pad(hour)}:${pad(minute)}:59${fraction}`);
const instant = fc
  .tuple(date, time, fc.constantFrom('Z', '+00:00', '-11:30', '+14:00'))
  .map((parts) => `${parts[0]}T${parts[1]}${parts[2]}`);
const shortDate = fc
  .tuple(date, fc.constantFrom(4, 7, 10))
  .map(([text, length]) => text.slice(0, length));

const uri = token.map((text) => `http://example.org/${text.replaceAll(/[#"<>:]/g, '')}?a&b=''#c`);

const values: Readonly<Record<string, fc.Arbitrary<FhirValue>>> = {
  base64Binary: fc
    .uint8Array({ minLength: 1, maxLength: 9 })
    .map((bytes) => Buffer.from(bytes).toString('base64')),
  boolean: fc.boolean(),
  canonical: uri,
  code: fc.array(token, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' ')),
  date: shortDate,
  dateTime: fc.oneof(shortDate, instant),
  decimal: fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/).map(numberOf),
  id: idText,
  instant,
  integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  markdown: text,
  oid: fc.constant('urn:oid:1.2.3'),
  positiveInt: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  string: text,
  time,
  unsignedInt: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  uri,
  url: uri,
  uuid: fc.uuid().map((text) => `urn:uuid:${text}`),
};

export function arbitraryValue({ codes, type, name }: PropertyDefinition): fc.Arbitrary<FhirValue> {
  // SampledData.data, for which the schemas have a pattern of its own.
  if (type === 'string' && name === 'data') return fc.constant('1.5 2 E');
  if (codes !== undefined) return fc.constantFrom(...codes);
  const value = values[type];
  if (value === undefined) throw new Error(`No values for ${type}.`);
  return value;
}

const narrative = fc
  .array(
    fc.oneof(
      text.map(escapeXmlText),
      text.map((content) => `<p title="a&amp;b" xml:lang="en">${escapeXmlText(content)}<br/></p>`),
      fc.constant('<table><tr><td></td></tr></table>'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => `<div xmlns="http://www.w3.org/1999/xhtml">${parts.join('')}</div>`);
