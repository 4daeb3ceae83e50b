import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Formed,
  idParams,
  Integer,
  OptionalBody,
  pageSizeUpTo,
} from '#api/routes/schema.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  beginImport,
  cancelImport,
  eachImportRow,
  type ImportRecord,
  readImport,
  readImportPasswords,
  readImportRows,
  readImports,
  uploadImport,
} from '#api/services/imports/imports.service.ts';
import { importDays, importLimits } from '#shared/domain/imports/import.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { csvContent, csvFile, kindNamed } from './import-kinds.ts';
import {
  ImportDetail,
  importDetail,
  ImportItem,
  importItem,
  ImportRow,
  importRow,
  Kind,
  Mapping,
  Outcome,
} from './import-view.ts';

// The scope depends on the kind: the services check it.
const config = { scope: null } as const;
const params = idParams('Import');
const kindOf = ({ kind }: ImportRecord) => kindNamed(kind);

const Begin = OptionalBody(Closed({ mapping: Type.Optional(Mapping) }));

/** Columns that the file of failed rows has in addition to the uploaded columns. */
const added = ['importExtraCells', 'importLine', 'importErrors'];

/** Registers the routes of imports from CSV files. */
export function importRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /imports', config, {
    operationId: 'listImports',
    summary: 'List imports, newest first',
    description: 'Imports of kinds whose write scope the caller has.',
    querystring: Type.Object({ ...networkQuery, ...cursorQuery, kind: Type.Optional(Kind) }),
    response: {
      200: CursorEnvelope(ImportItem, 'One page of imports.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const filter = { networkUuid: networkOf(request.query), kind: request.query.kind };
      const page = await readImports(deps, callerOf(request), filter, cursorOf(request.query));
      return successSlice(page.rows.map(importItem), page.nextCursor);
    },
  });

  operation(app, 'GET /imports/:uuid', config, {
    operationId: 'getImport',
    summary: 'Get an import with its progress',
    description: 'Counts of rows by outcome are updated while a dry run or the import is in progress.',
    params,
    response: { 200: Envelope(ImportDetail, 'The import.'), ...cpmsErrors('IMPORT_NOT_FOUND') },
    handler: async (request) =>
      success(importDetail(await readImport(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'GET /imports/:uuid/rows', config, {
    operationId: 'listImportRows',
    summary: 'List the rows of an import with their results',
    description: `In the order of the file. \`outcome\` filters them. Rows are stored for ${importDays} days.`,
    params,
    querystring: Type.Object({
      outcome: Type.Optional(Outcome),
      afterLine: Type.Optional(
        Integer('Line after which the page begins: `line` of the last row of the page before.', 101, {
          minimum: 0,
          maximum: 2_147_483_647,
        }),
      ),
      pageSize: pageSizeUpTo(500),
    }),
    response: {
      200: Envelope(Type.Array(ImportRow), 'Rows after the line.'),
      ...cpmsErrors('IMPORT_NOT_FOUND'),
    },
    handler: async (request) => {
      const { outcome, afterLine = 0, pageSize = 50 } = request.query;
      const { uuid } = request.params;
      const page = { outcome, afterLine, limit: pageSize };
      const { record, rows } = await readImportRows(deps, callerOf(request), kindOf, uuid, page);
      return success(rows.map((row) => importRow(row, record.mapping)));
    },
  });

  app.route({
    method: 'GET',
    url: '/imports/:uuid/failed-rows',
    config,
    exposeHeadRoute: false,
    schema: {
      operationId: 'downloadFailedImportRows',
      summary: 'Download the failed rows of an import as CSV',
      description:
        'The columns of the file, and the cells beyond them, the line and the errors of each row. The corrected file can be uploaded. Cells with passwords ' +
        'are empty.',
      params,
      response: { 200: csvContent('The failed rows.'), ...cpmsErrors('IMPORT_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { uuid } = request.params;
      const { record } = await readImport(deps, caller, uuid);
      // The file may be the corrected one of an earlier import.
      const places = [...record.header.keys()].filter((index) => !added.includes(record.header[index] ?? ''));
      async function* rows() {
        for await (const batch of eachImportRow(deps, caller, kindOf, uuid, 'failed')) {
          yield batch.map((row) => {
            const { line, cells, errors } = importRow(row, record.mapping);
            const texts = errors.map(({ fileColumn, column, message }) =>
              [fileColumn ?? column, message].filter((text) => text !== null).join(' '),
            );
            const extra = cells.slice(record.header.length).join(record.separator);
            return [...places.map((index) => cells[index] ?? ''), extra, line, texts.join('; ')];
          });
        }
      }
      const columns = [...places.map((index) => record.header[index] ?? ''), ...added];
      const { headers, body } = csvFile(`${record.kind}-failed-rows.csv`, columns, rows(), record.separator);
      return reply.headers(headers).send(body as never);
    },
  });

  app.route({
    method: 'GET',
    url: '/imports/:uuid/passwords',
    config,
    exposeHeadRoute: false,
    schema: {
      operationId: 'downloadImportPasswords',
      summary: 'Download the passwords of imported chargers as CSV',
      description:
        `Passwords that the import generated, with the address of each charger. Stored encrypted for ${importDays} days. The download ` +
        'is recorded in the audit log.',
      params,
      response: { 200: csvContent('The passwords.'), ...cpmsErrors('IMPORT_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const passwords = await readImportPasswords(deps, actorOf(request), kindOf, request.params.uuid);
      async function* rows() {
        yield passwords.map(({ key, password }) => [
          key,
          `${deps.settings.ocppUrl}/${encodeURIComponent(key)}`,
          password,
        ]);
      }
      const columns = ['serial', 'ocppUrl', 'ocppPassword'];
      const { headers, body } = csvFile('charger-passwords.csv', columns, rows());
      return reply.headers(headers).send(body as never);
    },
  });

  for (const [event, operationId, summary, description] of [
    [
      'check',
      'checkImport',
      'Begin a dry run of an import',
      'Every row is processed as by the import, and reverted. The result lists what the import would create, change and refuse.',
    ],
    [
      'apply',
      'applyImport',
      'Begin an import',
      'Rows without errors are applied; failed rows change nothing. A record with the natural key of a row is changed, otherwise a ' +
        'record is created. The authority of the creator is checked again for each row. The same file again changes nothing.',
    ],
  ] as const) {
    operation(app, `POST /imports/:uuid/${event}`, config, {
      operationId,
      summary,
      description,
      params,
      body: Begin,
      response: {
        200: Envelope(ImportDetail, 'The import, in progress.'),
        ...cpmsErrors('IMPORT_NOT_FOUND', 'IMPORT_STATE_CONFLICT'),
      },
      handler: async (request) => {
        const { params, body } = request;
        const by = actorOf(request);
        return success(importDetail(await beginImport(deps, by, kindOf, params.uuid, event, body?.mapping)));
      },
    });
  }

  operation(app, 'POST /imports/:uuid/cancel', config, {
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description: 'No further row is processed. Applied rows stay.',
    params,
    response: {
      200: Envelope(ImportDetail, 'The cancelled import.'),
      ...cpmsErrors('IMPORT_NOT_FOUND', 'IMPORT_STATE_CONFLICT'),
    },
    handler: async (request) =>
      success(importDetail(await cancelImport(deps, actorOf(request), request.params.uuid))),
  });

  // Own scope: this path accepts only CSV, and no other path accepts it.
  app.register(async (files) => uploadRoute(files, deps));
}

function uploadRoute(app: App, deps: ApiDeps): void {
  app.removeAllContentTypeParsers();
  // The service stores the rows while they arrive.
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) => done(notCsv()));
  app.route({
    method: 'POST',
    url: '/imports',
    // Safe to repeat: nothing is imported before `apply`.
    config: { ...config, takesFile: true, idempotent: false },
    schema: {
      operationId: 'createImport',
      summary: 'Upload a CSV file to import',
      description:
        `Stores the rows. Nothing is imported before \`apply\`. UTF-8, with or without a byte order mark; the first line has the ` +
        `names of the columns and determines the separator: comma, semicolon or tab. At most ${importLimits.bytes / 1_048_576} MB and ` +
        `${importLimits.rows.toLocaleString('en')} rows. Requires the write scope of the kind, as \`/import-kinds\` lists it.`,
      querystring: Type.Object({
        ...networkQuery,
        kind: Kind,
        fileName: Type.Optional(
          Formed('a file name of 1 to 200 characters', '^[^\\u0000-\\u001f\\u007f/\\\\]*$', {
            minLength: 1,
            maxLength: 200,
            description: 'Name of the file, for lists and the audit log.',
            examples: ['sites.csv'],
          }),
        ),
      }),
      body: Type.Unsafe<Readable | undefined>({
        content: { 'text/csv': { schema: { description: 'CSV file (RFC 4180).' } } },
      }),
      response: {
        201: Envelope(ImportDetail, 'The import, with the mapping that the names of the columns suggest.'),
        ...cpmsErrors(
          'SCOPE_MISSING',
          'NETWORK_NOT_FOUND',
          'BAD_REQUEST',
          'IMPORT_FILE_INVALID',
          'BODY_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
        ),
      },
    },
    handler: async (request, reply) => {
      const { body, query } = request;
      if (body === undefined || body === null) throw notCsv();
      const { kind, fileName = `${kind}.csv` } = query;
      try {
        const file = { name: fileName, bytes: body };
        const network = networkOf(query);
        const made = await uploadImport(deps, actorOf(request), kindNamed(kind), network, file);
        return reply.code(201).send(success(importDetail(made)));
      } catch (error) {
        // A body that is refused early is not read to its end: the connection closes with the response.
        reply.header('connection', 'close');
        throw error;
      }
    },
  });
}

function notCsv(): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be text/csv.');
}
