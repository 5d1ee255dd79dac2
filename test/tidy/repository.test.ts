/** The files for those who host, edit and test the repository: they agree with the project. */
import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readYaml } from './read-yaml.ts';
import { projectFiles, ROOT } from './source-files.ts';

const WORKFLOWS = projectFiles().filter((path) => path.startsWith('.github/workflows/'));
const packageJson = JSON.parse(textOf('package.json'));

describe('a workflow', () => {
  it('is valid YAML, and each of its jobs has a machine and steps', () => {
    for (const path of WORKFLOWS) {
      for (const { jobs } of readYaml<Workflow>(path)) {
        for (const [name, job] of Object.entries(jobs)) {
          assert.equal(job['runs-on'], 'ubuntu-latest', name);
          assert.ok(
            job.steps.every(({ run, uses }) => (run === undefined) !== (uses === undefined)),
          );
        }
      }
    }
  });

  it('runs scripts and programs that are there', () => {
    const commands = WORKFLOWS.flatMap((path) =>
      [...textOf(path).matchAll(/^ +- run: (.+)$/gm)].map(([, command = '']) => command),
    );
    for (const command of commands) assert.equal(problemOf(command), undefined);
    assert.ok(commands.includes('npm run check') && commands.includes('.ci/run'));
  });

  it('that runs what is not there is found', () => {
    assert.match(problemOf('npm run chekc') ?? '', /no script "chekc"/);
    assert.match(problemOf('.ci/runs') ?? '', /ENOENT/);
    assert.match(problemOf('package.json') ?? '', /EACCES/);
  });

  it('checks with the oldest Node that can start the commands', () => {
    const [, oldest] = /^>=(\d+)$/.exec(packageJson.engines.node) ?? [];
    assert.match(textOf('.github/workflows/ci.yml'), new RegExp(`node: \\[${oldest}, `));
  });
});

it('every update of dependencies is asked for where their list is', () => {
  const lists = new Map([
    ['npm', 'package.json'],
    ['github-actions', '.github/workflows/ci.yml'],
    ['docker', 'Dockerfile'],
  ]);
  const text = textOf('.github/dependabot.yml');
  const asked = [...text.matchAll(/package-ecosystem: (\S+)\n +directory: \/(\S*)/g)];
  const kinds = asked.map(([, kind = '', folder = '']) => {
    assert.ok(existsSync(join(ROOT, folder, lists.get(kind) ?? 'no list')), kind);
    return kind;
  });
  assert.deepEqual(kinds, [...lists.keys()]);
  for (const { updates } of readYaml<{ updates: unknown[] }>('.github/dependabot.yml')) {
    assert.equal(updates.length, kinds.length);
  }
});

it('.node-version is the runtime that the lockfile installs', () => {
  const versions = Object.values(packageJson.optionalDependencies);
  assert.deepEqual([...new Set(versions)], [textOf('.node-version').trim()]);
});

it('.editorconfig has the indents and the width of lines of the formatter', () => {
  const { formatter } = JSON.parse(textOf('biome.json'));
  const text = textOf('.editorconfig');
  const settingOf = (name: string) => new RegExp(`^${name} = (.*)$`, 'm').exec(text)?.[1];
  assert.deepEqual(
    [settingOf('indent_style'), settingOf('indent_size'), settingOf('max_line_length')],
    [formatter.indentStyle, String(formatter.indentWidth), String(formatter.lineWidth)],
  );
});

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

/** Why a command of a workflow cannot run: no such script, or no such program in the project. */
function problemOf(command: string): string | undefined {
  const [program = '', ...words] = command.split(' ');
  if (program === 'git') return undefined;
  if (program === 'npm') {
    const script = words[0] === 'run' ? words[1] : words[0];
    return packageJson.scripts[script ?? ''] === undefined ? `no script "${script}"` : undefined;
  }
  try {
    accessSync(join(ROOT, program), constants.X_OK);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
