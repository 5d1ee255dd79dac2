/** A real browser for tests and pictures: Debian's Chromium. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
);

/** Why tests in a browser are skipped; on CI they are not, and fail. */
export const NO_BROWSER: string | false =
  CHROMIUM === undefined && process.env.CI === undefined
    ? 'Chromium is not installed: apt-get install chromium'
    : false;

export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed');
  // Containers have no sandbox; the pages are ours.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: WAIT_MS_MAX,
  });
}

/** Many times what a browser needs on a busy machine, so that only what never happens fails. */
const WAIT_MS_MAX = 300_000;

export const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 375, height: 740 },
} as const;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What no page may do: errors, requests to other machines. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** A visitor of their own, without anything kept from others. */
export async function visit(
  browser: Browser,
  origin: string,
  options: { readonly size?: keyof typeof SIZES; readonly javaScript?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: SIZES[options.size ?? 'desktop'],
    javaScriptEnabled: options.javaScript ?? true,
    baseURL: origin,
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(`error: ${message}`));
  page.on('console', (message) => {
    // A page with an error status is one of those that are looked at.
    const isStatus = /the server responded with a status of/.test(message.text());
    if (message.type() === 'error' && !isStatus) complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url)) {
      complaints.push(`request: ${url}`);
    }
  });
  return { context, page, complaints, close: () => context.close() };
}
