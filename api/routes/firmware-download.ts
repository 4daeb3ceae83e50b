import send from '@fastify/send';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { pluginErrors } from '#api/plugins/openapi/error-schemas.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { findFirmwareDownload } from '#api/services/commands/firmware-images.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { Uuid } from './schema.ts';

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
      schema: { type: 'string', format: 'binary', description: 'The image, or a part of it.' },
    },
  },
});

/**
 * What chargers fetch firmware from: no key, for they have none, and a path that nobody guesses. With range requests
 * (RFC 9110 §14), since many fetch an image in parts over a mobile line.
 */
export function firmwareDownloadRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/firmware/:id/:token/:fileName',
    schema: {
      tags: ['service'],
      operationId: 'downloadFirmware',
      summary: 'A firmware image, for chargers',
      description: 'The `fileUrl` of an image. Range, If-Range and If-None-Match are served, and HEAD.',
      security: [],
      params: Type.Object({
        id: Uuid('Firmware image identifier.'),
        token: Type.String({
          maxLength: 64,
          description: 'Secret part of the URL.',
          examples: ['Zm9yIG9uZSB1c2Ugb25seQ'],
        }),
        fileName: Type.String({
          maxLength: 100,
          description: 'File name of the image.',
          examples: ['ep11-1.4.2.bin'],
        }),
      }),
      response: {
        200: bytes('The whole image'),
        206: bytes('The part that Range asks for', rangeHeaders),
        304: { description: 'It is the one that If-None-Match names', type: 'null' },
        ...pluginErrors('emsp', errors),
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
        throw new DomainError('RANGE_NOT_SATISFIABLE', 'The image has no such bytes.');
      }
      if (sent.statusCode === 412) {
        throw new DomainError('PRECONDITION_FAILED', 'The image is not the one that If-Match names.');
      }
      if (sent.type !== 'file') {
        request.log.error(
          { image: id },
          'the bytes of a firmware image are missing: is FIRMWARE_DIR shared?',
        );
        throw new DomainError('FIRMWARE_NOT_FOUND', 'There is no firmware at this address.');
      }
      return reply
        .code(sent.statusCode as 200 | 206 | 304)
        .headers(sent.headers)
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${fileName}"`,
          // RFC 9530: of the whole image, whatever part this is.
          'repr-digest': `sha-256=:${Buffer.from(file.checksum, 'hex').toString('base64')}:`,
          // It never changes, and yet may be withdrawn: a cache asks each time. Nobody may compress it on the way.
          'cache-control': 'no-cache, no-transform',
        })
        .send(sent.stream);
    },
  });
}
