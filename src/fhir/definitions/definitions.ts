/** The definitions of one FHIR version: its types, their elements in order, parsed from a table. */
import { PRIMITIVES, type Primitive } from './primitives.ts';

export interface Definitions {
  /** The name of the FHIR version: `STU3`. */
  readonly version: string;
  readonly json: JsonDialect;
  /** The types that can stand alone, in alphabetical order. */
  readonly resourceTypes: readonly string[];
  /** A resource, a data type or a part of one (`Bundle.entry`); undefined if the version has no such type. */
  readonly type: (name: string) => TypeDefinition | undefined;
  /** As `type`, but only the types that can stand alone. */
  readonly resource: (name: string) => TypeDefinition | undefined;
}

/** The forms of JSON that only some FHIR versions allow. */
export interface JsonDialect {
  /** Elements named `fhir_comments`, which hold the comments of XML. */
  readonly hasComments: boolean;
  /** Narratives that begin with `<div>`, without a namespace. */
  readonly isNamespaceOptional: boolean;
}

const STRICT_JSON: JsonDialect = { hasComments: false, isNamespaceOptional: false };

export type TypeKind = 'abstract' | 'resource' | 'data' | 'part' | 'primitive';

export interface TypeDefinition {
  readonly name: string;
  readonly kind: TypeKind;
  /** In the specification's order, inherited ones first. */
  readonly elements: readonly ElementDefinition[];
  /** The required elements. */
  readonly required: readonly ElementDefinition[];
  /** Every name that JSON and XML use, choices spelled out: `valueQuantity`. */
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
}

export interface ElementDefinition {
  /** Without the `[x]` of a choice. */
  readonly name: string;
  readonly min: number;
  /** 0 (not used in this type), 1 or Infinity. */
  readonly max: number;
  readonly isChoice: boolean;
  /** XML writes it as an attribute: `id` of elements, `url` of extensions. */
  readonly isAttribute: boolean;
  readonly isModifier: boolean;
  /** One, or one per type of a choice. */
  readonly properties: readonly PropertyDefinition[];
}

/** The content of a property: text, nested elements, a resource of any type, or a narrative. */
export type PropertyForm = 'primitive' | 'complex' | 'resource' | 'xhtml';

export interface PropertyDefinition {
  readonly name: string;
  /** `_{name}`: where JSON has the id and the extensions of a primitive. */
  readonly sibling: string;
  readonly element: ElementDefinition;
  /** Its place among the properties of the type. */
  readonly rank: number;
  readonly repeats: boolean;
  readonly form: PropertyForm;
  /** The type's name; for a part or "the same content as", the part's: `Bundle.link`. */
  readonly type: string;
  readonly primitive?: Primitive;
  /** The codes allowed, where a closed list is required. */
  readonly codes?: ReadonlySet<string>;
  /** The types that a reference may reach; undefined means any. */
  readonly targets?: readonly string[];
}

/**
 * Reads a generated table. A type is parsed when it is first needed.
 *
 *     codes administrative-gender male female other unknown
 *     any boolean integer Quantity …              the types that `*` stands for
 *     resource Patient : DomainResource           kind, name, the type it extends
 *       gender 0..1 code {administrative-gender}
 *       deceased[x] 0..1 boolean,dateTime ?!      a choice; ?! marks a modifier element
 *       careProvider 0..* Reference(Organization|Practitioner)
 *       link 0..* Patient.link                    a part, or the same content as one
 *     data Extension : Element
 *       @url 1..1 uri                             an attribute in XML
 *     data SimpleQuantity as Quantity             choices name it after Quantity: valueQuantity
 */
