import type { MonitorSet } from '#shared/domain/commands/command-effects.ts';
import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';
import { replaceEventStreams } from '#shared/postgres/commands/event-streams.statements.ts';
import { storeSetMonitors } from '#shared/postgres/fleet/device-model.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { streamOf } from '#gateway/ocpp21/event-streams.ts';

/**
 * Stores the monitors that the charger accepted, with the numbers that it gave them. The results are in the order of the request.
 * @param answer of SetVariableMonitoring, or null
 */
export async function storeTakenMonitors(
  sql: Sql,
  chargerId: number,
  monitors: readonly MonitorSet[],
  answer: unknown,
): Promise<void> {
  const { setMonitoringResult: results = [] } = (answer ?? {}) as Partial<
    ResponseOf<DeviceModelVersion, 'SetVariableMonitoring'>
  >;
  const taken = monitors.flatMap((monitor, index) => {
    const result = results[index];
    return result?.status === 'Accepted' && result.id !== undefined
      ? [{ ...monitor, monitorId: result.id }]
      : [];
  });
  await storeSetMonitors(sql, chargerId, taken);
}

/** Replaces the stored streams by the answer of GetPeriodicEventStream. */
export async function storeReportedStreams(
  sql: Sql,
  chargerId: number,
  answer: unknown,
  at: Date,
): Promise<void> {
  const { constantStreamData = [] } = answer as ResponseOf<'2.1', 'GetPeriodicEventStream'>;
  await replaceEventStreams(sql, chargerId, constantStreamData.map(streamOf), at);
}
