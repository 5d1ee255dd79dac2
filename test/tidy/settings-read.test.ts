/** The program reads every setting that it has. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SETTINGS } from '../../src/config/settings.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** The folders of the parts that get their settings as an object, without the name of the section. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  auth: ['src/auth/', 'src/cli/serve/'],
  database: ['src/storage/'],
  directory: ['src/interfaces/'],
  limits: ['src/server/'],
  orders: ['src/orders/'],
  pages: ['src/web/'],
};

const SOURCES: readonly SourceFile[] = sourceFiles()
  .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/config/'))
  .map(({ path, text }) => ({ path, text: withoutTypes(text) }));

function unreadAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const [, section = '', name = ''] = /^(\w+)\.(.+)$/.exec(path) ?? [];
    const folders = READERS[section] ?? [];
    const ofSection = SOURCES.filter((file) => folders.some((each) => file.path.startsWith(each)));
    return !readsProperty(SOURCES, path) && !readsProperty(ofSection, name);
  });
}

/** `config.port`, `config['log.level']`, `config[`${source}.url`]`, or the name in a pattern. */
function readsProperty(files: readonly SourceFile[], name: string): boolean {
  if (name === '') return false;
  const escaped = name.replaceAll('.', String.raw`\.`);
  const last = name.split('.').at(-1) ?? '';
  const reads = new RegExp(
    [
      String.raw`[\w)\]]\??\.?\['${escaped}'\]`,
      String.raw`\w\??\.${escaped}\b(?!\()`,
      String.raw`[{,]\s*${escaped}\s*[,}=]`,
      String.raw`[{,]\s*'${escaped}'\s*:`,
      ...(last === name ? [] : [String.raw`\[\`\$\{\w+\}\.${last}\`\]`]),
    ].join('|'),
  );
  return files.some(({ text }) => reads.test(text));
}

/** An interface names what nothing may read. */
function withoutTypes(text: string): string {
  return text.replace(/^ *(?:readonly )?['\w.]+\??: .*;$/gm, '').replace(/^ *(?:\/\*)?\*.*$/gm, '');
}

it('the program reads each setting', () => {
  assert.deepEqual(unreadAmong(Object.keys(SETTINGS)), []);
});

it('a setting that nothing reads is found', () => {
  const invented = ['directory.nameLengthMin', 'r4.flavour', 'auth.flavour', 'flavour'];
  assert.deepEqual(unreadAmong([...invented, 'port', 'directory.countMax']), invented);
});
