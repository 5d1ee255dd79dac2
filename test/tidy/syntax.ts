/** The syntax trees of source files, for tests of their form. */
import { stripTypeScriptTypes } from 'node:module';
import { type Node, parse } from 'acorn';
import type { SourceFile } from './source-files.ts';

/** A node of the syntax tree, with whatever children its type has. */
export type SyntaxNode = Node & Readonly<Record<string, unknown>>;

export function syntaxOf({ path, text }: SourceFile): SyntaxNode {
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(text, { mode: 'strip' }) : text;
  const options = { sourceType: 'module', locations: true, allowHashBang: true } as const;
  return parse(code, { ecmaVersion: 'latest', ...options }) as unknown as SyntaxNode;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

const LITERALS: ReadonlySet<unknown> = new Set(['ObjectExpression', 'ArrayExpression']);

/** The places where a literal is spread: written out, it says the same. */
export function spreadLiterals(file: SourceFile): string[] {
  if (!file.text.includes('...')) return [];
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const { argument, loc } = node;
    if (node.type === 'SpreadElement' && isNode(argument) && LITERALS.has(argument.type)) {
      found.push(`${file.path}:${loc?.start.line}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(syntaxOf(file));
  return found;
}
