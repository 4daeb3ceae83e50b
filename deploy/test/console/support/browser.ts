import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { programPath } from '#shared/testing/programs.ts';

/** No sandbox, because tests can run as root; no traffic of the browser's own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface BrowserOptions {
  theme?: 'light' | 'dark';
  /** Language of the browser. */
  language?: string;
  width?: number;
  height?: number;
}

/** Browser of this process, which its tests share. It ends when no test has used it for a moment. */
let shared: { browser: Promise<Browser>; users: number } | null = null;
const idleMs = 2000;

/** Opens a window with an empty profile; it is closed at the end of the test. */
export async function openWindow(
  t: Pick<Test, 'teardown'>,
  { theme = 'light', language = 'en-GB', width = 1440, height = 900 }: BrowserOptions = {},
): Promise<BrowserContext> {
  shared ??= {
    browser: chromium.launch({ executablePath: programPath('chromium'), args: flags, timeout: 180_000 }),
    users: 0,
  };
  const used = shared;
  used.users += 1;
  t.teardown(() => {
    used.users -= 1;
    setTimeout(() => void closeUnused(used), idleMs);
  });
  const browser = await used.browser;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language,
    timezoneId: 'Europe/Amsterdam',
    colorScheme: theme,
  });
  // Machines that run tests are slow at times.
  context.setDefaultTimeout(180_000);
  t.teardown(() => context.close());
  return context;
}

async function closeUnused(used: NonNullable<typeof shared>): Promise<void> {
  if (used.users > 0 || shared !== used) return;
  shared = null;
  await (await used.browser).close();
}

/** Collects the faults of a page: errors of its console and scripts, refused content, requests to other origins. */
export function watchFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is written there too; tests of refusals expect it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !url.startsWith(`${origin}/`)) faults.push(`foreign request: ${url}`);
  });
  return faults;
}

/** Returns the violations of WCAG 2.2 AA that axe finds on a page, as `rule: element`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
