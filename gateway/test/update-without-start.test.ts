import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { startRig } from './support/rig.ts';

void t.test('an update without readings begins the session of an unknown transaction', async (t) => {
  const rig = await startRig(t);
  const { client } = await rig.connect('ocpp2.0.1');
  await client.call('TransactionEvent', {
    eventType: 'Updated',
    timestamp: new Date().toISOString(),
    triggerReason: 'MeterValueClock',
    seqNo: 3,
    transactionInfo: { transactionId: 'bare-update' },
  });
  const sessions = await listedSessions(rig.stores.sql, { networks: allNetworks, userId: null });
  t.match(sessions, [{ transactionId: 'bare-update', status: 'ACTIVE' }]);
});
