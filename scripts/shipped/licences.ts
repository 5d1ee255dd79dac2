/** The licences of all that is shipped, in one file. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bill, type Component, fullName } from './bill-of-materials.ts';

/** Licences of parts of a package, in files that the tool does not look for. */
const FURTHER_FILES: Readonly<Record<string, string>> = {
  echarts: 'licenses/*',
  'swagger-ui-dist': 'swagger-ui-bundle.js.LICENSE.txt',
};

/** The last section of a README, where a package has no file for its licence. */
const README_SECTION = /^#+ licen[cs]e\n[\s\S]*$/im;

interface Text {
  readonly title: string;
  readonly text: string;
}

const RULE = '='.repeat(80);

/** `folderOf` finds the folder of a package. Throws if a package has no text of a licence. */
export function licencesOf(
  { metadata: { component: program }, components }: Bill,
  folderOf: (component: Component) => string,
): string {
  const start = `${program.name} ${program.version} contains the software that this file names.`;
  const own = `Its own licence, ${idOf(program)}, is in the file LICENSE.`;
  const parts = components.map((component) => licencesSection(component, folderOf(component)));
  return [`${start}\n${own}\n`, ...parts].join('\n');
}

export function licencesSection(component: Component, folder: string): string {
  const texts = [...foundTexts(component), ...furtherTexts(component, folder)];
  const [text] = README_SECTION.exec(readme(folder)) ?? [];
  if (texts.length === 0 && text !== undefined) texts.push({ title: 'README.md', text });
  if (texts.length === 0) throw new Error(`${component.purl} has no text of its licence.`);
  const heading = `${RULE}\n${fullName(component)} ${component.version}\n${idOf(component)}\n${RULE}`;
  const bodies = texts.map(({ title, text }) => `--- ${title}\n\n${tidy(text)}`);
  return `${[heading, ...bodies].join('\n\n')}\n`;
}

function idOf({ licenses = [] }: Component): string {
  return licenses.map(({ license }) => license.id ?? '').join(', ');
}

function foundTexts({ evidence }: Component): Text[] {
  return (evidence?.licenses ?? []).flatMap(({ license: { name = '', text } }) => {
    if (text === undefined) return [];
    const title = name.replace(/^file: /, '');
    return [{ title, text: Buffer.from(text.content, 'base64').toString('utf8') }];
  });
}

function furtherTexts(component: Component, folder: string): Text[] {
  const pattern = FURTHER_FILES[fullName(component)];
  if (pattern === undefined) return [];
  return globSync(pattern, { cwd: folder })
    .sort()
    .map((title) => ({ title, text: readFileSync(join(folder, title), 'utf8') }));
}

function readme(folder: string): string {
  const [name] = globSync('[Rr][Ee][Aa][Dd][Mm][Ee].md', { cwd: folder });
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8').replace(/\r\n/g, '\n');
}

function tidy(text: string): string {
  return text.replace(/\r\n/g, '\n').trim();
}
