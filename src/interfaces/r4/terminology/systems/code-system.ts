/** A row of the table of code systems, as the operations, the search and the read use it. */

import { type Edition, perEdition, requireLinks } from '../../../../directory/edition/edition.ts';
import { dayOf } from '../../../../directory/record/in-force.ts';
import type { MaybePromise } from '../../../../fhir/service/interaction.ts';
import { noRecord } from '../../../../fhir/service/stored-resource.ts';
import type {
  CodeProperty,
  PropertyDeclaration,
  PropertyValue,
  PublishedCodeSystem,
  PublishedConcept,
} from '../../../faces/code-system-types.ts';
import type {
  CodeContext,
  CodeItem,
  CodeSystemRow,
  Codes,
  CodesQuery,
  ItemsPage,
  PropertyRow,
} from './code-system-row.ts';

/** A code that a request named, or that an expansion lists. */
export interface FoundCode {
  readonly code: string;
  readonly display?: string | undefined;
  readonly isInactive: boolean;
  /** Throws a FhirError if the edition does not know one of the wanted properties. */
  properties(wanted: WantedProperties): readonly CodeProperty[];
}

/** Names of properties. `*` stands for all of them. */
export type WantedProperties = ReadonlySet<string>;

export interface CodesPage {
  readonly total: number;
  readonly codes: Iterable<FoundCode>;
}

/** A code system as the operations use it. */
export interface R4CodeSystem extends PublishedCodeSystem {
  readonly valueSetUrl: string;
  readonly isListed: boolean;
  readonly usualProperties: readonly string[];
  /** The properties that codes have in every edition. */
  readonly properties: readonly PropertyDeclaration[];
  /** All declared properties. */
  propertiesOf(edition: Edition): readonly PropertyDeclaration[];
  /** Whether codes can have the property in an edition. */
  hasProperty(code: string): boolean;
  readonly filters: readonly string[] | undefined;
  /** Undefined if the code system does not have the code. Throws a FhirError if the edition lacks it. */
  find(code: string, edition: Edition): FoundCode | undefined;
  /** Throws a FhirError if the edition lacks it. */
  page(query: Omit<CodesQuery, 'day'>, edition: Edition): MaybePromise<CodesPage>;
}

/** Makes a row usable without its type of items. */
export function codeSystem<Item extends CodeItem>(row: CodeSystemRow<Item>): R4CodeSystem {
  const { id, name, url, title, properties, needsLinks = false, isListed = false } = row;
  const codesOf = perEdition((edition) => row.open(edition));
  const { declared, wantedOf } = propertiesIn(row);
  const found = (item: Item, context: CodeContext): FoundCode => ({
    code: item.code,
    display: item.display,
    isInactive: item.isInactive ?? false,
    properties: (wanted) => {
      const rows = wantedOf(context.edition, wanted);
      if (rows.some((each) => each.needsLinks === true)) requireLinks(context.edition);
      const values: CodeProperty[] = [];
      for (const each of rows) addValues(values, each, item, context);
      return values;
    },
  });
  const open = (edition: Edition): Codes<Item> => {
    const remedy = row.remedyOf?.(edition);
    if (remedy !== undefined) throw noRecord(`This directory has no codes of ${url}. ${remedy}`);
    if (needsLinks) requireLinks(edition);
    return codesOf(edition);
  };
  const isKnown = (edition: Edition) =>
    row.remedyOf?.(edition) === undefined && (!needsLinks || edition.hasLinks);
  const conceptsOf = perEdition((edition): readonly PublishedConcept[] =>
    [...listedIn(open(edition), today())].map((item) => {
      const { code, display, properties: valuesOf } = found(item, { edition, day: today() });
      const values = valuesOf(new Set(['*']));
      return {
        code,
        ...(display !== undefined && { display }),
        ...(values.length > 0 && { properties: values }),
      };
    }),
  );
  return {
    id,
    ...(name !== undefined && { name }),
    url,
    title,
    valueSetUrl: valueSetUrlOf(url),
    isListed,
    usualProperties: row.usualProperties ?? [],
    filters: row.filters,
    ...(row.remedyOf !== undefined && { remedyOf: (edition: Edition) => row.remedyOf?.(edition) }),
    properties: properties.map(declaration),
    propertiesOf: (edition) => declared(edition).map(declaration),
    hasProperty: (code) =>
      properties.some((each) => each.code === code) || row.undeclaredProperty?.(code) !== undefined,
    conceptsOf: (edition) => (isListed && isKnown(edition) ? conceptsOf(edition) : undefined),
    find: (code, edition) => {
      const context = { edition, day: today() };
      const item = open(edition).find(code, context.day);
      return item && found(item, context);
    },
    page: (query, edition) => {
      const context = { edition, day: today() };
      const page = open(edition).page({ ...query, day: context.day });
      const codesIn = ({ total, items }: ItemsPage<Item>): CodesPage => ({
        total,
        codes: mapped(items, (item) => found(item, context)),
      });
      return page instanceof Promise ? page.then(codesIn) : codesIn(page);
    },
  };
}

