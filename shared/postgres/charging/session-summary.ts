import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { DuringWindow } from './session-during.ts';
import { matchingSessions, type SessionFilter } from './session-records.ts';

/** Sums of sessions. */
export interface SessionSummary {
  count: number;
  runningCount: number;
  inReviewCount: number;
  energyWh: number;
  /** By currency, in the order of their codes. */
  costs: SessionCostSum[];
}

/** Sums of the stored prices of one currency, with VAT, in its minor unit. */
export interface SessionCostSum {
  currency: string;
  /** Sessions with a price that is not in review. */
  pricedCount: number;
  inclVatMinor: bigint;
  /** Sum of the prices in review, which is not in `inclVatMinor`. */
  inReviewInclVatMinor: bigint;
}

type Row = Omit<SessionSummary, 'costs'> & SessionCostSum;

/** Sums the sessions in scope that match a filter. Running sessions have no stored price. */
export async function summarizeSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter,
): Promise<SessionSummary> {
  const rows = await sql<Row[]>`
    select s.currency, count(*)::integer as count, sum(s.energy_wh) as "energyWh",
      (count(*) filter (where s.status in ('ACTIVE', 'STOPPING')))::integer as "runningCount",
      (count(*) filter (where s.price_state = 'REVIEW'))::integer as "inReviewCount",
      (count(s.cost_minor) filter (where s.price_state <> 'REVIEW'))::integer as "pricedCount",
      coalesce(sum(s.cost_minor) filter (where s.price_state <> 'REVIEW'), 0)::bigint as "inclVatMinor",
      coalesce(sum(s.cost_minor) filter (where s.price_state = 'REVIEW'), 0)::bigint as "inReviewInclVatMinor"
    from sessions s where ${matchingSessions(sql, scope, filter)}
    group by s.currency order by s.currency`;
  const sum = (value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    count: sum(({ count }) => count),
    runningCount: sum(({ runningCount }) => runningCount),
    inReviewCount: sum(({ inReviewCount }) => inReviewCount),
    energyWh: sum(({ energyWh }) => energyWh),
    costs: rows
      .filter(
        ({ inclVatMinor, inReviewInclVatMinor, pricedCount }) =>
          pricedCount > 0 || inclVatMinor + inReviewInclVatMinor > 0n,
      )
      .map(({ currency, pricedCount, inclVatMinor, inReviewInclVatMinor }) => ({
        currency,
        pricedCount,
        inclVatMinor,
        inReviewInclVatMinor,
      })),
  };
}

/** Session that charged before or after a window too. */
export interface CutSession {
  uuid: string;
  chargerId: number;
  startedAt: Date;
  /** Time of the latest known energy. */
  countedAt: Date;
  energyWh: number;
}

/** Returns the sessions of a filter that charged before or after its window too. */
export async function findCutSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter & { during: DuringWindow },
): Promise<CutSession[]> {
  const { from, to } = filter.during;
  return sql<CutSession[]>`
    select s.uuid, s.charger_id as "chargerId", s.started_at as "startedAt", s.energy_wh as "energyWh",
      coalesce(s.ended_at, s.live_at, now()) as "countedAt"
    from sessions s where ${matchingSessions(sql, scope, filter)}
      and (s.started_at < ${from} or coalesce(s.ended_at, s.live_at, now()) > ${to})`;
}
