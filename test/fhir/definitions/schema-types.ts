/** Reads the official XML schemas: the types they define, to compare the tables with. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startBudget } from '../../../src/fhir/format/limits.ts';
import { readXml, type XmlElement } from '../../../src/fhir/format/xml-reader.ts';

export interface SchemaElement {
  readonly name: string;
  readonly type: string;
  readonly min: number;
  readonly max: number;
}

export interface Schema {
  /** The elements of each complex type in order, without those of the type that it extends. */
  readonly types: ReadonlyMap<string, readonly SchemaElement[]>;
  /** The closed code lists, by the name that elements have as type. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
  readonly resources: readonly string[];
}

export function readSchema(version: 'dstu2' | 'stu3'): Schema {
  const file = resolve(import.meta.dirname, `../../schemas/${version}/fhir-single.xsd`);
  const budget = startBudget({ depthMax: 64, elementsMax: Number.POSITIVE_INFINITY });
  const root = readXml(readFileSync(file, 'utf8'), budget);
  const types = new Map<string, readonly SchemaElement[]>();
  const codes = new Map<string, readonly string[]>();
  const resources: string[] = [];
  for (const node of children(root)) {
    const name = attribute(node, 'name');
    if (node.name === 'element') resources.push(name);
    if (node.name === 'complexType') types.set(name, elementsOf(node));
    if (node.name === 'simpleType' && name.endsWith('-list')) {
      codes.set(
        name.slice(0, -'-list'.length),
        find(node, 'enumeration').map((e) => attribute(e, 'value')),
      );
    }
  }
  return { types, codes, resources };
}

function elementsOf(type: XmlElement): SchemaElement[] {
  const [sequence] = find(type, 'sequence');
  if (sequence === undefined) return [];
  return children(sequence).flatMap((node) => {
    if (node.name !== 'choice') return node.name === 'element' ? [elementOf(node, node)] : [];
    return children(node)
      .filter((option) => option.name === 'element')
      .map((option) => elementOf(option, node));
  });
}

function elementOf(node: XmlElement, particle: XmlElement): SchemaElement {
  const max = attribute(particle, 'maxOccurs') || '1';
  return {
    name: attribute(node, 'name') || attribute(node, 'ref').replace('xhtml:', ''),
    type: attribute(node, 'type'),
    min: Number(attribute(particle, 'minOccurs') || '1'),
    max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max),
  };
}

function children(node: XmlElement): XmlElement[] {
  return node.content.filter((child) => typeof child !== 'string');
}

function find(node: XmlElement, name: string): XmlElement[] {
  return children(node).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...find(child, name),
  ]);
}

function attribute(node: XmlElement, name: string): string {
  return node.attributes.find((candidate) => candidate.name === name)?.value ?? '';
}
