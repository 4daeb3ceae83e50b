import autocannon from 'autocannon';
import { startChargingFleet } from '#bench/charging-fleet.ts';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import type { Product } from '#bench/product.ts';
import type { Measurement, Scenario } from '#bench/scenario.ts';

/** Readings that the session has whose readings are read: one full page of the default limit. */
const readings = 1000;

/** Reads of both API families, one after the other, over data that a fleet made first. */
export const apiReads: Scenario = {
  name: 'api-reads',
  describe: 'reads of chargers, sessions and meter values over HTTP with autocannon',
  async run(product, load) {
    const stations = Math.min(load.stations, 200);
    const fleet = await startChargingFleet(product, stations);
    await floodMeterValues({
      stations: fleet.stations,
      messages: (readings / 10) * stations,
      samplesPerMessage: 10,
    });
    await Promise.all(fleet.stations.map((station) => station.close()));

    const sessionId = await firstId(product, '/emsp/v1/charging/sessions?pageSize=1', product.emspKey);
    const chargerId = await firstId(product, '/cpms/v1/chargers?pageSize=1', product.operatorKey);
    const reads = [
      { path: '/cpms/v1/chargers?pageSize=50', key: product.operatorKey },
      { path: `/cpms/v1/chargers/${chargerId}`, key: product.operatorKey },
      { path: '/emsp/v1/charging/sessions?pageSize=50', key: product.emspKey },
      { path: `/emsp/v1/charging/sessions/${sessionId}`, key: product.emspKey },
      { path: `/emsp/v1/charging/sessions/${sessionId}/meter-values`, key: product.emspKey },
    ];
    const measured: Measurement[] = [];
    for (const read of reads) {
      const name = read.path.replaceAll(/[0-9a-f-]{36}/g, '{id}');
      const result = await autocannon({
        url: product.apiUrl + read.path,
        headers: { 'x-api-key': read.key },
        connections: load.connections,
        duration: load.seconds,
      });
      measured.push(
        { what: `GET ${name}`, value: result.requests.average, unit: '1/s' },
        { what: `GET ${name}, median`, value: result.latency.p50, unit: 'ms' },
        { what: `GET ${name}, 99th percentile`, value: result.latency.p99, unit: 'ms' },
        { what: `GET ${name}, not 2xx or failed`, value: result.non2xx + result.errors, unit: '' },
      );
    }
    return measured;
  },
};

async function firstId(product: Product, path: string, key: string): Promise<string> {
  const response = await fetch(product.apiUrl + path, { headers: { 'x-api-key': key } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  const id = data[0]?.id;
  if (id === undefined) throw new Error(`GET ${path} lists nothing`);
  return id;
}
