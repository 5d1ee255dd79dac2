/** Checks the places that state the version of the program or the release date. */
import { readFileSync } from 'node:fs';
import { SOFTWARE } from '../src/config/version.ts';

/** A file of the project, and the pattern of the versions that it states. */
const PLACES: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /"name": "gazetteer-fhir",\n\s*"version": "([^"]+)"/g],
  ['docs/how-to/use-the-npm-package.md', /gazetteer-fhir-(\d[^ `]*)\.tgz/g],
  ['docs/how-to/install-without-npm.md', /gazetteer-(\d[^ `]*)-linux/g],
  ['CHANGELOG.md', /^## (\S+)/m],
];

/** A sentence for each place that states another version or no version. */
export function versionFindings(read = readFile): string[] {
  return PLACES.flatMap(([path, pattern]) => {
    const text = read(path);
    const found = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)];
    const stated = new Set(found.map((match) => match?.[1]));
    if (stated.size === 0) return [`${path} states no version`];
    return [...stated]
      .filter((version) => version !== SOFTWARE.version)
      .map((version) => `${path} states ${version ?? 'no version'}, not ${SOFTWARE.version}`);
  });
}

/** The newest chapter of the change log must have the release date of the program. */
export function dateFindings(read = readFile): string[] {
  const [, date = 'no date'] = /^## \S+ \(([^)]*)\)/m.exec(read('CHANGELOG.md')) ?? [];
  return date === SOFTWARE.releaseDate
    ? []
    : [`CHANGELOG.md states ${date}, not ${SOFTWARE.releaseDate} as src/config/version.ts`];
}

function readFile(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
