import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { credentialsPath, type FirstCredentials } from '#deploy/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { programPath } from '#shared/testing/programs.ts';

const directory = join(import.meta.dirname, '../../docs/console');
const themes = ['light', 'dark'] as const;
const sizes = { wide: [1440, 900], tablet: [1024, 768], phone: [390, 844] } as const;

/** Pages by the name of their picture. `{charger}` and `{session}` stand for identifiers of the demonstration. */
const pages: Record<string, string> = {
  overview: '/',
  chargers: '/fleet/chargers',
  map: '/fleet/map?at=4.9,52.2,6.5',
  charger: '/fleet/chargers/{charger}',
  'charger-log': '/fleet/chargers/{charger}?tab=log',
  'charger-commands': '/fleet/chargers/{charger}?tab=commands',
  'charger-configuration': '/fleet/chargers/{charger}?tab=configuration',
  sessions: '/charging/sessions',
  session: '/charging/sessions/{session}',
  review: '/charging/review',
};

/** Time for the charts and the first live values after a page has loaded, in ms. */
const settleMs = 4000;

/**
 * `npm run console:screenshots`: takes pictures of the console of a running product with its demonstration fleet, in both
 * themes. Arguments: names of pages, `--size wide|tablet|phone`, `--to <directory>`.
 */
async function main(): Promise<void> {
  const { dataDir, publicUrl } = loadConfig();
  const { names, size, to } = options(process.argv.slice(3));
  const { operatorKey } = JSON.parse(await readFile(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
  const session = await runningSession(publicUrl, operatorKey);
  await mkdir(to, { recursive: true });
  const browser = await chromium.launch({ executablePath: programPath('chromium'), args: ['--no-sandbox'] });
  try {
    const [width, height] = sizes[size];
    for (const theme of themes) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale: 'en-GB',
      });
      await signIn(context, publicUrl, operatorKey);
      const page = await context.newPage();
      for (const name of names) {
        const path = (pages[name] ?? '')
          .replace('{charger}', session.chargerId)
          .replace('{session}', session.id);
        await page.goto(`${publicUrl}/console${path}`);
        await page.waitForTimeout(settleMs);
        const suffix = size === 'wide' ? '' : `-${size}`;
        await page.screenshot({ path: join(to, `${name}${suffix}-${theme}.png`) });
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

function options(words: string[]): { names: string[]; size: keyof typeof sizes; to: string } {
  const valueOf = (flag: string) => {
    const at = words.indexOf(flag);
    return at === -1 ? undefined : words.splice(at, 2)[1];
  };
  const size = valueOf('--size') ?? 'wide';
  const to = valueOf('--to') ?? directory;
  if (size !== 'wide' && size !== 'tablet' && size !== 'phone') throw new Error(`--size: ${size} is unknown`);
  const unknown = words.find((name) => !(name in pages));
  if (unknown !== undefined)
    throw new Error(`${unknown} is no page; known: ${Object.keys(pages).join(', ')}`);
  return { names: words.length > 0 ? words : Object.keys(pages), size, to };
}

/** Returns a running session with its charger. */
async function runningSession(apiUrl: string, key: string): Promise<{ id: string; chargerId: string }> {
  const response = await fetch(`${apiUrl}/cpms/v1/sessions?status=ACTIVE&pageSize=1`, {
    headers: { 'x-api-key': key },
  });
  const { data } = (await response.json()) as { data: { id: string; chargerId: string }[] };
  const [session] = data;
  if (session === undefined) throw new Error('no session is running: start `npm run demo` first');
  return session;
}

async function signIn(context: BrowserContext, apiUrl: string, apiKey: string): Promise<void> {
  const response = await context.request.post(`${apiUrl}/cpms/v1/auth/sessions`, {
    data: { apiKey },
    headers: { origin: new URL(apiUrl).origin },
  });
  if (!response.ok()) throw new Error(await response.text());
}

await runMain(main);
