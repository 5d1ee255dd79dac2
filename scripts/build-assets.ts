/** Makes the style sheet of the pages: `npm run generate` writes it, a test holds it to its sources. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'sass';
import { withDarkColours } from './dark-colours.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = join(ROOT, 'src/web/parts/assets');
const DESIGN_SYSTEM = join(ROOT, 'node_modules/nhsuk-frontend/dist');

export const STYLES = join(ASSETS, 'styles.generated.css');

/** The style sheet as it would be built now. */
export function buildStyles(): string {
  const { css } = compile(join(ASSETS, 'styles.scss'), {
    loadPaths: [DESIGN_SYSTEM],
    style: 'compressed',
    quietDeps: true,
    charset: false,
  });
  const sheet = withDarkColours(withWidePaper(css));
  return `${sheet.replace(ICON_URL, (_, name: string) => `url("${dataUrl(name)}")`)}\n`;
}

/**
 * The pages have rows in place of columns on a screen narrower than a sheet of A4. Paper has room for
 * columns, and with them a page of results is one sheet.
 */
function withWidePaper(css: string): string {
  return css
    .replaceAll('@media(max-width: 48.0525em)', '@media screen and (max-width: 48.0525em)')
    .replaceAll('@media(min-width: 48.0625em)', '@media print,(min-width: 48.0625em)');
}

/** Icons become part of the style sheet: no requests of their own, and no fixed path. */
const ICON_URL = /url\("\/assets\/images\/([\w-]+\.svg)"\)/g;

function dataUrl(name: string): string {
  const svg = readFileSync(join(DESIGN_SYSTEM, 'nhsuk/assets/images', name), 'utf8');
  return `data:image/svg+xml,${encodeURIComponent(svg.trim())}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = readIfThere(STYLES);
  const styles = buildStyles();
  if (styles !== before) writeFileSync(STYLES, styles);
  console.log(`${STYLES}: ${styles.length} bytes${styles === before ? ', as it was' : ''}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
