import send from '@fastify/send';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { serviceErrors } from '#api/plugins/openapi/error-schemas.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { findFirmwareDownload } from '#api/services/commands/firmware-images.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { Str, Uuid } from './schema.ts';

const errors = [
  'VALIDATION_FAILED',
  'FIRMWARE_NOT_FOUND',
  'PRECONDITION_FAILED',
  'RANGE_NOT_SATISFIABLE',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
] as const;

const imageHeaders = {
  ETag: { type: 'string', description: 'Entity tag of the image, for If-Range and If-None-Match.' },
  'Accept-Ranges': { type: 'string', description: 'Always `bytes`.' },
};

const rangeHeaders = {
  'Content-Range': { type: 'string', description: 'Position of these bytes in the image (RFC 9110 §14.4).' },
};

const bytes = (description: string, headers: object = {}) => ({
  description,
  headers: { ...imageHeaders, ...headers },
  content: {
    'application/octet-stream': {
      schema: { type: 'string', format: 'binary', description: 'Bytes of the image, or of a part of it.' },
    },
  },
});

/**
 * Serves firmware to chargers. Chargers have no key: the path contains a secret. Serves range requests (RFC 9110 §14),
 * since many chargers download an image in parts over a mobile connection.
 */
export function firmwareDownloadRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/firmware/:id/:token/:fileName',
    schema: {
      tags: ['service'],
      operationId: 'downloadFirmware',
      summary: 'Download a firmware image',
      description:
        'The `fileUrl` of an image, for chargers. HEAD, Range, If-Range and If-None-Match are supported.',
      security: [],
      params: Type.Object({
        id: Uuid('Firmware image identifier.'),
        token: Str('Secret part of the URL.', 'Zm9yIG9uZSB1c2Ugb25seQ', { maxLength: 64 }),
        fileName: Str('File name of the image.', 'ep11-1.4.2.bin', { maxLength: 100 }),
      }),
      response: {
        200: bytes('The whole image.'),
        206: bytes('The requested range.', rangeHeaders),
        304: { description: 'The image is the one of If-None-Match.', type: 'null' },
        ...serviceErrors(errors),
      },
    },
    handler: async (request, reply) => {
      const { id, token, fileName } = request.params;
      const file = await findFirmwareDownload(deps, { uuid: id, downloadToken: token, fileName });
      const sent = await send(request.raw, `/${file.name}`, {
        root: file.directory,
        contentType: false,
        cacheControl: false,
        index: false,
      });
      if (sent.statusCode === 416) {
        reply.header('content-range', sent.headers['Content-Range']);
        throw new DomainError('RANGE_NOT_SATISFIABLE', 'The range is beyond the end of the image.');
      }
      if (sent.statusCode === 412) {
        throw new DomainError('PRECONDITION_FAILED', 'The image differs from the one of If-Match.');
      }
      if (sent.type !== 'file') {
        request.log.error(
          { image: id },
          'The file of a firmware image is missing. Check that all API processes share FIRMWARE_DIR.',
        );
        throw new DomainError('FIRMWARE_NOT_FOUND', 'No firmware at this address.');
      }
      return reply
        .code(sent.statusCode as 200 | 206 | 304)
        .headers(sent.headers)
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${fileName}"`,
          // RFC 9530: digest of the whole image, for any part.
          'repr-digest': `sha-256=:${Buffer.from(file.checksum, 'hex').toString('base64')}:`,
          // The image never changes but can be withdrawn, so caches revalidate. Proxies must not compress it.
          'cache-control': 'no-cache, no-transform',
        })
        .send(sent.stream);
    },
  });
}
