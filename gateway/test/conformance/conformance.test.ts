import t from 'tap';
import { startOperatedRig } from '#api/test/support/operated-rig.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { contractEvidence } from './contracts.ts';
import { play, proxySecret } from './play.ts';
import { profiles } from './profiles.ts';

void t.test('cases of the certification', async (t) => {
  const rig = await startOperatedRig(t, { TRUSTED_PROXIES: '127.0.0.1', PROXY_SECRET: proxySecret });
  const { sql } = rig.stores;
  for (const token of [
    { uid: 'CARD' },
    { uid: 'CARD-2' },
    { uid: 'BLOCKED', isValid: false },
    { uid: 'EXPIRED', expiresAt: new Date(Date.now() - 1000) },
    { uid: 'NLHRBC00000042' },
    { uid: 'GROUP-CARD', groupId: 'GROUP' },
    { uid: 'GROUP-CARD-2', groupId: 'GROUP' },
  ]) {
    await seedToken(sql, rig.network.id, token);
  }
  const given = await contractEvidence(t, rig, 'NLHRBC00000042');
  await seedTariff(sql, rig.network.id);
  const only = process.env['CASE'];
  for (const { version, cases } of profiles) {
    for (const tested of cases) {
      if (tested.kind !== 'tested' || (only !== undefined && tested.id !== only)) continue;
      await t.test(`${tested.id}_CSMS ${tested.requires}`, (t) =>
        play(t, rig, { version, steps: tested.steps, given }),
      );
    }
  }
});
