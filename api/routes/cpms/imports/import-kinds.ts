import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { CsvFile } from '#api/routes/schema.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { requireOperator } from '#api/services/access/callers.ts';
import type { ImportKind } from '#api/services/imports/kind.ts';
import { csvBytes, withByteOrderMark } from '#api/services/reporting/exports/csv-bytes.ts';
import { type ImportKindName, importScopes } from '#shared/domain/imports/import.ts';
import type { ExportRow } from '#shared/domain/reporting/export.ts';
import { Kind, ImportKindView, kindView } from './import-view.ts';
import { importKinds } from './kinds/index.ts';

/** Returns the kind of a name. */
export function kindNamed(kind: ImportKindName): ImportKind {
  const found = importKinds.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`no kind of import is named ${kind}`);
  return found;
}

/** Content of a response that is a CSV file. */
export const csvContent = (description: string) => ({
  description,
  content: { 'text/csv': { schema: CsvFile } },
});

/** Returns headers and body of a CSV file for people. */
export function csvFile(
  name: string,
  columns: readonly string[],
  batches: AsyncIterable<ExportRow[]>,
  separator?: string,
): { headers: Record<string, string>; body: Readable } {
  const named = columns.map((column) => ({ name: column }));
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
    body: Readable.from(withByteOrderMark(csvBytes(named, batches, separator)), { highWaterMark: 1 }),
  };
}

/** Registers the routes of the kinds of imports and their templates. */
export function importKindRoutes(app: App): void {
  operation(app, 'GET /import-kinds', null, {
    operationId: 'listImportKinds',
    summary: 'List the kinds of records that can be imported, with their columns',
    description: 'In the order in which they refer to each other: chargers refer to locations.',
    response: { 200: Envelope(Type.Array(ImportKindView), 'The kinds.'), ...cpmsErrors() },
    handler: async (request) => {
      requireOperator(callerOf(request));
      return success(importKinds.map((kind) => kindView(kind, importScopes[kind.name])));
    },
  });

  app.route({
    method: 'GET',
    url: '/import-kinds/:name/template',
    config: { scope: null },
    exposeHeadRoute: false,
    schema: {
      operationId: 'downloadImportTemplate',
      summary: 'Download a CSV template',
      description: 'A header line with all columns of the kind, and a row with examples.',
      params: Type.Object({ name: Kind }),
      response: { 200: csvContent('The template.'), ...cpmsErrors() },
    },
    handler: async (request, reply) => {
      requireOperator(callerOf(request));
      const { name, columns } = kindNamed(request.params.name);
      async function* rows() {
        yield [Object.values(columns).map(({ example }) => example)];
      }
      const { headers, body } = csvFile(`${name}.csv`, Object.keys(columns), rows());
      return reply.headers(headers).send(body as never);
    },
  });
}
