/** Takes the pictures of the pages that README and `docs/` show: `npm run screenshots`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../test/web/browser.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly size?: 'phone';
  readonly colours?: 'light' | 'dark';
  readonly prepare?: (page: Page) => Promise<void>;
  /** In pixels; the page continues below. */
  readonly height?: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'home', path: '/', height: 1000 },
  { name: 'look-up', path: '/?q=leeds', height: 1000 },
  {
    name: 'suggestions',
    path: '/',
    height: 700,
    prepare: async (page) => {
      await page.getByLabel('Code, postcode, town or name').pressSequentially('surg');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  { name: 'nothing-found', path: '/?q=LS6+4ZZ', height: 900 },
  {
    name: 'organization',
    path: '/organizations/RTG',
    height: 1500,
    prepare: async (page) => {
      await page.getByText('Show as JSON').click();
      await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    },
  },
  {
    name: 'check-a-list',
    path: '/check-a-list',
    height: 1000,
    prepare: async (page) => {
      await page.getByLabel('Names, codes or postcodes').fill(LIST.join('\n'));
      await page.getByRole('button', { name: 'Check the list' }).click();
      await page.getByRole('heading', { name: 'All rows are checked' }).waitFor();
    },
  },
  { name: 'relationships', path: '/organizations/00A', height: 1300 },
  { name: 'changes', path: '/changes?since=2014-04-01&kind=joined&kind=left', height: 1000 },
  { name: 'editions', path: '/editions', height: 600 },
  { name: 'statistics', path: '/statistics', height: 1400 },
  { name: 'reports', path: '/reports', height: 1000 },
  {
    name: 'api',
    path: '/api',
    height: 2000,
    prepare: (page) => page.locator('.app-try__group').first().waitFor(),
  },
  { name: 'fhir-in-a-browser', path: '/R4/Organization/RTG', height: 1000 },
  { name: 'try-order-response', path: '/try-order-response', height: 1000 },
  { name: 'phone', path: '/', size: 'phone', height: 1100 },
  { name: 'phone-dark', path: '/?q=leeds', size: 'phone', colours: 'dark', height: 1100 },
];

/** A name, a closed code, a name that nothing has, and one of several organisations. */
const LIST = ['Moss Out of Hours Service', 'Y00015', 'Nowhere Clinic', 'Leeds Teaching Hospitals'];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');
const PORT_LINE = 'listening';

/** `-- home api`: only these. */
const WANTED = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-screenshots-'));
const browser = await openBrowser();
try {
  mkdirSync(IMAGES, { recursive: true });
  const data = join(folder, 'data');
  importTwice(data);
  await withServer(data, async (origin) => {
    for (const picture of PICTURES) {
      if (WANTED.length === 0 || WANTED.includes(picture.name))
        await take(browser, origin, picture);
    }
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function take(
  browser: Browser,
  origin: string,
  { name, path, size, colours = 'light', prepare, height = 800 }: Picture,
): Promise<void> {
  const width = size === 'phone' ? 390 : 1120;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: colours });
  const page = await context.newPage();
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await prepare?.(page);
  const file = join(IMAGES, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(`${file}: ${Math.round(readFileSync(file).length / 1024)} KB`);
  await context.close();
}

/** The sample, and then a second edition in which a few records differ. */
function importTwice(data: string): void {
  gazetteer(['import', join(ROOT, 'sample/organisations.zip'), '--data', data, '--quiet']);
  const lines = gazetteer(['export', '--data', data, '--format', 'release-xml']).split('\n');
  const isShown = (line: string) => line.includes(' extension="RTG"/><Status');
  let organisations = 0;
  const next = lines
    .filter((line, i) => !line.startsWith('<Organisation ') || i % 90 !== 7 || isShown(line))
    .map((line, i) => {
      if (!line.startsWith('<Organisation ')) return line;
      organisations += 1;
      if (i % 25 !== 3 && !isShown(line)) return line;
      return line
        .replace('UTTOXETER ROAD', 'UTTOXETER NEW ROAD')
        .replace(/<LastChangeDate value="[^"]*"/, '<LastChangeDate value="2026-09-20"');
    })
    .join('\n')
    .replace(/(?<=<RecordCount value=")\d+/, String(organisations))
    .replace(/(?<=<PublicationDate value=")[^"]*/, '2026-09-25');
  const file = join(folder, 'release-2.xml');
  writeFileSync(file, next);
  gazetteer(['import', file, '--data', data, '--quiet']);
  gazetteer(['import-postcodes', join(ROOT, 'sample/postcodes.zip'), '--data', data]);
}

async function withServer(data: string, use: (origin: string) => Promise<void>): Promise<void> {
  const words = ['serve', '--data', data, '--port', '0', '--metrics-port', 'off', '--threads', '1'];
  const server = spawn(
    process.execPath,
    [join(ROOT, 'src/main.ts'), ...words, '--pages-give-tokens'],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(server, 'exit');
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { msg, port } = JSON.parse(line);
      if (msg !== PORT_LINE) continue;
      await use(`http://127.0.0.1:${port}`);
      break;
    }
  } finally {
    server.kill('SIGTERM');
    await exited;
  }
}

function gazetteer(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main.ts'), ...words],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (status !== 0) throw new Error(`gazetteer ${words[0]}: ${stderr}`);
  return stdout;
}
