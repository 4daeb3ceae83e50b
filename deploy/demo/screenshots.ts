import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { programPath } from '#shared/testing/programs.ts';
import { pageAddresses, pages } from './console-pages.ts';

const themes = ['light', 'dark'] as const;
const sizes = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};
type Size = keyof typeof sizes;

/** Time for the charts and the first live values after a page has loaded, in ms. */
const settleMs = 3000;

/** Time for the layout after a change of the size of the window, in ms. */
const resizeMs = 700;

interface Options {
  names: string[];
  sizes: Size[];
  language: string;
  to: string;
}

/**
 * `npm run console:screenshots`: takes pictures of the console of a running product with its demonstration fleet, in both
 * themes. Arguments: names of pages, `--size wide|tablet|phone` (repeatable), `--language <tag>`, `--to <directory>`. Prints the
 * pages that are wider than their window.
 */
async function main(): Promise<void> {
  const { dataDir, publicUrl } = loadConfig();
  const options = readOptions(process.argv.slice(3));
  const { operatorKey } = JSON.parse(await readFile(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
  const addresses = await pageAddresses(options.names, { url: publicUrl, key: operatorKey });
  await mkdir(options.to, { recursive: true });
  const browser = await chromium.launch({ executablePath: programPath('chromium'), args: ['--no-sandbox'] });
  try {
    await Promise.all(
      themes.map(async (theme) => {
        const context = await openTheme(browser, theme, options.language);
        await signIn(context, publicUrl, operatorKey);
        await takePictures(context, { ...options, theme, origin: publicUrl, addresses });
      }),
    );
  } finally {
    await browser.close();
  }
  console.log(`The pictures are in ${options.to}`);
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      size: { type: 'string', multiple: true, default: ['wide'] },
      language: { type: 'string', default: 'en-GB' },
      to: { type: 'string', default: join(tmpdir(), 'chargeway-screenshots') },
    },
  });
  const wrongSize = values.size.find((size) => !(size in sizes));
  if (wrongSize !== undefined) throw new Error(`--size: ${wrongSize} is unknown`);
  const unknown = positionals.find((name) => !(name in pages));
  if (unknown !== undefined) {
    throw new Error(`${unknown} is no page; known: ${Object.keys(pages).join(', ')}`);
  }
  return {
    names: positionals.length > 0 ? positionals : Object.keys(pages),
    sizes: values.size as Size[],
    language: values.language,
    to: values.to,
  };
}

function openTheme(browser: Browser, theme: 'light' | 'dark', language: string): Promise<BrowserContext> {
  return browser.newContext({
    viewport: sizes.wide,
    colorScheme: theme,
    locale: language,
    timezoneId: 'Europe/Amsterdam',
  });
}

async function takePictures(
  context: BrowserContext,
  options: Options & { theme: string; origin: string; addresses: [name: string, address: string][] },
): Promise<void> {
  const page = await context.newPage();
  for (const [name, address] of options.addresses) {
    await page.goto(`${options.origin}/console${address}`);
    await page.waitForTimeout(settleMs);
    for (const size of options.sizes) {
      await page.setViewportSize(sizes[size]);
      await page.waitForTimeout(resizeMs);
      await page.screenshot({ path: join(options.to, `${name}-${size}-${options.theme}.png`) });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > sizes[size].width) console.log(`${name} ${size}: ${String(width)} px wide`);
    }
  }
}

async function signIn(context: BrowserContext, apiUrl: string, apiKey: string): Promise<void> {
  const response = await context.request.post(`${apiUrl}/cpms/v1/auth/sessions`, {
    data: { apiKey },
    headers: { origin: new URL(apiUrl).origin },
  });
  if (!response.ok()) throw new Error(await response.text());
}

await runMain(main);
