import type { Sql } from '#shared/postgres/kernel/client.ts';

/** A session as PostgreSQL has it. */
export interface OracleSession {
  networkId: number;
  connectorId: number;
  userId: number | null;
  startedAt: Date;
  endedAt: Date | null;
  energyWh: number;
  costMinor: bigint | null;
  idle: { from: string; to: string }[];
}

/** The sessions that count: completed ones, and those that run. */
export async function readSessions(sql: Sql): Promise<OracleSession[]> {
  return sql<OracleSession[]>`
    select network_id as "networkId", connector_id as "connectorId", user_id as "userId",
      started_at as "startedAt", ended_at as "endedAt", energy_wh as "energyWh", cost_minor as "costMinor",
      idle_periods as idle
    from sessions where status in ('COMPLETED', 'ACTIVE')`;
}

/** The sessions that ended in a window, both its times inclusive. */
export function endedWithin(
  sessions: OracleSession[],
  window: { from: string; to: string },
): OracleSession[] {
  return sessions.filter(
    ({ endedAt }) => endedAt !== null && endedAt >= new Date(window.from) && endedAt <= new Date(window.to),
  );
}

export const round = (value: number) => Math.round(value * 100) / 100;

export const kwh = ({ energyWh }: OracleSession) => energyWh / 1000;

export const price = ({ costMinor }: OracleSession) => Number(costMinor ?? 0n) / 100;

/** Returns the total duration of sessions. */
export function minutesOf(sessions: OracleSession[]): number {
  return (
    sessions.reduce((sum, { startedAt, endedAt }) => sum + Number(endedAt) - Number(startedAt), 0) / 60_000
  );
}

/** To 2 decimals. */
export function sumOf(sessions: OracleSession[], amount: (session: OracleSession) => number): number {
  return round(sessions.reduce((total, session) => total + amount(session), 0));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date on which the day, week or month of an instant begins, only by the calendar. */
export function dateOf(time: number, timeZone: string, period: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  formats.set(timeZone, format);
  const local = format.format(time);
  if (period === 'month') return `${local.slice(0, 7)}-01`;
  const day = new Date(`${local}T12:00:00Z`);
  if (period === 'week') while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** The sum of something by date, session by session. */
export function sumByDate(
  sessions: OracleSession[],
  dated: (session: OracleSession) => string,
  amount: (session: OracleSession) => number,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const session of sessions) {
    sums.set(dated(session), (sums.get(dated(session)) ?? 0) + amount(session));
  }
  return sums;
}

const slot = 900_000;

/** The time by date in which a connector charged, cut at each instant at which anything changes. */
export function chargingByDate(
  sessions: OracleSession[],
  window: { from: number; to: number },
  date: (time: number) => string,
): Map<string, number> {
  const now = window.to;
  const charging = sessions.flatMap(({ startedAt, endedAt, idle }) => [
    { time: startedAt.getTime(), change: 1 },
    { time: Math.max(startedAt.getTime(), endedAt?.getTime() ?? now), change: -1 },
    // Idle takes away what the session brought.
    ...idle.flatMap(({ from, to }) => [
      { time: Date.parse(from), change: -1 },
      { time: Date.parse(to), change: 1 },
    ]),
  ]);
  const cuts = [...charging, { time: window.from, change: 0 }, { time: window.to, change: 0 }];
  for (let time = Math.ceil(window.from / slot) * slot; time < window.to; time += slot) {
    cuts.push({ time, change: 0 });
  }
  const sums = new Map<string, number>();
  let count = 0;
  let since = 0;
  for (const { time, change } of cuts.toSorted((a, b) => a.time - b.time)) {
    if (count > 0 && since >= window.from && time <= window.to && time > since) {
      sums.set(date(since), (sums.get(date(since)) ?? 0) + time - since);
    }
    count += change;
    since = time;
  }
  return sums;
}

/** Adds the sums of one connector to those of others. */
export function addTo(sums: Map<string, number>, more: Map<string, number>): void {
  for (const [date, amount] of more) sums.set(date, (sums.get(date) ?? 0) + amount);
}
