import type { RPCClient } from 'ocpp-rpc';
import type { Rig, Version } from '#gateway/test/support/rig.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const boot201 = {
  reason: 'PowerUp',
  chargingStation: { vendorName: 'Harbour Electric', model: 'Quay 11' },
};
const boots: Record<Version, object> = {
  'ocpp1.6': { chargePointVendor: 'Harbour Electric', chargePointModel: 'Quay 11' },
  'ocpp2.0.1': boot201,
  'ocpp2.1': boot201,
};

/** Connects a charger that has booted: its OCPP version is stored. */
export async function connectBooted(
  rig: Rig,
  version: Version,
): Promise<{ charger: SeededCharger; client: RPCClient }> {
  const connected = await rig.connect(version);
  await connected.client.call('BootNotification', boots[version]);
  await until('the stored OCPP version', async () => {
    const [row] = await rig.stores.sql<{ version: string | null }[]>`
      select ocpp_version as version from chargers where id = ${connected.charger.id}`;
    return row?.version;
  });
  return connected;
}
