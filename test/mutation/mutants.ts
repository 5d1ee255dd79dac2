/** Makes small changes (mutants) to a source file, which its tests must detect. */
import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, parse } from 'acorn';

/** A mutant that no test can detect. */
export interface Judged {
  readonly file: string;
  /** The line, without the space around it. */
  readonly line: string;
  /** The original text and its replacement. */
  readonly change: string;
  readonly reason: string;
}

export interface Mutant {
  /** Offsets in the source: what stands from `start` to before `end` becomes `replacement`. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** From 1. */
  readonly line: number;
}

/** Types are blanked out before the source is parsed, so that all offsets stay as they are. */
export function mutantsOf(source: string): Mutant[] {
  const program = parse(stripTypeScriptTypes(source), {
    ecmaVersion: 'latest',
    sourceType: 'module',
  });
  const mutants: Mutant[] = [];
  visit(program, (node) => {
    for (const change of changesOf(node, source)) {
      const line = source.slice(0, change.start).split('\n').length;
      mutants.push({ ...change, line });
    }
  });
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

export function withMutant(source: string, { start, end, replacement }: Change): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

type Change = Pick<Mutant, 'start' | 'end' | 'replacement'>;

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
};

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  includes: 'startsWith',
};

function changesOf(node: AnyNode, source: string): Change[] {
  const replaced = ({ start, end }: { start: number; end: number }, replacement: string) => [
    { start, end, replacement },
  ];
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const other = OPERATORS[node.operator];
      if (other === undefined || isText(node)) return [];
      const from = node.left.end;
      const at = source.indexOf(node.operator, from);
      // A bracket may stand between: the operator is looked for before the right side.
      return at < 0 || at >= node.right.start
        ? []
        : replaced({ start: at, end: at + node.operator.length }, other);
    }
    case 'UnaryExpression':
      return node.operator === '!' ? replaced({ start: node.start, end: node.start + 1 }, '') : [];
    case 'Literal':
      if (typeof node.value === 'number') return replaced(node, String(node.value + 1));
      return typeof node.value === 'boolean' ? replaced(node, String(!node.value)) : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return [...replaced(node.test, 'true'), ...replaced(node.test, 'false')];
    case 'ExpressionStatement':
      return node.expression.type === 'CallExpression' || node.expression.type === 'AwaitExpression'
        ? replaced(node, ';')
        : [];
    case 'ThrowStatement':
      return replaced(node, ';');
    case 'MemberExpression': {
      if (node.computed || node.property.type !== 'Identifier') return [];
      const other = METHODS[node.property.name];
      return other === undefined ? [] : replaced(node.property, other);
    }
    default:
      return [];
  }
}

/** Additions of strings build messages: a mutant with a minus says nothing about the tests. */
function isText(node: AnyNode): boolean {
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && node.operator === '+'
    ? isText(node.left) || isText(node.right)
    : false;
}

function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) visit(child, see);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
