import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { windowQuery } from '#api/routes/analytics-query.ts';
import {
  CsvFile,
  DateTime,
  Decimal,
  Integer,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { csvText, jsonText } from '#api/services/reporting/report-text.ts';
import { openReport, reportTypes } from '#api/services/reporting/reports.service.ts';
import { contentDisposition } from '#api/routes/emsp/kernel/pdf.ts';

const optional = (name: string, schema: object) => ({ [name]: Type.Optional(schema as never) });

/** Columns of the four reports. */
const Row = Type.Object(
  {
    networkId: Uuid('Network identifier.'),
    ...optional('date', Str('Local date on which the sessions ended.', '2026-01-31', { format: 'date' })),
    ...optional('transactionId', Uuid('Transaction identifier.')),
    ...optional('status', Str('Status of the transaction.', 'PAID')),
    ...optional('locationId', Nullable(Uuid('Location identifier. Null when the charger has no location.'))),
    ...optional(
      'locationName',
      Nullable(Str('Name of the location. Null when the charger has no location.', 'Quay')),
    ),
    ...optional('chargerId', Uuid('Charger identifier.')),
    ...optional('chargerUid', Str('OCPP identity of the charger.', 'QUAY-1')),
    ...optional('connectorNumber', Integer('Connector number at the charger, starting at 1.', 1)),
    ...optional('userId', Nullable(Uuid('Driver identifier. Null when the driver is unknown.'))),
    ...optional('userName', Nullable(Str('Name of the driver. Null when unknown.', 'Ada'))),
    ...optional(
      'userEmail',
      Nullable(Str('E-mail address of the driver. Null when unknown.', 'ada@example.org')),
    ),
    ...optional('idTag', Nullable(Str('Token of the session. Null when unknown.', '04A1B2C3D4E5F6'))),
    ...optional('startedAt', DateTime("Time the session started, by the charger's clock.")),
    ...optional('endedAt', DateTime("Time the session ended, by the charger's clock.")),
    ...optional('sessions', Integer('Number of sessions of the row.', 12)),
    ...optional(
      'unpricedSessions',
      Integer('Number of these sessions without a price. No amount includes them.', 0),
    ),
    energyKwh: Decimal('Energy of the session, or of all sessions of the row, in kWh.', 12.5),
    durationSeconds: Integer('Duration of the session, or of all sessions of the row, in seconds.', 4500),
    ...optional('idleSeconds', Integer('Time at the connector without charging, in seconds.', 300)),
    currency: Str(
      'Currency of the amounts (ISO 4217). Amounts in different currencies are never added.',
      'EUR',
    ),
    exclVat: Nullable(
      Decimal(
        'Amount without VAT, in the major unit of the currency. Null when no session of the row has a price.',
        5,
      ),
    ),
    vat: Nullable(
      Decimal('VAT in the major unit of the currency. Null when no session of the row has a price.', 1.05),
    ),
    inclVat: Nullable(
      Decimal(
        'Amount with VAT, in the major unit of the currency. Null when no session of the row has a price.',
        6.05,
      ),
    ),
    ...optional(
      'invoiceNumber',
      Nullable(Str('Invoice number. Null when the session is on no invoice.', '2026-000042')),
    ),
  },
  { title: 'ReportRow', description: 'Row of the report. Its columns depend on the type.' },
);

const Report = Named('Report', {
  type: OneOf(reportTypes, 'Type of the report.'),
  from: DateTime('Start of the window, inclusive.'),
  to: DateTime('End of the window, inclusive.'),
  data: Type.Array(Row, { description: 'Rows by network, then in the order of time.' }),
});

/** Registers the route of reports over completed sessions. */
export function reportRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/reports/export',
    config: { scope: 'emsp:read' },
    // A HEAD request would read the whole report.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportReport',
      summary: 'Export a report over the sessions that ended in a window, as JSON or CSV',
      description:
        'daily-sales, by-location and by-user are sums by network and currency; sessions-summary has a row per ' +
        'session. Operator keys report on their networks. Driver keys report on their own sessions, without ' +
        'by-user and `userId`. The response is streamed; without its last chunk it is incomplete. Sums include a ' +
        'session seconds after its end.',
      querystring: Type.Object({
        type: OneOf(
          reportTypes,
          'Type of the report: sums by local day, by location or by driver, or one row per session.',
        ),
        format: Type.Optional({
          ...OneOf(['json', 'csv'], 'Format of the report.'),
          default: 'json' as const,
        }),
        ...windowQuery,
        networkId: Type.Optional(Uuid('Network to report on. Default: all networks of the key.')),
        locationId: Type.Optional(Uuid('Location to filter by.')),
        userId: Type.Optional(Uuid('Driver to filter by. Operator keys only.')),
        timezone: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'Time zone of the dates (IANA name). Default: the time zone of each network.',
          }),
        ),
      }),
      response: {
        200: {
          description: 'The report.',
          headers: contentDisposition,
          content: {
            'application/json': { schema: Report },
            'text/csv': { schema: CsvFile },
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