/** The properties that are declared, and those of them and others that a request wants. */
function propertiesIn<Item extends CodeItem>(row: CodeSystemRow<Item>) {
  const declared = perEdition((edition): readonly PropertyRow<Item>[] => [
    ...row.properties,
    ...(row.furtherProperties?.(edition) ?? []),
  ]);
  const wantedOf = (edition: Edition, wanted: WantedProperties) => {
    const known = declared(edition);
    if (wanted.has('*')) return known;
    const rows = known.filter(({ code }) => wanted.has(code));
    if (rows.length === wanted.size || row.undeclaredProperty === undefined) return rows;
    const codes = new Set(rows.map(({ code }) => code));
    const others = [...wanted].filter((code) => !codes.has(code));
    return rows.concat(others.flatMap((code) => row.undeclaredProperty?.(code) ?? []));
  };
  return { declared, wantedOf };
}

function today(): string {
  return dayOf(new Date());
}

/** A URL that names no code systems gets the end that the national service gives it. */
function valueSetUrlOf(url: string): string {
  return url.includes('/CodeSystem/') ? url.replace('/CodeSystem/', '/ValueSet/') : `${url}/vs`;
}

function declaration({ code, description, type }: PropertyDeclaration): PropertyDeclaration {
  return { code, description, type };
}

function listedIn<Item>({ page }: Codes<Item>, day: string): Iterable<Item> {
  const query = { day, text: '', isActiveOnly: false, filters: [], offset: 0 };
  const found = page({ ...query, count: Number.POSITIVE_INFINITY });
  if (found instanceof Promise) throw new Error('The codes of a listed code system are in memory.');
  return found.items;
}

const VALUE_NAMES = {
  boolean: 'valueBoolean',
  code: 'valueCode',
  Coding: 'valueCoding',
  dateTime: 'valueDateTime',
  string: 'valueString',
} as const;

/** Most organisations have no value of most properties. */
function addValues<Item>(
  values: CodeProperty[],
  row: PropertyRow<Item>,
  item: Item,
  context: CodeContext,
): void {
  const found = row.valuesOf(item, context);
  if (found === undefined) return;
  if (isList(found)) for (const value of found) values.push(withValue(row, value, context));
  else values.push(withValue(row, found, context));
}

function withValue<Item>(
  { code, type, describe }: PropertyRow<Item>,
  value: PropertyValue,
  { edition }: CodeContext,
): CodeProperty {
  const description = describe?.(value, edition);
  return {
    code,
    value: { [VALUE_NAMES[type]]: value },
    ...(description !== undefined && { description }),
  };
}

/** `Array.isArray` does not know lists that cannot be changed. */
function isList(
  values: PropertyValue | readonly PropertyValue[],
): values is readonly PropertyValue[] {
  return Array.isArray(values);
}

function* mapped<One, Other>(items: Iterable<One>, map: (item: One) => Other): Generator<Other> {
  for (const item of items) yield map(item);
}

/** Whether a property has the value that a text means: for a Coding its code, or `system|code`. */
export function hasValue({ value }: CodeProperty, text: string): boolean {
  return Object.values(value).some((one) =>
    typeof one === 'object'
      ? text === one.code || text === `${one.system}|${one.code}`
      : text === String(one),
  );
}

/** A value as a text: of a Coding its code. */
export function valueText({ value }: CodeProperty): string {
  const [one = ''] = Object.values(value);
  return typeof one === 'object' ? (one.code ?? '') : String(one);
}
