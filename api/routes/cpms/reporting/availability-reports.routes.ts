import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import { CsvFile, DateTime, Formed, OneOf, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  maxIntervalDays,
  listOutages,
  maxNetworkDays,
  maxOutageDays,
  readOutages,
  readRegulatedReport,
  readSlots,
} from '#api/services/reporting/availability-reports.service.ts';
import { csvBytes, withByteOrderMark } from '#api/services/reporting/exports/csv-bytes.ts';
import { type Regulation, regulatedDefinitions } from '#shared/domain/reporting/availability/definition.ts';
import { periodPattern } from '#shared/domain/reporting/availability/report-period.ts';
import type { ExportValue } from '#shared/domain/reporting/export.ts';
import {
  Outage,
  outageColumns,
  outageView,
  Report,
  reportColumns,
  reportView,
  slotColumns,
} from './availability-report-view.ts';

const regulations = Object.keys(regulatedDefinitions) as Regulation[];

const params = Type.Object({
  regulation: OneOf(
    regulations,
    'Rules. uk: Public Charge Point Regulations 2023, public EVSEs of at least 50 kW in a year. us: 23 CFR 680.116, the twelve months that ' +
      'end with a month. california: AB 2061, a year.',
  ),
});

const reportQuery = Type.Object({
  ...networkQuery,
  period: Formed('a year such as 2025, a quarter such as 2025-Q4 or a month such as 2025-12', periodPattern, {
    description:
      'Year of uk and california; last month of us. A period that is not over is measured until now, and `isComplete` is false.',
    examples: ['2025'],
  }),
});

const outageQuery = {
  ...networkQuery,
  chargerId: Type.Optional(Uuid('Charger of the EVSEs.')),
  locationId: Type.Optional(Uuid('Location of the EVSEs.')),
  from: DateTime('Begin of the window.'),
};

const csvResponse = (description: string) => ({
  200: { description, content: { 'text/csv': { schema: CsvFile } } },
  ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
});

const config = { scope: 'cpms:read:analytics' } as const;

/** Registers the routes of reports that regulators require. */
export function availabilityReportRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /availability-reports/:regulation', config, {
    operationId: 'getAvailabilityReport',
    summary: 'Get the availability of EVSEs by the rules of a regulator',
    description:
      'UK: UNKNOWN, also offline, is not measured, only opening hours count, and no cause is excluded. US: `(525,600 - (outage - excluded)) / ' +
      '525,600` per port. California: as the US, over a calendar year, with at most 10 days of vandalism and 72 hours of maintenance.',
    params,
    querystring: reportQuery,
    response: {
      200: Envelope(Report, 'The report.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const query = { networkUuid: networkOf(request.query), period: request.query.period };
      return success(
        reportView(await readRegulatedReport(deps, callerOf(request), request.params.regulation, query)),
      );
    },
  });

  app.route({
    method: 'GET',
    url: '/availability-reports/:regulation/export',
    config,
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportAvailabilityReport',
      summary: 'Export the availability of EVSEs by the rules of a regulator as CSV',
      description: 'One line for each EVSE, with the values of `GET /availability-reports/{regulation}`.',
      params,
      querystring: reportQuery,
      response: csvResponse('The EVSEs, one on each line.'),
    },
    handler: async (request, reply) => {
      const { regulation } = request.params;
      const { period } = request.query;
      const query = { networkUuid: networkOf(request.query), period };
      const { ports } = await readRegulatedReport(deps, callerOf(request), regulation, query);
      return sendCsv(reply, `availability-${regulation}-${period}`, reportColumns, oneBatch(ports));
    },
  });

  operation(app, 'GET /evse-outages', config, {
    operationId: 'listEvseOutages',
    summary: 'List the outages of EVSEs',
    description: `Time without a connection, inoperative, out of order, or without a known status, with the entered cause, from the first report of the EVSE on. At most ${maxOutageDays} days, and at most ${maxNetworkDays} without \`chargerId\` or \`locationId\`: the export has all outages of a network.`,
    querystring: Type.Object({ ...outageQuery, to: DateTime('End of the window.') }),
    response: {
      200: Envelope(Type.Array(Outage), 'The outages, by EVSE and time.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const outages = await listOutages(deps, callerOf(request), windowOf(request.query));
      return success(outages.map(outageView));
    },
  });

  app.route({
    method: 'GET',
    url: '/evse-outages/export',
    config,
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportEvseOutages',
      summary: 'Export the outages of EVSEs as CSV',
      description: `One line for each outage, with the values of \`GET /evse-outages\`. At most ${maxOutageDays} days. A response without its last chunk is incomplete.`,
      querystring: Type.Object({ ...outageQuery, to: DateTime('End of the window.') }),
      response: csvResponse('The outages, one on each line.'),
    },
    handler: async (request, reply) => {
      const outages = await readOutages(deps, callerOf(request), windowOf(request.query));
      return sendCsv(reply, 'outages', outageColumns, outages);
    },
  });

  app.route({
    method: 'GET',
    url: '/evse-intervals/export',
    config,
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportEvseIntervals',
      summary: 'Export the availability of EVSEs in intervals of 15 or 60 minutes as CSV',
      description: `Outages as in \`GET /evse-outages\`. At most ${maxIntervalDays} days. A response without its last chunk is incomplete.`,
      querystring: Type.Object({
        ...outageQuery,
        to: DateTime('End of the window.'),
        minutes: Type.Optional(
          Type.Unsafe<15 | 60>({
            type: 'integer',
            enum: [15, 60],
            default: 15,
            description: 'Length of the intervals in minutes.',
            examples: [15],
          }),
        ),
      }),
      response: csvResponse('The intervals, one on each line.'),
    },
    handler: async (request, reply) => {
      const { minutes = 15 } = request.query;
      const query = { ...windowOf(request.query), minutes };
      return sendCsv(reply, 'intervals', slotColumns, await readSlots(deps, callerOf(request), query));
    },
  });
}

function windowOf(query: {
  networkId?: string;
  networkUuid?: string;
  chargerId?: string;
  locationId?: string;
  from: string;
  to: string;
}) {
  const { chargerId, locationId, from, to } = query;
  const window = { from: new Date(from), to: new Date(to) };
  return { ...window, networkUuid: networkOf(query), chargerUuid: chargerId, locationUuid: locationId };
}

// oxlint-disable-next-line typescript/require-await -- batches are an async iterable
async function* oneBatch<Row>(rows: Row[]): AsyncGenerator<Row[], void, undefined> {
  yield rows;
}

function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: Record<string, (row: Row) => ExportValue>,
  batches: AsyncIterable<Row[]>,
) {
  async function* rows() {
    for await (const batch of batches)
      yield batch.map((row) => Object.values(columns).map((value) => value(row)));
  }
  const names = Object.keys(columns).map((column) => ({ name: column }));
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(withByteOrderMark(csvBytes(names, rows())), { highWaterMark: 1 }));
}
