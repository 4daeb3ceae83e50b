import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';

/** A reading as it is stored; times are ISO 8601. */
export type StoredSample = Pick<
  MeterSample,
  | 'context'
  | 'energyWh'
  | 'powerW'
  | 'currentA'
  | 'voltageV'
  | 'socPercent'
  | 'temperatureC'
  | 'currentSumA'
  | 'intervalWh'
  | 'extra'
  | 'flags'
> & {
  time: string;
  receivedAt: string;
  origin: string;
};

/** All readings of a session, or of a charger without one, in order of time, repeats collapsed. */
export async function storedSamples(
  clickhouse: ClickHouse,
  key: { chargerId: number; sessionId: string },
): Promise<StoredSample[]> {
  const result = await clickhouse.query({
    query: `
      select time, received_at as receivedAt, context, energy_wh as energyWh, power_w as powerW, current_a as currentA, voltage_v as voltageV,
        soc_percent as socPercent, temperature_c as temperatureC,
        current_sum_a as currentSumA, interval_wh as intervalWh, origin, extra, flags
      from meter_samples final where charger_id = {chargerId:UInt32} and session_id = {sessionId:UUID}
      order by time, evse, connector, context, digest`,
    query_params: key,
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_output_format: 'iso' },
  });
  return result.json<StoredSample>();
}
