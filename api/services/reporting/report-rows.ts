import {
  listReportSums,
  type ReportKey,
  type ReportSum,
} from '#shared/clickhouse/session-reports.queries.ts';
import { bucketsOf, localDate } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import {
  listLocationNames,
  listReportedSessions,
  listUserNames,
  type ReportedSession,
} from '#shared/postgres/reporting/session-reports.statements.ts';
import { toMajor } from '#shared/pricing/money.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { AnalyzedNetwork } from '#shared/postgres/reporting/analytics.statements.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** A row of a report, by the names of its columns; amounts in major units. */
export type ReportRow = Record<string, string | number | null>;

/** Sessions of a report: those of these networks that ended in the window. */
export interface ReportScope {
  networks: readonly (Pick<AnalyzedNetwork, 'id' | 'uuid'> & { timeZone: string })[];
  window: Interval;
  locationId: number | null;
  userId: number | null;
}

/** Key that sums are grouped by. */
export type SumReport = ReportKey;

/**
 * Rows that are read at once: few, since what is held between two reads outlives the young garbage, and large exports would grow
 * the heap by it. No connection is held between two reads, however slowly the client takes the rows; what
 * changes meanwhile may or may not be seen.
 */
const sessionsAtOnce = 50;
const sumsAtOnce = 10_000;

const dayMs = 24 * 3_600_000;

/** One row for each session, by network in the order of their ends. */
export async function* sessionRows(
  { staleReads }: Pick<ServiceDeps, 'staleReads'>,
  { networks, window, locationId, userId }: ReportScope,
): AsyncGenerator<ReportRow[], void, undefined> {
  for (const { id: networkId, uuid, timeZone } of networks) {
    let after: ReportedSession | null = null;
    do {
      const filter = { networkId, window, locationId, userId };
      const next = after;
      const sessions: ReportedSession[] = await staleReads.read((sql) =>
        listReportedSessions(sql, filter, next, sessionsAtOnce),
      );
      if (sessions.length > 0) yield sessions.map((session) => sessionRow(session, uuid, timeZone));
      after = sessions.length < sessionsAtOnce ? null : (sessions.at(-1) ?? null);
    } while (after !== null);
  }
}

function sessionRow(session: ReportedSession, networkId: string, timeZone: string): ReportRow {
  const { startedAt, endedAt, currency, exclVatMinor, inclVatMinor } = session;
  return {
    date: localDate(endedAt.getTime(), timeZone),
    transactionId: session.uuid,
    status: session.billing,
    networkId,
    locationId: session.locationUuid,
    locationName: session.locationName,
    chargerId: session.chargerUuid,
    chargerUid: session.chargerUid,
    connectorNumber: session.connectorNumber,
    userId: session.userUuid,
    idTag: session.idToken,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    durationSeconds: Math.max(0, Math.round((endedAt.getTime() - startedAt.getTime()) / 1000)),
    energyKwh: Math.round(session.energyWh * 1000) / 1_000_000,
    ...amounts(exclVatMinor, inclVatMinor, currency),
    invoiceNumber: session.invoiceNumber,
  };
}

/** Sums by network, key and currency; networks of one time zone together. */
export async function* sumRows(
  deps: Pick<ServiceDeps, 'staleReads' | 'clickhouse'>,
  { networks, window, locationId, userId }: ReportScope,
  by: SumReport,
): AsyncGenerator<ReportRow[], void, undefined> {
  const uuids = new Map(networks.map(({ id, uuid }) => [id, uuid]));
  for (const [timeZone, inZone] of Map.groupBy(networks, ({ timeZone }) => timeZone)) {
    const days = by === 'date' ? daysOf(window, timeZone) : [];
    const filter = { networkIds: inZone.map(({ id }) => id), window, days, locationId, userId };
    let after: ReportSum | null = null;
    do {
      const sums: ReportSum[] = await fromClickHouse(
        listReportSums(deps.clickhouse, by, filter, after, sumsAtOnce),
      );
      const named = await namesOf(deps, by, timeZone, sums);
      if (sums.length > 0) {
        yield sums.map((sum) => ({
          networkId: uuids.get(sum.networkId) ?? null,
          ...named(sum.key),
          ...totals(sum),
        }));
      }
      after = sums.length < sumsAtOnce ? null : (sums.at(-1) ?? null);
    } while (after !== null);
  }
}

/**
 * Returns the beginnings of the days by `calendar.ts`, as in analytics: ClickHouse has time zone data of its
 * own, possibly of another year. No session ends later than a clock can run ahead.
 */
function daysOf({ from, to }: Interval, timeZone: string): number[] {
  const end = Math.min(to, Date.now() + dayMs);
  return from < end ? bucketsOf({ from, to: end }, 'day', timeZone).map((day) => day.from) : [from];
}

/** The columns that say what a sum is of. */
async function namesOf(
  { staleReads }: Pick<ServiceDeps, 'staleReads'>,
  by: SumReport,
  timeZone: string,
  sums: readonly ReportSum[],
): Promise<(key: string) => ReportRow> {
  if (by === 'date') return (start) => ({ date: localDate(Number(start), timeZone) });
  const ids = [...new Set(sums.map(({ key }) => Number(key)))];
  if (by === 'location') {
    const locations = await staleReads.read((sql) => listLocationNames(sql, ids));
    return (key) => {
      const location = locations.get(Number(key));
      return { locationId: location?.uuid ?? null, locationName: location?.name ?? null };
    };
  }
  const users = await staleReads.read((sql) => listUserNames(sql, ids));
  return (key) => {
    const user = users.get(Number(key));
    return { userId: user?.uuid ?? null, userName: user?.name ?? null, userEmail: user?.email ?? null };
  };
}

function totals(sum: ReportSum): ReportRow {
  return {
    sessions: sum.sessions,
    unpricedSessions: sum.unpricedSessions,
    energyKwh: sum.energyMilliWh / 1_000_000,
    durationSeconds: Math.round(sum.durationMs / 1000),
    idleSeconds: Math.round(sum.idleMs / 1000),
    ...amounts(sum.exclVatMinor, sum.inclVatMinor, sum.currency),
  };
}

function amounts(exclVatMinor: bigint | null, inclVatMinor: bigint | null, currency: string) {
  const isPriced = exclVatMinor !== null && inclVatMinor !== null;
  return {
    currency,
    exclVat: isPriced ? toMajor(exclVatMinor, currency) : null,
    vat: isPriced ? toMajor(inclVatMinor - exclVatMinor, currency) : null,
    inclVat: isPriced ? toMajor(inclVatMinor, currency) : null,
  };
}
