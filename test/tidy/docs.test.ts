/** The documents are complete and current: generated parts, lists, links and the index. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { pagesWithReference, withReference } from '../../scripts/generate-reference.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { flagOf, SETTINGS, variableOf } from '../../src/config/settings.ts';
import { OPERATION_PATHS } from '../../src/server/monitoring/operation-server.ts';
import { openDocuments } from '../../src/web/documents/document-set.ts';
import { anchorsOf, codesIn, itemsUnder, linksOf, plain, readPage } from './markdown.ts';
import { projectFiles, ROOT, sourceFiles } from './source-files.ts';

const DOCUMENTS = projectFiles().filter((path) => /^docs\/.*\.md$/.test(path));
const commandLinePage = readPage('docs/reference/command-line.md');
const healthPage = readPage('docs/reference/health-and-metrics.md');
const limitsPage = readPage('docs/reference/limits.md');
const settingsPage = readPage('docs/reference/settings.md');

describe('the reference', () => {
  it('has generated parts that are current', () => {
    const stale = pagesWithReference().filter((path) => {
      const { text } = readPage(path);
      return withReference(text) !== text;
    });
    assert.deepEqual(stale, [], 'run npm run generate:reference');
  });

  it('has every setting', () => {
    const documented = settingsPage.items.map(({ name }) => plain(name));
    assert.deepEqual(documented.sort(), Object.keys(SETTINGS).sort());
  });

  it('shows a settings file that can be used', () => {
    const text = settingsPage.codeBlocks.find(({ language }) => language === 'json')?.text ?? '';
    const config = loadConfig({ flags: {}, environment: {}, file: { name: 'example', text } });
    assert.equal(config['directory.countMax'], 100);
  });

  it('has a chapter on every command', () => {
    const chapters = [...commandLinePage.text.matchAll(/^## `gazetteer ([^`]+)`$/gm)];
    assert.deepEqual(
      chapters.map(([, name]) => name),
      COMMANDS.map(({ name }) => name),
    );
  });

  it('lists exactly the signals that are heard', () => {
    const documented = itemsUnder(commandLinePage, 'Signals').flatMap(({ name }) => codesIn(name));
    const main = readFileSync(join(ROOT, 'src/main.ts'), 'utf8');
    const heard = [...main.matchAll(/'(SIG[A-Z]+)'/g)].map(([, signal]) => signal);
    assert.deepEqual(documented.sort(), [...new Set(heard)].sort());
  });

  it('lists exactly the exit codes', () => {
    const documented = itemsUnder(commandLinePage, 'Exit codes').flatMap(({ name }) =>
      name.split(', '),
    );
    const ended = Object.values(EXIT_CODES).map(String);
    const { SIGINT, SIGTERM } = constants.signals;
    assert.deepEqual(documented, [...ended, String(128 + SIGINT), String(128 + SIGTERM)]);
  });

  it('names every limit, and the paths of health and metrics', () => {
    const named = codesIn(limitsPage.text);
    const limits = Object.keys(SETTINGS).filter((path) => path.startsWith('limits.'));
    assert.deepEqual(
      limits.filter((path) => !named.includes(path)),
      [],
    );
    const paths = itemsUnder(healthPage, 'Probes').map(({ name }) => plain(name));
    assert.deepEqual(paths, [...OPERATION_PATHS]);
  });
});

it('the messages of the page about problems are those of the program', () => {
  const source = sourceFiles()
    .filter(({ path }) => path.startsWith('src/'))
    .map(({ text }) => text)
    .join('\n');
  const page = readPage('docs/how-to/fix-a-problem.md');
  const parts = page.items
    .flatMap(({ name }) => codesIn(name))
    .flatMap((message) => message.split(/…|(?:process )?\bN\b(?: is)?|: /))
    .map((part) => part.trim());
  assert.deepEqual(
    parts.filter((part) => !source.includes(part)),
    [],
  );
});

describe('the deployment', () => {
  it('has a unit and an image that use what the program has', () => {
    const flags = COMMANDS.flatMap(({ settings }) => settings.map(flagOf));
    const unit = readFileSync(join(ROOT, 'deploy/gazetteer.service'), 'utf8');
    const [, words = ''] = /^ExecStart=\S+\/bin\/gazetteer serve (.*)$/m.exec(unit) ?? [];
    for (const [flag] of words.matchAll(/--\S+/g)) {
      assert.ok(flag === '--config' || flags.includes(flag), flag);
    }
    assert.match(words, /--data/);
    const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const variables = Object.keys(SETTINGS).map(variableOf);
    for (const [variable] of image.matchAll(/GAZETTEER_\w+/g)) {
      assert.ok(variables.includes(variable), variable);
    }
    assert.ok(
      image.includes(
        `EXPOSE ${SETTINGS.port.defaultValue} ${SETTINGS['metrics.port'].defaultValue}\n`,
      ),
    );
    const ignore = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
    for (const [, path = ''] of image.matchAll(/^COPY (?!--)(\S+) /gm)) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(ignore.includes(`!${path}`), `deploy/Dockerfile.dockerignore lacks !${path}`);
    }
  });
});

it('the image is built with every document, and with every file that documents link to', () => {
  const image = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const copied = [...image.matchAll(/^COPY (?!--)(\S+) /gm)].map(([, path = '']) => path);
  const { documents, files } = openDocuments(ROOT);
  const missing = [...documents, ...files].filter(
    (path) => !copied.some((each) => path === each || path.startsWith(`${each}/`)),
  );
  assert.deepEqual(missing, []);
});

describe('every page', () => {
  it('says at its top what it is for, and who it is for', () => {
    const silent = DOCUMENTS.filter(
      (path) => !/^docs\/(README|.*\/decisions\/.*)\.md$/.test(path),
    ).filter((path) => {
      const [, opening = ''] = /^# .*\n\n(.*)\n/.exec(readPage(path).text) ?? [];
      return !/^(This page|In this tutorial) .*\bfor (people|developers)\b/.test(opening);
    });
    assert.deepEqual(silent, []);
  });

  it('is in the index, or in the list of decisions', () => {
    const listed = new Set(
      ['docs/README.md', 'docs/explanation/decisions.md'].flatMap((index) =>
        linksOf(readPage(index).text).map((link) => normalize(join(dirname(index), link))),
      ),
    );
    const unlisted = DOCUMENTS.filter((path) => path !== 'docs/README.md' && !listed.has(path));
    assert.deepEqual(unlisted, []);
  });

  it('links to pages and chapters that are there', () => {
    const files = projectFiles();
    const pages = files.filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return linksOf(text).flatMap((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(ROOT, target))) return [`${page} → ${link}`];
        if (anchor === undefined || !target.endsWith('.md')) return [];
        const anchors = anchorsOf(readFileSync(join(ROOT, target), 'utf8'));
        return anchors.includes(anchor) ? [] : [`${page} → ${link}`];
      });
    });
    assert.deepEqual(broken, []);
  });
});
