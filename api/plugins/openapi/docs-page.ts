import { constants, createGzip, gzip, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '#api/plugins/app-instance.ts';

const compress = promisify(gzip);

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40" viewBox="0 0 190 40">
<rect x="2" y="4" width="32" height="32" rx="8" fill="#16a34a"/><path d="M20 8 10 23h7l-1 9 10-15h-7z" fill="#fff"/>
<text x="44" y="28" font-family="system-ui,sans-serif" font-size="24" font-weight="700" fill="#fff">chargeway</text></svg>`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 4 32 32">
<rect x="2" y="4" width="32" height="32" rx="8" fill="#16a34a"/><path d="M20 8 10 23h7l-1 9 10-15h-7z" fill="#fff"/></svg>`;

/** Styles that show the header before any script has run, and scopes as labels. */
const css = `#swagger-ui:empty::before{content:"chargeway API";display:block;padding:14px 30px;background:#14532d;color:#fff;font:700 24px system-ui,sans-serif}
#swagger-ui:empty::after{content:"Loading the operations…";display:block;padding:30px;font:16px system-ui,sans-serif}
.swagger-ui .topbar{background:#14532d}
.swagger-ui .topbar .download-url-wrapper{display:none}
.swagger-ui .opblock-scope{align-self:center;margin-left:10px;padding:2px 8px;border-radius:10px;background:#14532d;color:#fff;font:600 11px monospace;white-space:nowrap}
@media (max-width:600px){.swagger-ui .wrapper{padding:0 8px}.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}.swagger-ui .opblock-summary-path{max-width:100%}.swagger-ui .opblock-scope{margin:4px 0}.swagger-ui .opblock-tag{flex-wrap:wrap}.swagger-ui .opblock-tag small{flex:1 1 100%;order:9;padding:4px 0}.swagger-ui .filter .operation-filter-input{width:100%}}`;

/**
 * Plugin of the page, as plain JavaScript for the browser. The filter box finds operations by method, path, summary,
 * id and scope, and each operation shows its scope.
 */
const plugin = `({ React }) => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const wanted = phrase.toLowerCase();
      const textOf = (entry) =>
        [entry.get('method'), entry.get('path')]
          .concat(['summary', 'operationId', 'x-scope'].map((name) => entry.getIn(['operation', name])))
          .join(' ')
          .toLowerCase();
      return tags
        .map((tag, name) =>
          name.toLowerCase().includes(wanted)
            ? tag
            : tag.update('operations', (entries) => entries.filter((entry) => textOf(entry).includes(wanted))))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
  wrapComponents: {
    OperationSummaryPath: (Original) => (props) => {
      const scope = props.operationProps.getIn(['op', 'x-scope']);
      return React.createElement(
        React.Fragment, null,
        React.createElement(Original, props),
        scope ? React.createElement('span', { className: 'opblock-scope' }, scope) : null,
      );
    },
  },
})`;

/** Serves the documentation page below /docs, and the document itself. */
export async function serveDocs(app: App): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onSend', compressed);
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      theme: {
        title: 'chargeway API',
        css: [{ filename: 'chargeway.css', content: css }],
        favicon: [{ filename: 'icon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: icon }],
      },
      logo: { type: 'image/svg+xml', content: logo },
      uiConfig: {
        docExpansion: 'none',
        filter: true,
        deepLinking: true,
        displayOperationId: false,
        displayRequestDuration: true,
        defaultModelsExpandDepth: -1,
        showExtensions: true,
        tryItOutEnabled: false,
        // swagger-ui writes the source text into the script of the page.
        plugins: [inBrowser(plugin)],
      } as object,
      // Policy of the page, since that of the API forbids everything. No upgrade to https, which a bare machine
      // does not serve.
      staticCSP: {
        'default-src': "'self'",
        'img-src': "'self' data:",
        'style-src': "'self' 'unsafe-inline'",
        'script-src': "'self'",
        'frame-ancestors': "'none'",
      },
    });
  });

  let served: { plain: Buffer; gzipped: Buffer; etag: string } | null = null;
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: { hide: true },
    handler: async (request, reply) => {
      served ??= serializedOnce(app.swagger());
      reply.header('etag', served.etag).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
      if (request.headers['if-none-match'] === served.etag) return reply.code(304).send();
      reply.type('application/json; charset=utf-8');
      if (!takesGzip(request)) return reply.send(served.plain);
      return reply.header('content-encoding', 'gzip').send(served.gzipped);
    },
  });
}

function serializedOnce(document: unknown) {
  const plain = Buffer.from(JSON.stringify(document));
  const digest = createHash('sha256').update(plain).digest('base64url');
  return { plain, gzipped: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }), etag: `W/"${digest}"` };
}

/** Wraps source text that swagger-ui writes into its script. */
function inBrowser(source: string): () => void {
  return Object.assign(() => undefined, { toString: () => source });
}

function takesGzip({ headers }: FastifyRequest): boolean {
  return String(headers['accept-encoding']).includes('gzip');
}

/** Compresses the page and its files. */
async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type'));
  if (!takesGzip(request) || reply.statusCode !== 200 || !/javascript|json|css|html|svg/.test(type))
    return payload;
  if (payload instanceof Readable) {
    encoded(reply);
    // A read error of the file aborts the response.
    return pipeline(payload, createGzip(), () => undefined);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const bytes = await compress(payload);
  encoded(reply);
  return bytes;
}

function encoded(reply: FastifyReply): void {
  reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').removeHeader('content-length');
}
