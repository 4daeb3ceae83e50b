import { type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { api, type Schemas } from '../../api/client.ts';

/** Usual kinds of connectors. */
export const connectorKinds = {
  ac11: {
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    powerType: 'AC_3_PHASE',
    maxVoltage: 230,
    maxAmperage: 16,
    maxPower: 11,
  },
  ac22: {
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    powerType: 'AC_3_PHASE',
    maxVoltage: 230,
    maxAmperage: 32,
    maxPower: 22,
  },
  dc50: {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    powerType: 'DC',
    maxVoltage: 500,
    maxAmperage: 125,
    maxPower: 50,
  },
  dc150: {
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    powerType: 'DC',
    maxVoltage: 920,
    maxAmperage: 350,
    maxPower: 150,
  },
} as const;
export type ConnectorKind = keyof typeof connectorKinds;

/** New charger with equal connectors. */
export interface ChargerDraft {
  serial: string;
  locationUuid: string | undefined;
  modelUuid: string | undefined;
  ocppVersion: OcppVersion;
  connectors: number;
  kind: ConnectorKind;
}

/** Registers a charger, which has no connectors yet. */
export function registerCharger(
  networkUuid: string,
  { serial, locationUuid, modelUuid, ocppVersion }: ChargerDraft,
): Promise<Schemas['CreatedCharger']> {
  return api.POST('/cpms/v1/chargers', {
    body: { networkUuid, serial, ocppVersion, locationUuid, modelUuid },
  });
}

/** Adds the connectors that a registered charger lacks. It can be repeated after a failure. */
export async function addConnectors(uuid: string, { connectors, kind }: ChargerDraft): Promise<void> {
  const params = { path: { uuid } };
  const charger = await api.GET('/cpms/v1/chargers/{uuid}', { params });
  const present = new Set(charger.connectors.map(({ number }) => number));
  for (let connectorNumber = 1; connectorNumber <= connectors; connectorNumber += 1) {
    if (present.has(connectorNumber)) continue;
    await api.POST('/cpms/v1/chargers/{uuid}/connectors', {
      params,
      body: { connectorNumber, ...connectorKinds[kind] },
    });
  }
}

/** Creates a tariff with a price for energy, which applies nowhere yet. */
export function createTariff(
  networkUuid: string,
  { name, price, vat }: { name: string; price: number; vat: number | null },
): Promise<Schemas['Tariff']> {
  const component = { type: 'ENERGY' as const, price, step_size: 1, ...(vat !== null && { vat }) };
  return api.POST('/cpms/v1/tariffs', {
    body: { networkUuid, name, elements: [{ price_components: [component] }] },
  });
}

/** Assigns a tariff to a network. */
export const assignTariff = (tariffUuid: string, networkUuid: string) =>
  api.POST('/cpms/v1/tariff-assignments', { body: { tariffUuid, networkUuid } });

/** Connects a simulated charger in the place of one that is not connected. */
export const simulate = (uuid: string, ocppPassword: string) =>
  api.POST('/cpms/v1/chargers/{uuid}/simulation', { params: { path: { uuid } }, body: { ocppPassword } });

/** Starts a session at a connector. */
export const startSession = (chargerUuid: string, connectorNumber: number) =>
  api.POST('/cpms/v1/chargers/{chargerUuid}/remote-start', {
    params: { path: { chargerUuid } },
    body: { connectorNumber },
  });
