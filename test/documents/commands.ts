/** Reads the commands of documents, and the answers that the documents show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.ts';
import { projectFiles, ROOT } from '../tidy/source-files.ts';

export interface Command {
  /** `docs/tutorial.md:13`. */
  readonly place: string;
  readonly text: string;
  /** The code block after the command, if it shows the answer: JSON, or the head of a response. */
  readonly answer?: string;
}

/** Its commands need several machines: test/cluster/three-machines.test.ts runs them. */
const FOR_SEVERAL_MACHINES = 'docs/how-to/three-machines.md';

/** The pages, and the files of deployments. */
export function documents(): string[] {
  return projectFiles().filter(
    (path) =>
      path !== FOR_SEVERAL_MACHINES &&
      (/^(README|CONTRIBUTING|sample\/README|docs\/.*)\.md$/.test(path) ||
        path.startsWith('deploy/')),
  );
}

/** The commands in the order of the document, each once. */
export function commandsOf(document: string): Command[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const found: Command[] = [];
  const add = (line: number, command: string) => {
    if (found.some((known) => known.text === command)) return;
    found.push({ place: `${document}:${line}`, text: command });
  };
  let canHaveAnswer = false;
  for (const { line, language, content } of piecesOf(text)) {
    if (language === 'sh') {
      for (const command of content) add(line, command);
      canHaveAnswer = true;
    } else if (language !== undefined) {
      const last = found.pop();
      const isAnswer = canHaveAnswer && (language === 'json' || language === '');
      if (last !== undefined) found.push(isAnswer ? { ...last, answer: content.join('\n') } : last);
      canHaveAnswer = false;
    } else if (content[0]?.startsWith('#') && document.endsWith('.md')) canHaveAnswer = false;
    else for (const command of commandsIn(content[0] ?? '')) add(line, command);
  }
  return found;
}

interface Piece {
  readonly line: number;
  /** Of a code block; undefined for a line of text. */
  readonly language?: string;
  /** The commands or lines of a code block, or one line of text. */
  readonly content: readonly string[];
}

function* piecesOf(text: string): Generator<Piece> {
  let block: { line: number; language: string; lines: string[] } | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line)?.[1];
    if (block === undefined && fence === undefined) yield { line: i + 1, content: [line] };
    else if (block === undefined) block = { line: i + 2, language: fence ?? '', lines: [] };
    else if (fence === undefined) block.lines.push(line);
    else {
      const { lines, ...rest } = block;
      yield { ...rest, content: rest.language === 'sh' ? commandsOfBlock(lines) : lines };
      block = undefined;
    }
  }
}

/** A command may continue after a backslash, and uses the variables that the lines before it set. */
function commandsOfBlock(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let begun = '';
  for (const line of lines) {
    begun += line;
    const isQuoted = begun.split("'").length % 2 === 0;
    if (isQuoted || line.endsWith('\\') || /^[A-Z]+=/.test(line)) begun += '\n';
    else {
      commands.push(begun);
      begun = '';
    }
  }
  return commands;
}

/** In a deployment file a comment can be a command. Elsewhere commands are in backquotes. */
function commandsIn(line: string): string[] {
  const comment = /^# (.*)$/.exec(line)?.[1] ?? '';
  if (isCommand(comment)) return [comment];
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter(isCommand);
}

const NAMES = new Set(COMMANDS.map(({ name }) => `gazetteer ${name}`));

/** `gazetteer import` and `kill -9` are names. With more words they are commands. */
function isCommand(code: string): boolean {
  if (NAMES.has(code)) return false;
  return (
    /^(npm|npx|bin\/gazetteer) [^ ]/.test(code) ||
    /^(gazetteer|curl|docker|systemctl|kill|ps|du|\/usr\/bin\/time) \S+ \S/.test(code)
  );
}
