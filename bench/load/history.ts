import { setTimeout as wait } from 'node:timers/promises';
import type { Station } from '#shared/simulator/station.ts';
import type { HistorySize, OwnSystem, System } from '#bench/system/system.ts';
import { startChargingFleet } from './charging-fleet.ts';
import { requestJson } from './http.ts';

/** Makes sessions of an hour, which ended just now, one at each new charger; returns the stations that had them. */
export async function makeModels(system: System, models: number): Promise<Station[]> {
  const stations = await startChargingFleet(system, models, new Date(Date.now() - 3_600_000));
  await Promise.all(
    stations.map((station, index) => station.stopSession({ meterStopWh: 8_000 + 40 * index })),
  );
  await untilCount(system, models);
  return stations;
}

/** Fills the network with copies of sessions that `makeModels` made. */
export async function fillYear(
  system: OwnSystem,
  size: Pick<HistorySize, 'sessions' | 'readings' | 'manyReadings'>,
): Promise<void> {
  await system.fillHistory({
    ...size,
    drivers: Math.ceil(size.sessions / 10),
    meteredSessions: Math.min(1000, size.sessions),
  });
}

/** Resolves when analytics count that many sessions. */
export async function untilCount(system: System, sessions: number): Promise<void> {
  for (let count = 0; count < sessions;) {
    await wait(500);
    const path = `/emsp/v1/analytics/sessions?period=month&from=${daysAgo(366)}&to=${daysAgo(-1)}`;
    count = (await requestJson<{ totalSessions: number }>(system, system.emspKey, path)).totalSessions;
  }
}

/** Returns a time that many days ago (RFC 3339). */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
