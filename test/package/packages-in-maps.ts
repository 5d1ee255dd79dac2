/** What a built package contains, as its source maps and its file of licences say. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy/source-files.ts';

/** The packages whose code is in the bundle, each with its version. `dist`: the folder of the bundle. */
export function packagesInMaps(dist: string): string[] {
  const sources = globSync('**/*.js.map', { cwd: dist }).flatMap((path): string[] => {
    return JSON.parse(readFileSync(join(dist, path), 'utf8')).sources;
  });
  const folders = sources.flatMap((source) => {
    const [, folder] =
      /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    return folder ?? [];
  });
  return [...new Set(folders)].map((folder) => nameOf(join(ROOT, folder)));
}

/** The name and the version in the manifest of a folder. */
export function nameOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}`;
}

/** The texts of the file of licences, by name and version of the package. */
export function licenceTexts(file: string): ReadonlyMap<string, string> {
  const [, ...sections] = file.split(/^={80}\n(?=\S+ \S+\n.*\n={80}$)/m);
  return new Map(
    sections.map((section) => {
      const [name = '', , , ...lines] = section.split('\n');
      return [name, lines.join('\n').trim()];
    }),
  );
}
