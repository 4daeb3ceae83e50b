import { startChargingFleet } from '#bench/charging-fleet.ts';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import type { Scenario } from '#bench/scenario.ts';

/**
 * MeterValues to durable acknowledgement: every station has one message in flight and sends the next when the
 * last is acknowledged, which is when its readings are in ClickHouse.
 */
export const meterValues: Scenario = {
  name: 'meter-values',
  describe:
    'MeterValues and TransactionEvent to durable acknowledgement, closed loop, half of the fleet each version',
  async run(product, load) {
    const fleet = await startChargingFleet(product, load.stations);
    const cpuBefore = product.cpuSeconds();
    const result = await floodMeterValues({
      stations: fleet.stations,
      signal: AbortSignal.timeout(load.seconds * 1000),
      samplesPerMessage: load.samples,
    });
    const cpu = product.cpuSeconds() - cpuBefore;
    const seconds = result.elapsedMs / 1000;
    const resident = product.residentBytes();
    await Promise.all(fleet.stations.map((station) => station.close()));
    return [
      {
        what: 'stations connected, booted and charging',
        value: load.stations / (fleet.startMs / 1000),
        unit: '1/s',
      },
      { what: 'messages acknowledged', value: result.messages / seconds, unit: '1/s' },
      { what: 'rows stored', value: result.samples / seconds, unit: '1/s' },
      { what: 'time to acknowledgement, median', value: result.latencyUs.percentile(50) / 1000, unit: 'ms' },
      {
        what: 'time to acknowledgement, 99th percentile',
        value: result.latencyUs.percentile(99) / 1000,
        unit: 'ms',
      },
      { what: 'messages refused', value: result.errors, unit: '' },
      {
        what: 'CPU per 100,000 messages (gateway and API process)',
        value: (cpu / result.messages) * 1e5,
        unit: 's',
      },
      { what: 'resident memory of that process', value: resident / 2 ** 20, unit: 'MiB' },
    ];
  },
};
