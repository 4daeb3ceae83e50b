import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { windowQuery } from '#api/routes/analytics-query.ts';
import { DateTime, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { csvText, jsonText } from '#api/services/reporting/report-text.ts';
import { openReport, reportTypes } from '#api/services/reporting/reports.ts';
import { contentDisposition } from '#api/routes/emsp/kernel/pdf.ts';

const optional = (name: string, schema: object) => ({ [name]: Type.Optional(schema as never) });

/** All that rows of the four reports may have. */
const Row = Type.Object(
  {
    networkId: Uuid(),
    ...optional('date', Type.String({ format: 'date', description: 'Local, of the end of the sessions' })),
    ...optional('transactionId', Uuid()),
    ...optional('status', Type.String({ description: 'As of transactions' })),
    ...optional('locationId', Nullable(Uuid())),
    ...optional('locationName', Nullable(Type.String())),
    ...optional('chargerId', Uuid()),
    ...optional('chargerUid', Type.String()),
    ...optional('connectorNumber', Type.Integer()),
    ...optional('userId', Nullable(Uuid('Null: no driver who is known'))),
    ...optional('userName', Nullable(Type.String())),
    ...optional('userEmail', Nullable(Type.String())),
    ...optional('idTag', Nullable(Type.String())),
    ...optional('startedAt', DateTime()),
    ...optional('endedAt', DateTime()),
    ...optional('sessions', Type.Integer()),
    ...optional('unpricedSessions', Type.Integer({ description: 'Of these; they are in no amount' })),
    energyKwh: Type.Number(),
    durationSeconds: Type.Integer(),
    ...optional('idleSeconds', Type.Integer()),
    currency: Type.String({ description: 'Of the amounts, in its major unit: never added to others' }),
    exclVat: Nullable(Type.Number()),
    vat: Nullable(Type.Number()),
    inclVat: Nullable(Type.Number()),
    ...optional('invoiceNumber', Nullable(Type.String())),
  },
  { title: 'ReportRow', description: 'The columns depend on the type' },
);

const Report = Named('Report', {
  type: OneOf(reportTypes, 'What was asked for'),
  from: DateTime('Inclusive'),
  to: DateTime('Inclusive'),
  data: Type.Array(Row, { description: 'By network; days and sessions in the order of time' }),
});

/** Reports over completed sessions, as large as they get. */
export function reportRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/reports/export',
    config: { scope: 'emsp:read' },
    // It would read the whole report for nobody.
    exposeHeadRoute: false,
    schema: {
      tags: ['reporting'],
      operationId: 'exportReport',
      summary: 'A report over the sessions that ended in a window, as JSON or CSV',
      description:
        'daily-sales, by-location and by-user are sums by network and currency; sessions-summary has a row for each ' +
        'session. Operator keys report on their networks, driver keys on their own sessions: not by-user and not with ' +
        '`userId`. The answer is streamed; one that breaks off (its last chunk is missing) is incomplete. Sums follow the ' +
        'sessions by seconds. Text that a spreadsheet would run as a formula has an apostrophe in front in CSV.',
      querystring: Type.Object({
        type: OneOf(reportTypes, 'Sums by local day, by location or by driver; or one row for each session'),
        format: Type.Optional({ ...OneOf(['json', 'csv'], 'How it is written'), default: 'json' as const }),
        ...windowQuery,
        networkId: Type.Optional(Uuid('Without it all networks of the key')),
        locationId: Type.Optional(Uuid('Sessions at the chargers of this location')),
        userId: Type.Optional(Uuid('Operator keys alone')),
        timezone: Type.Optional(
          Type.String({
            maxLength: 64,
            description: "IANA name, of the dates; without it each network's own",
          }),
        ),
      }),
      response: {
        200: {
          description: 'The report',
          headers: contentDisposition,
          content: {
            'application/json': { schema: Report },
            'text/csv': { schema: Type.String({ description: 'RFC 4180, UTF-8, with a line of names' }) },
          },
        },
        ...problems(
          'Report',
          'OPERATOR_KEY_REQUIRED',
          'NETWORK_NOT_FOUND',
          'LOCATION_NOT_FOUND',
          'USER_NOT_FOUND',
        ),
      },
    },
    handler: async (request, reply) => {
      const report = await openReport(deps, callerOf(request), request.query);
      const isCsv = request.query.format === 'csv';
      const days = `${report.from.toISOString().slice(0, 10)}_${report.to.toISOString().slice(0, 10)}`;
      const fileName = `${report.type}_${days}.${isCsv ? 'csv' : 'json'}`;
      return reply
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'no-store')
        .type(isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
        .send(Readable.from(isCsv ? csvText(report) : jsonText(report), { highWaterMark: 1 }) as never);
    },
  });
}
