/** What every page must be in a browser: accessible, and no wider than the screen. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { SIZES } from './browser.ts';

/** What is closed is looked at too. (As text: the types of a browser's page are not those here.) */
export const OPEN_DETAILS =
  "for (const details of document.querySelectorAll('details')) details.open = true;";

/** WCAG 2.2 AA, and what is good practice beyond it. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** In light and in dark colours; of what it looks at, only the contrast differs. */
export async function holdToAxe(page: Page, where: string): Promise<void> {
  await requireNoViolation(new AxeBuilder({ page }).withTags(AXE_TAGS), where);
  await page.emulateMedia({ colorScheme: 'dark' });
  await requireNoViolation(
    new AxeBuilder({ page }).withRules(['color-contrast']),
    `${where}, dark`,
  );
  await page.emulateMedia({ colorScheme: 'light' });
}

async function requireNoViolation(axe: AxeBuilder, where: string): Promise<void> {
  const { violations } = await axe.analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`);
  assert.deepEqual(told, [], where);
}

/** Nothing sticks out to the right. */
export async function requireFit(
  page: Page,
  size: keyof typeof SIZES,
  where: string,
): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= SIZES[size].width, `${where} is ${width} wide on a ${size}`);
}