export function parseDefinitions(
  version: string,
  table: string,
  json: JsonDialect = STRICT_JSON,
): Definitions {
  const texts = new Map<string, string>();
  const codeTexts = new Map<string, string>();
  const resourceTypes: string[] = [];
  let any: readonly string[] = [];
  for (const block of table.trim().split('\n\n')) {
    for (const type of block.startsWith('codes ') ? block.split('\n') : [block]) {
      const [kind = '', name = ''] = type.split(/[ \n]/, 2);
      if (kind === 'codes') codeTexts.set(name, type);
      else if (kind === 'any') any = type.split(' ').slice(1);
      else texts.set(name, type);
      if (kind === 'resource') resourceTypes.push(name);
    }
  }
  const codeSets = new Map<string, ReadonlySet<string>>();
  const types = new Map<string, TypeDefinition>();
  const reader: TableReader = {
    any,
    type,
    codes,
    suffix: (name) => /^data \S+ as (\S+)/.exec(texts.get(name) ?? '')?.[1] ?? name,
  };

  function type(name: string): TypeDefinition | undefined {
    const known = types.get(name);
    if (known !== undefined) return known;
    const text = texts.get(name);
    if (text === undefined && !PRIMITIVES.has(name)) return undefined;
    const parsed = parseType(text ?? `primitive ${name} : Element`, reader);
    types.set(name, parsed);
    return parsed;
  }

  function codes(name: string): ReadonlySet<string> {
    let set = codeSets.get(name);
    if (set === undefined) {
      set = new Set(codeTexts.get(name)?.split(' ').slice(2));
      codeSets.set(name, set);
    }
    return set;
  }

  return {
    version,
    json,
    resourceTypes,
    type,
    resource(name) {
      const found = type(name);
      return found?.kind === 'resource' ? found : undefined;
    },
  };
}

/** The references from the text of a type to other definitions. */
interface TableReader {
  readonly any: readonly string[];
  readonly type: (name: string) => TypeDefinition | undefined;
  readonly codes: (name: string) => ReadonlySet<string>;
  /** The name that a choice element takes on for a type. */
  readonly suffix: (type: string) => string;
}

const headerPattern = /^(abstract|resource|data|part|primitive) (\S+)(?: as \S+)?(?: : (\S+))?$/;
const linePattern = /^ {2}(@?)(\w+)(\[x\])? (\d)\.\.(\d|\*) (\S+?)(?: \{(\S+)\})?( \?!)?$/;
const typePattern = /^([\w.]+)(?:\(([\w|]+)\))?$/;

function parseType(text: string, reader: TableReader): TypeDefinition {
  const [header = '', ...lines] = text.split('\n');
  const [, kind, name, extended] = headerPattern.exec(header) ?? [];
  if (kind === undefined || name === undefined) throw new Error(`Bad line in a table: ${header}`);
  const inherited = extended === undefined ? [] : (reader.type(extended)?.elements ?? []);
  const elements: ElementDefinition[] = [];
  const properties = new Map<string, PropertyDefinition>();
  const add = (element: ElementDefinition) => {
    elements.push(element);
    for (const property of element.properties) properties.set(property.name, property);
  };
  for (const element of inherited) add(element);
  for (const line of lines) add(parseElement(line, properties.size, reader));
  const required = elements.filter((element) => element.min > 0);
  return { name, kind: kind as TypeKind, elements, required, properties };
}

function parseElement(line: string, rank: number, reader: TableReader): ElementDefinition {
  const [, at, name, choice, min, max, typeText, codes, modifier] = linePattern.exec(line) ?? [];
  if (name === undefined || typeText === undefined) throw new Error(`Bad line in a table: ${line}`);
  const properties: PropertyDefinition[] = [];
  const element: ElementDefinition = {
    name,
    min: Number(min),
    max: max === '*' ? Number.POSITIVE_INFINITY : Number(max),
    isChoice: choice !== undefined,
    isAttribute: at === '@',
    isModifier: modifier !== undefined,
    properties,
  };
  for (const text of typeText === '*' ? reader.any : typeText.split(',')) {
    const [, type, targets] = typePattern.exec(text) ?? [];
    if (type === undefined) throw new Error(`Bad line in a table: ${line}`);
    const primitive = PRIMITIVES.get(type);
    const property = element.isChoice ? name + capitalise(reader.suffix(type)) : name;
    properties.push({
      name: property,
      sibling: `_${property}`,
      element,
      rank: rank + properties.length,
      repeats: element.max > 1,
      form: formOf(type, primitive),
      type,
      ...(primitive && { primitive }),
      ...(codes !== undefined && type === 'code' && { codes: reader.codes(codes) }),
      ...(targets !== undefined && { targets: targets.split('|') }),
    });
  }
  return element;
}

function formOf(type: string, primitive: Primitive | undefined): PropertyForm {
  if (primitive) return 'primitive';
  if (type === 'Resource') return 'resource';
  return type === 'xhtml' ? 'xhtml' : 'complex';
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
