import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  Deleted,
  deletion,
} from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, cursorOf, cursorQuery, idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  createExport,
  type ExportWithParts,
  listOperatorExports,
  maxExportDays,
  readExport,
  removeExport,
} from '#api/services/reporting/exports/exports.service.ts';
import { Format, rangeFields } from './export-fields.ts';
import { exportPartRoute } from './export-parts.ts';
import { Dataset, Export, ExportDetails, exportView, partView, State } from './export-view.ts';

const params = idParams('Export');

const details = (record: ExportWithParts) => ({ ...exportView(record), parts: record.parts.map(partView) });

/** Registers the routes of exports to files. */
export function exportRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /exports', 'cpms:write:exports', {
    operationId: 'createExport',
    summary: 'Create an export to files',
    description:
      `A worker makes the files, one for each part of the range, of at most ${maxExportDays} days. Also requires the ` +
      'read scope of the data: cpms:read:sessions for sessions and meter values, cpms:read:ocpi-partners for CDRs.',
    body: Closed({
      dataset: Dataset,
      format: Type.Optional({ ...Format, default: 'parquet' as const }),
      ...rangeFields,
    }),
    response: {
      201: Envelope(ExportDetails, 'The queued export.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'TOO_MANY_EXPORTS'),
    },
    handler: async (request, reply) => {
      const { format = 'parquet', by = 'occurred', ...rest } = request.body;
      const record = await createExport(deps, actorOf(request), { format, by, ...rest });
      return reply.code(201).send(success(details(record)));
    },
  });

  operation(app, 'GET /exports', 'cpms:read:exports', {
    operationId: 'listExports',
    summary: 'List exports, newest first',
    description: 'Exports of data that the caller may read, of no network beyond its own.',
    querystring: Type.Object({ ...cursorQuery, state: Type.Optional(State) }),
    response: { 200: CursorEnvelope(Export, 'One page of exports.'), ...cpmsErrors() },
    handler: async (request) => {
      const { state } = request.query;
      const { rows, nextCursor } = await listOperatorExports(
        deps,
        callerOf(request),
        state,
        cursorOf(request.query),
      );
      return successSlice(rows.map(exportView), nextCursor);
    },
  });

  operation(app, 'GET /exports/:uuid', 'cpms:read:exports', {
    operationId: 'getExport',
    summary: 'Get an export with its stored parts',
    description:
      'Poll it until the export is completed or failed. Stored parts can be downloaded until the export ' +
      'expires.',
    params,
    response: { 200: Envelope(ExportDetails, 'The export.'), ...cpmsErrors('EXPORT_NOT_FOUND') },
    handler: async (request) =>
      success(details(await readExport(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'DELETE /exports/:uuid', 'cpms:write:exports', {
    operationId: 'deleteExport',
    summary: 'Delete an export and its files',
    description: 'A queued or running export is cancelled.',
    params,
    response: {
      200: Deleted('Export', 'The export is deleted.'),
      ...cpmsErrors('EXPORT_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await removeExport(deps, actorOf(request), uuid);
      return deletion(uuid);
    },
  });

  exportPartRoute(app, deps);
}
