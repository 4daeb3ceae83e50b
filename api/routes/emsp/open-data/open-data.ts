import { Readable } from 'node:stream';
import type { App } from '#api/plugins/app-instance.ts';
import { openProblems } from '#api/plugins/openapi/error-schemas.ts';
import { idParams, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { openPublicFeed } from '#api/services/open-data/publication.ts';
import { feedRequestsPerHour } from '#shared/domain/open-data/feed.ts';

const File = Str('The file in the format of the feed.', '{"type":"FeatureCollection","features":[]}', {
  title: 'OpenDataFile',
});

/** Registers the route of open data, which needs no key. */
export function openDataRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/open-data/:feedId',
    config: { anonymous: true as const },
    schema: {
      operationId: 'getOpenData',
      summary: 'Get the file of an open-data feed',
      description:
        'Needs no key. The operator of the network makes and enables the feed; its format is GeoJSON, JSON, a CSV file of the ' +
        'French schema IRVE 2.3.1 or XML of DATEX II 3.7. The file is a full snapshot. Send its `ETag` back as `If-None-Match`: ' +
        `an unchanged file is answered 304 without a body. An address may send ${feedRequestsPerHour} requests an hour.`,
      params: idParams('OpenDataFeed', 'feedId'),
      response: {
        200: {
          description: 'The file.',
          content: {
            'application/geo+json': { schema: File },
            'application/json': { schema: File },
            'text/csv': { schema: File },
            'application/xml': { schema: File },
          },
        },
        304: { description: 'The file is unchanged.', type: 'null' },
        ...openProblems('OpenData', 'FEED_NOT_FOUND', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const file = await openPublicFeed(deps, request.params.feedId, request.ip);
      const { writer, etag, changedAt } = file;
      const isKnown = request.headers['if-none-match'] === etag;
      reply.headers({
        etag,
        'last-modified': changedAt.toUTCString(),
        'cache-control': `public, max-age=${writer.maxAgeSeconds}`,
        'access-control-allow-origin': '*',
      });
      if (isKnown) return reply.code(304).send(null);
      reply.header('content-disposition', `inline; filename="${file.fileName}"`);
      return reply
        .type(writer.contentType)
        .send(Readable.from(file.content(), { highWaterMark: 1 }) as never);
    },
  });
}
