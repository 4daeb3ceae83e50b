import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ExportStreams, maxStreamDays } from '#api/services/reporting/exports/export-streams.service.ts';
import { type ExportFormat, exportFormats } from '#shared/domain/reporting/export.ts';
import { Format, rangeFields } from './export-fields.ts';

const streams = [
  ['sessions', 'streamSessions', 'Stream completed sessions', 'cpms:read:sessions'],
  ['cdrs', 'streamCdrs', 'Stream the charge detail records of roaming partners', 'cpms:read:ocpi-partners'],
  ['meter-values', 'streamMeterValues', 'Stream meter readings', 'cpms:read:sessions'],
] as const;

/** Media types of the formats. */
export const exportTypes: Record<ExportFormat, string> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
};

/** Response that has a file of either format. */
export const fileContent = {
  'application/vnd.apache.parquet': {
    schema: { type: 'string', format: 'binary', description: 'Apache Parquet file, compressed with ZSTD.' },
  },
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'RFC 4180, UTF-8, with a header line; a part of an export begins with a byte order mark. Text that a spreadsheet ' +
        'would run as a formula begins with an apostrophe.',
    },
  },
};

/** Registers the routes that send data while it is read. */
export function exportStreamRoutes(app: App, deps: ApiDeps): void {
  const open = new ExportStreams();
  for (const [dataset, operationId, summary, dataScope] of streams) {
    app.route({
      method: 'GET',
      url: `/exports/${dataset}`,
      config: { scope: 'cpms:read:exports' },
      // A HEAD request would read all data.
      exposeHeadRoute: false,
      schema: {
        operationId,
        summary,
        description:
          `Sends the rows while they are read, up to ${maxStreamDays} days in one request. Also requires the scope ` +
          `${dataScope}. A response without its last chunk is incomplete; a Parquet file then lacks its footer. For ` +
          'longer ranges and resumable downloads use POST /exports. docs/exports.md lists the columns.',
        querystring: Type.Object({
          format: Type.Optional({ ...Format, default: 'parquet' as const }),
          ...rangeFields,
        }),
        response: {
          200: { description: 'The rows, as one file.', content: fileContent },
          ...cpmsErrors('NETWORK_NOT_FOUND', 'TOO_MANY_EXPORTS'),
        },
      },
      handler: async (request, reply) => {
        const { format = exportFormats[0], by = 'occurred', ...range } = request.query;
        const bytes = await open.open(deps, actorOf(request), { dataset, format, by, ...range });
        const day = new Date(range.from).toISOString().slice(0, 10);
        return reply
          .type(exportTypes[format])
          .header('content-disposition', `attachment; filename="${dataset}_${day}.${format}"`)
          .header('cache-control', 'no-store')
          .send(bytes);
      },
    });
  }
}
