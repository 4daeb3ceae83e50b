import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import t from 'tap';
import type { App } from '#api/plugins/app-instance.ts';
import { serveConsole } from '#api/plugins/console.ts';

void t.test('shows a page that loads itself again until the console is built', async (t) => {
  const dist = t.testdir({});
  const app: App = Fastify();
  t.teardown(() => app.close());
  await serveConsole(app, null, dist);
  const get = (url: string) => app.inject({ url });

  for (const url of ['/console/', '/console/fleet/chargers']) {
    const page = await get(url);
    t.equal(page.statusCode, 503);
    t.match(page.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store', 'retry-after': '3' });
    t.match(page.body, '<meta http-equiv="refresh" content="3" />');
    t.match(page.body, 'The console is being built.');
    t.notMatch(page.body, '<script');
    t.match(page.headers['content-security-policy'], /^default-src 'none';style-src 'sha256-[^']+'/);
  }
  t.equal((await get('/console/assets/main.js')).statusCode, 404);

  await writeFile(join(dist, 'index.html'), '<title>The console</title>');
  const built = await get('/console/fleet/chargers');
  t.match(built, { statusCode: 200, body: '<title>The console</title>' });
});
