import autocannon from 'autocannon';
import { startChargingFleet } from '#bench/load/charging-fleet.ts';
import { readMeasurements } from '#bench/load/read-measurements.ts';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import type { Measurement, Scenario } from '#bench/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Readings that the session has whose readings are read: one full page of the default limit. */
const readings = 1000;

/** Reads of both API families, one after the other, over data that a fleet made first. */
export const apiReads: Scenario = {
  name: 'api-reads',
  describe: 'reads of chargers, sessions and meter values over HTTP with autocannon',
  async run(bench) {
    const { load } = bench;
    const system = await bench.start('all-in-one');
    const stations = Math.min(load.stations, 200);
    const fleet = await startChargingFleet(system, stations);
    await floodMeterValues({
      stations: fleet.stations,
      messages: (readings / 10) * stations,
      samplesPerMessage: 10,
    });
    await Promise.all(fleet.stations.map((station) => station.close()));

    const sessionId = await firstId(system, '/emsp/v1/charging/sessions?pageSize=1', system.emspKey);
    const chargerId = await firstId(system, '/cpms/v1/chargers?pageSize=1', system.operatorKey);
    const reads = [
      { path: '/cpms/v1/chargers?pageSize=50', key: system.operatorKey },
      { path: `/cpms/v1/chargers/${chargerId}`, key: system.operatorKey },
      { path: '/emsp/v1/charging/sessions?pageSize=50', key: system.emspKey },
      { path: `/emsp/v1/charging/sessions/${sessionId}`, key: system.emspKey },
      { path: `/emsp/v1/charging/sessions/${sessionId}/meter-values`, key: system.emspKey },
    ];
    const measured: Measurement[] = [];
    for (const read of reads) {
      const name = read.path.replaceAll(/[0-9a-f-]{36}/g, '{id}');
      const result = await autocannon({
        url: system.apiUrl + read.path,
        headers: { 'x-api-key': read.key },
        connections: load.connections,
        duration: load.duration,
      });
      measured.push(...readMeasurements(`GET ${name}`, result));
    }
    return { measurements: measured };
  },
};

async function firstId(system: System, path: string, key: string): Promise<string> {
  const response = await fetch(system.apiUrl + path, { headers: { 'x-api-key': key } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  const id = data[0]?.id;
  if (id === undefined) throw new Error(`GET ${path} lists nothing`);
  return id;
}
