import { mkdir } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import helmet from 'helmet';
import { consoleDist } from '#api/console/dist.ts';
import type { App } from './app-instance.ts';
import { headersOf } from './security-headers.ts';
import { unbuiltPage, unbuiltPolicy } from './unbuilt-console.ts';

/** Raster tiles of the map, from another origin. */
export interface MapTiles {
  /** Address with `{z}`, `{x}` and `{y}`, or of a PMTiles file. */
  url: string;
  attribution: string | null;
}

const own = ["'self'"];
const nothing = ["'none'"];

/** Pages of the console load and call this origin only. Map tiles can have another, by setting. */
function consoleHeaders(tileOrigins: readonly string[]): Record<string, string> {
  return headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: nothing,
          scriptSrc: own,
          styleSrc: own,
          fontSrc: own,
          imgSrc: [...own, 'data:', 'blob:', ...tileOrigins],
          connectSrc: [...own, ...tileOrigins],
          // Receipts, which the browser shows itself.
          frameSrc: own,
          objectSrc: own,
          workerSrc: own,
          manifestSrc: own,
          baseUri: nothing,
          formAction: own,
          frameAncestors: nothing,
        },
      },
    }),
  );
}

/** Sends the document that shows every page. */
async function sendPage(reply: FastifyReply): Promise<FastifyReply> {
  return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
}

/**
 * Serves the operator console at `/console`, from the files that the build writes to `dist`. Every address of a page gets the same
 * document, whose script shows the page.
 */
export async function serveConsole(app: App, mapTiles: MapTiles | null, dist = consoleDist): Promise<void> {
  const headers = consoleHeaders(mapTiles === null ? [] : [new URL(mapTiles.url).origin]);
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/console/'));
  // A new checkout has it once its first build is done; a missing one is logged as a fault.
  await mkdir(dist, { recursive: true });
  await app.register(
    async (pages) => {
      await pages.register(fastifyStatic, { root: dist, serve: false, preCompressed: true });
      pages.addHook('onRequest', async (_request, reply) => {
        reply.headers(headers);
      });
      const schema = { hide: true };

      pages.get('/', { schema }, async (_request, reply) => sendPage(reply));
      // Names of assets contain a digest of their content.
      pages.get<{ Params: { '*': string } }>('/assets/*', { schema }, async (request, reply) =>
        reply.sendFile(`assets/${request.params['*']}`, { maxAge: '365d', immutable: true }),
      );
      pages.get('/settings.json', { schema }, async () => ({ mapTiles }));
      for (const file of ['theme.js', 'icon.svg']) {
        pages.get(`/${file}`, { schema }, async (_request, reply) => reply.sendFile(file));
      }
      pages.get('/*', { schema }, async (_request, reply) => sendPage(reply));
      pages.setNotFoundHandler(async (request, reply) => {
        if (request.url.startsWith('/console/assets/'))
          return reply.code(404).type('text/plain').send('Not found');
        return reply
          .code(503)
          .headers({
            'cache-control': 'no-store',
            'retry-after': '3',
            'content-security-policy': unbuiltPolicy,
          })
          .type('text/html')
          .send(unbuiltPage);
      });
    },
    { prefix: '/console' },
  );
}
