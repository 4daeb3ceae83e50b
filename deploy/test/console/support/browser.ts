import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';
import { kept } from '#shared/testing/kept.ts';
import { type Program, programPath } from '#shared/testing/programs.ts';
import { until } from '#shared/testing/until.ts';

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
  // A page lives for seconds: optimizing its scripts costs more than it saves. All cores are busy, also for helper threads.
  '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
];

const testLanguage = 'en-GB';

const usualSize = { width: 1440, height: 900 };

export interface WindowOptions {
  theme?: 'light' | 'dark';
  /** Language of the browser. */
  language?: string;
  /** No window of an earlier test, for a test that adds scripts to the page. */
  fresh?: boolean;
  /** In the complete browser, which shows PDF documents. */
  showsPdf?: boolean;
}

/** Tab of a profile that nothing else uses. */
export interface Window {
  context: BrowserContext;
  page: Page;
}

interface KeptBrowser {
  browser: Browser;
  /** Windows in the language of tests that no test uses. Their processes keep the compiled scripts of the console. */
  free: Window[];
}

const keptBrowser = (program: Program) =>
  kept<KeptBrowser>(
    async () => ({
      browser: await chromium.launch({ executablePath: programPath(program), args: flags, timeout: 0 }),
      free: [],
    }),
    ({ browser }) => browser.close(),
  );

const headlessShell = keptBrowser('chromium-headless-shell');
const completeBrowser = keptBrowser('chromium');

/**
 * Opens a window without cookies and stored values. It belongs to the test, and then to a later one.
 * @param origin origin of the console.
 */
export async function openWindow(
  t: Pick<Test, 'teardown' | 'passing'>,
  origin: string,
  { theme = 'light', language = testLanguage, fresh = false, showsPdf = false }: WindowOptions = {},
): Promise<Window> {
  const { browser, free } = await (showsPdf ? completeBrowser : headlessShell)();
  const isKept = language === testLanguage && !fresh;
  const window = (isKept ? free.pop() : undefined) ?? (await newWindow(browser, language));
  const { context, page } = window;
  // Each frame of an animation is drawn without a graphics processor.
  await page.emulateMedia({ colorScheme: theme, media: null, reducedMotion: 'reduce' });
  let isUsed = true;
  t.teardown(async () => {
    isUsed = false;
    // A failed test may have left anything.
    if (!isKept || !t.passing()) return context.close();
    await empty(window, origin);
    free.push(window);
  });
  const idle = until(
    'the end of the test',
    () => !isUsed,
    () => page.url(),
  );
  // Ends the waits of the test: its page has no time limits of its own.
  void idle.catch(() => context.close({ reason: 'the page waited in vain' }));
  return window;
}

async function newWindow(browser: Browser, language: string): Promise<Window> {
  const context = await browser.newContext({
    viewport: usualSize,
    locale: language,
    timezoneId: 'Europe/Amsterdam',
  });
  context.setDefaultTimeout(0);
  return { context, page: await context.newPage() };
}

/** Removes what a test left in a window. */
async function empty({ context, page }: Window, origin: string): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  await context.unrouteAll();
  await page.unrouteAll();
  // A document of the origin that runs no script: the next page of the console starts in the same process.
  await page.goto(`${origin}/console/icon.svg`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  await page.setViewportSize(usualSize);
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
