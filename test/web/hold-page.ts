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

export async function holdToAxe(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(AXE_TAGS).analyze();
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
