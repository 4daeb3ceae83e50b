import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import { listAnalyzedNetworks } from '#shared/postgres/reporting/analytics.statements.ts';
import {
  findReportedLocation,
  findReportedUser,
} from '#shared/postgres/reporting/session-reports.statements.ts';
import { instantsOf, windowOf } from './analytics-window.ts';
import { type Caller, requireOperator } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { begun } from '#api/services/kernel/begun.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { type ReportRow, type ReportScope, type SumReport, sessionRows, sumRows } from './report-rows.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';

export type { ReportRow } from './report-rows.ts';

/** Sums by local day, by location, by driver; or one row for each session. */
export const reportTypes = ['daily-sales', 'by-location', 'by-user', 'sessions-summary'] as const;
type ReportType = (typeof reportTypes)[number];

/** Report request; both times inclusive. */
interface ReportQuery {
  type: ReportType;
  from?: string | undefined;
  to?: string | undefined;
  networkId?: string | undefined;
  locationId?: string | undefined;
  userId?: string | undefined;
  /** IANA name; undefined: of each network its own. */
  timezone?: string | undefined;
}

/** A report whose rows are read as they are taken: never more than a batch of them is held. */
export interface Report {
  type: ReportType;
  from: Date;
  to: Date;
  rows: AsyncIterable<ReportRow[]>;
}

const sums: Record<Exclude<ReportType, 'sessions-summary'>, SumReport> = {
  'daily-sales': 'date',
  'by-location': 'location',
  'by-user': 'user',
};

/**
 * Opens a report over the sessions that ended in a window: of an operator's networks, or a driver's own. Its
 * first rows are read before the response starts, so that a failure is answered as an error; a later failure
 * ends the rows.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED, NETWORK_NOT_FOUND, LOCATION_NOT_FOUND, USER_NOT_FOUND,
 * VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function openReport(deps: ServiceDeps, caller: Caller, query: ReportQuery): Promise<Report> {
  const { type } = query;
  // Whose sessions are whose is the business of operators.
  if (type === 'by-user' || query.userId !== undefined) requireOperator(caller);
  requireTimeZone(query.timezone, { part: 'query', field: 'timezone' });
  const window = windowOf(query);
  const scope = await scopeOf(deps, caller, query, instantsOf(window));
  const rows = type === 'sessions-summary' ? sessionRows(deps, scope) : sumRows(deps, scope, sums[type]);
  return { type, ...window, rows: await begun(rows) };
}

async function scopeOf(
  deps: ServiceDeps,
  caller: Caller,
  query: ReportQuery,
  window: Interval,
): Promise<ReportScope> {
  const { sql } = deps;
  const networks = await listAnalyzedNetworks(sql, await networksOfCall(deps, caller, query.networkId));
  const ids = networks.map(({ id }) => id);
  const { locationId, userId, timezone } = query;
  const location = locationId === undefined ? null : await findReportedLocation(sql, ids, locationId);
  if (locationId !== undefined && location === null) {
    throw new DomainError('LOCATION_NOT_FOUND', `There is no location ${locationId}.`);
  }
  const user = userId === undefined ? caller.userId : await findReportedUser(sql, ids, userId);
  if (userId !== undefined && user === null) {
    throw new DomainError('USER_NOT_FOUND', `There is no driver ${userId}.`);
  }
  return {
    networks: networks.map(({ id, uuid, timeZone }) => ({ id, uuid, timeZone: timezone ?? timeZone })),
    window,
    locationId: location,
    userId: user,
  };
}
