import send from '@fastify/send';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Integer, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { findExportDownload } from '#api/services/reporting/exports/exports.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { exportTypes, fileContent } from './export-streams.routes.ts';

const fileHeaders = {
  ETag: { type: 'string', description: 'Entity tag of the file, for If-Range and If-None-Match.' },
  'Accept-Ranges': { type: 'string', description: 'Always `bytes`.' },
  'Repr-Digest': { type: 'string', description: 'SHA-256 of the whole file (RFC 9530), also of a range.' },
};

const rangeHeaders = {
  'Content-Range': { type: 'string', description: 'Position of these bytes in the file (RFC 9110 §14.4).' },
};

/** Registers the route of a part's file, with range requests (RFC 9110 §14): a download that broke off is resumed. */
export function exportPartRoute(app: App, deps: ApiDeps): void {
  operation(app, 'GET /exports/:uuid/parts/:number', 'cpms:read:exports', {
    operationId: 'downloadExportPart',
    summary: 'Download a part of an export',
    description: 'HEAD, Range, If-Range and If-None-Match are supported. A stored part never changes.',
    params: Type.Object({
      uuid: Uuid('Export identifier.'),
      number: Integer('Number of the part, from 1.', 1, { minimum: 1, maximum: 100_000 }),
    }),
    response: {
      200: { description: 'The whole file.', headers: fileHeaders, content: fileContent },
      206: {
        description: 'The requested range.',
        headers: { ...fileHeaders, ...rangeHeaders },
        content: fileContent,
      },
      304: { description: 'The file is the one of If-None-Match.', type: 'null' },
      ...cpmsErrors(
        'EXPORT_NOT_FOUND',
        'EXPORT_PART_NOT_FOUND',
        'EXPORT_NOT_READY',
        'EXPORT_EXPIRED',
        'PRECONDITION_FAILED',
        'RANGE_NOT_SATISFIABLE',
      ),
    },
    handler: async (request, reply) => {
      const { uuid, number } = request.params;
      const { part, directory, name, format } = await findExportDownload(
        deps,
        callerOf(request),
        uuid,
        number,
      );
      const sent = await send(request.raw, `/${part.fileName}`, {
        root: directory,
        contentType: false,
        cacheControl: false,
        index: false,
      });
      if (sent.statusCode === 416) {
        reply.header('content-range', sent.headers['Content-Range']);
        throw new DomainError('RANGE_NOT_SATISFIABLE', 'The range is beyond the end of the file.');
      }
      if (sent.statusCode === 412) {
        throw new DomainError('PRECONDITION_FAILED', 'The file differs from the one of If-Match.');
      }
      if (sent.type !== 'file') {
        request.log.error(
          { export: uuid, part: number },
          'The file of an export is missing. Check that all API processes share EXPORT_DIR.',
        );
        throw new DomainError('EXPORT_PART_NOT_FOUND', `The file of part ${number} is missing.`);
      }
      return reply
        .code(sent.statusCode as 200 | 206 | 304)
        .headers(sent.headers)
        .headers({
          'content-type': exportTypes[format],
          'content-disposition': `attachment; filename="${name}"`,
          'repr-digest': `sha-256=:${Buffer.from(part.sha256, 'hex').toString('base64')}:`,
          // The caller's rights are checked each time, so nothing in between keeps it. Proxies must not compress it.
          'cache-control': 'private, no-cache, no-transform',
        })
        .send(sent.stream);
    },
  });
}
