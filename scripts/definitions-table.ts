/** Writes the types of one FHIR version as the text table that `parseDefinitions` reads. */

export interface TableType {
  readonly kind: 'abstract' | 'resource' | 'data' | 'part';
  readonly name: string;
  readonly extends?: string;
  /** The type that choice elements name this one after. */
  readonly as?: string;
  readonly elements: readonly TableElement[];
}

export interface TableElement {
  /** With `[x]` for a choice, with `@` for an attribute. */
  readonly name: string;
  readonly min: number;
  readonly max: string;
  readonly types: readonly string[];
  /** The name of a code set. */
  readonly codes?: string | undefined;
  readonly isModifier: boolean;
}

export type CodeSets = Map<string, readonly string[]>;

export function writeTable(types: readonly TableType[], sets: CodeSets): string {
  const any = openTypes(types);
  const used = new Set(types.flatMap((type) => type.elements.map((element) => element.codes)));
  const codes = [...sets.keys()]
    .filter((name) => used.has(name))
    .toSorted()
    .map((name) => codeLine(name, sets.get(name) ?? []));
  const blocks = types.map((type) => typeBlock(type, any.join()));
  return [codes.join('\n'), `any ${any.join(' ')}`, ...blocks].join('\n\n');
}

/** The types that an extension's value may have; `*` stands for them. */
function openTypes(types: readonly TableType[]): readonly string[] {
  const extension = types.find((type) => type.name === 'Extension');
  const value = extension?.elements.find((element) => element.name === 'value[x]');
  if (value === undefined) throw new Error('The definitions have no Extension.value[x].');
  return value.types;
}

function codeLine(name: string, codes: readonly string[]): string {
  const bad = codes.find((code) => /\s/.test(code));
  if (bad !== undefined) throw new Error(`The code "${bad}" of ${name} has white space.`);
  return `codes ${name} ${codes.join(' ')}`;
}

function typeBlock(type: TableType, any: string): string {
  const as = type.as === undefined ? '' : ` as ${type.as}`;
  const parent = type.extends === undefined ? '' : ` : ${type.extends}`;
  const lines = type.elements.map((element) => elementLine(element, any));
  return [`${type.kind} ${type.name}${as}${parent}`, ...lines].join('\n');
}

function elementLine(element: TableElement, any: string): string {
  const types = element.types.join();
  const codes = element.codes === undefined ? '' : ` {${element.codes}}`;
  const modifier = element.isModifier ? ' ?!' : '';
  const shown = types === any ? '*' : types;
  return `  ${element.name} ${element.min}..${element.max} ${shown}${codes}${modifier}`;
}
