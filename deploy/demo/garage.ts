import { setTimeout as sleep } from 'node:timers/promises';
import { between, type Random } from '#shared/simulator/random.ts';
import type { OperatorApi } from './chargers.ts';
import { demoApi } from './demo-api.ts';
import { garage } from './network-plan.ts';

/** Time between two readings of the building's meter in ms. */
const meterEveryMs = 2000;

/** Highest load of the building on each phase in A. */
const buildingAmps = 30;

const rotations = ['RST', 'STR', 'TRS'];

interface ListedCharger {
  id: string;
  locationName: string | null;
  locationUuid: string | null;
}

/** Returns the site with load management of the garage, and creates it if it is missing. */
export async function createGarage({ url, key, networkUuid }: OperatorApi): Promise<{ id: string }> {
  const { get, post } = demoApi(url, key);
  const sites = await get<{ id: string; name: string }[]>('/cpms/v1/load-sites?pageSize=100');
  const stored = sites.find(({ name }) => name === garage.name);
  if (stored !== undefined) return stored;
  const chargers = await get<ListedCharger[]>('/cpms/v1/chargers?pageSize=100');
  const own = chargers.filter(({ locationName }) => locationName === garage.name);
  const found = own.map(({ id }) => get<{ connectors: { id: string }[] }>(`/cpms/v1/chargers/${id}`));
  const connectors = (await Promise.all(found)).flatMap((charger) => charger.connectors);
  const limit = [63, 63, 63];
  return post('/cpms/v1/load-sites', {
    networkUuid,
    name: garage.name,
    locationId: own[0]?.locationUuid ?? null,
    isEnabled: true,
    circuits: [
      {
        id: 'grid',
        name: 'Grid connection',
        parentId: null,
        amps: limit,
        schedule: [],
        otherLoad: { kind: 'metered', amps: limit.map(() => buildingAmps) },
        transformerRatio: null,
      },
    ],
    connectors: connectors.map(({ id }, index) => ({
      connectorId: id,
      circuitId: 'grid',
      rotation: rotations[index % rotations.length],
      maxAmps: 32,
      fallbackAmps: 0,
    })),
  });
}

/** Sends readings of a building whose load changes, as a gateway on site would, until the signal is aborted. */
export async function runBuilding(
  { url, key }: OperatorApi,
  siteId: string,
  { signal, random }: { signal: AbortSignal; random: Random },
): Promise<void> {
  const { put } = demoApi(url, key);
  let amps = [12, 10, 14];
  while (!signal.aborted) {
    // Now and then a lift or an oven starts or stops.
    amps = amps.map((own) => (random() < 0.03 ? between(random, 4, 28) : own + between(random, -0.4, 0.4)));
    const readings = [
      { amps: amps.map((own) => Math.round(Math.min(Math.max(own, 2), buildingAmps) * 10) / 10) },
    ];
    // The API may restart.
    await put(`/cpms/v1/load-sites/${siteId}/circuits/grid/meter`, { readings }).catch(() => undefined);
    await sleep(meterEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
