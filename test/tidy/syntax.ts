/** The syntax trees of source files, for tests of their form. */
import { stripTypeScriptTypes } from 'node:module';
import { type Node, parse } from 'acorn';
import type { SourceFile } from './source-files.ts';

/** A node of the syntax tree, with whatever children its type has. */
export type SyntaxNode = Node & Readonly<Record<string, unknown>>;

export function syntaxOf(file: SourceFile): SyntaxNode {
  const options = { sourceType: 'module', locations: true, allowHashBang: true } as const;
  return parse(codeOf(file), { ecmaVersion: 'latest', ...options }) as unknown as SyntaxNode;
}

/** The text as JavaScript, with blanks instead of types. */
function codeOf({ path, text }: SourceFile): string {
  return path.endsWith('.ts') ? stripTypeScriptTypes(text, { mode: 'strip' }) : text;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** What no node of the code may be. */
const RULES = {
  /** A literal that is spread: written out, it says the same. */
  spreadLiteral: ({ type, argument }: SyntaxNode): boolean =>
    type === 'SpreadElement' && isNode(argument) && LITERALS.has(argument.type),
  /** Destructuring with a computed key, which a reader takes for a name at first. */
  computedKey: ({ type, properties }: SyntaxNode): boolean =>
    type === 'ObjectPattern' && (properties as readonly SyntaxNode[]).some(isComputed),
  /** Conditionals in conditionals in conditionals: three questions in one expression. */
  longConditional: (node: SyntaxNode): boolean => conditionalDepth(node) > CONDITIONALS_MAX,
  /** A condition that changes a variable besides asking about it. */
  editInCondition: ({ type, test }: SyntaxNode): boolean =>
    BRANCHES.has(type) && isNode(test) && hasEdit(test),
};

type Rule = keyof typeof RULES;

const LITERALS: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression']);
const BRANCHES: ReadonlySet<string> = new Set([
  'IfStatement',
  'WhileStatement',
  'ConditionalExpression',
]);
const EDITS: ReadonlySet<string> = new Set(['AssignmentExpression', 'UpdateExpression']);
const CONDITIONALS_MAX = 2;

function isComputed({ computed }: SyntaxNode): boolean {
  return computed === true;
}

function conditionalDepth({ type, test, consequent, alternate }: SyntaxNode): number {
  if (type !== 'ConditionalExpression') return 0;
  const depths = [test, consequent, alternate].filter(isNode).map(conditionalDepth);
  return 1 + Math.max(...depths);
}

function hasEdit(node: SyntaxNode): boolean {
  if (/Function/.test(node.type)) return false;
  return EDITS.has(node.type) || childrenOf(node).some(hasEdit);
}

/** The places where files break the rules, by rule. */
export function brokenRules(files: readonly SourceFile[]): Readonly<Record<Rule, string[]>> {
  const found: Record<Rule, string[]> = {
    spreadLiteral: [],
    computedKey: [],
    longConditional: [],
    editInCondition: [],
  };
  const rules = Object.keys(RULES) as Rule[];
  for (const file of files) {
    const visit = (node: SyntaxNode): void => {
      for (const rule of rules) {
        if (RULES[rule](node)) found[rule].push(placeOf(file, node));
      }
      for (const child of childrenOf(node)) visit(child);
    };
    visit(syntaxOf(file));
  }
  return found;
}

/**
 * The functions that a file exports, and the public methods of its classes, whose result type is not
 * stated.
 */
export function unstatedResults(file: SourceFile): string[] {
  const { text } = file;
  const code = codeOf(file);
  /** Types are blanks in the code, which has the length of the text. */
  const hasType = (start: number, end: number): boolean => {
    return code.slice(start, end) !== text.slice(start, end);
  };
  const isStated = ({ start, params, body }: SyntaxNode): boolean => {
    const lastParameter = (params as readonly SyntaxNode[]).at(-1);
    return hasType(code.indexOf(')', lastParameter?.end ?? start), (body as SyntaxNode).start);
  };
  return exportedFunctions(syntaxOf(file))
    .filter(
      ({ made, declared }) => !isStated(made) && !hasType(declared?.end ?? made.start, made.start),
    )
    .map(({ made }) => placeOf(file, made));
}

interface ExportedFunction {
  readonly made: SyntaxNode;
  /** The name of the constant that has the function, behind which its type can be. */
  readonly declared?: SyntaxNode;
}

function exportedFunctions(program: SyntaxNode): ExportedFunction[] {
  return childrenOf(program).flatMap(({ type, declaration }): ExportedFunction[] => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
    if (declaration.type === 'FunctionDeclaration') return [{ made: declaration }];
    if (declaration.type === 'ClassDeclaration') return methodsOf(declaration);
    return childrenOf(declaration).flatMap(({ id, init }) =>
      isNode(init) && /Function/.test(init.type)
        ? [{ made: init, declared: id as SyntaxNode }]
        : [],
    );
  });
}

function methodsOf({ body }: SyntaxNode): ExportedFunction[] {
  return childrenOf(body as SyntaxNode).flatMap(({ kind, key, value }): ExportedFunction[] => {
    if (!isNode(key) || key.type === 'PrivateIdentifier' || !isNode(value)) return [];
    if (!/Function/.test(value.type) || kind === 'constructor' || kind === 'set') return [];
    return kind === undefined ? [{ made: value, declared: key }] : [{ made: value }];
  });
}

function placeOf({ path }: SourceFile, { loc }: SyntaxNode): string {
  return `${path}:${loc?.start.line}`;
}
