import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Awaits the transitions of the page: a colour on its way has too little contrast. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`;

/** Rules that depend on the theme. */
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };

/** Returns the violations of WCAG 2.2 AA that axe finds on a page, as `rule: element`. */
export async function accessibilityFaults(page: Page, rules = allRules): Promise<string[]> {
  await page.evaluate(settled);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })})`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Returns the violations in the light theme, and those of colours in the dark one. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
    const faults = await accessibilityFaults(page, colorScheme === 'light' ? allRules : colourRules);
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}
