import t from 'tap';
import type { Context } from '#gateway/handlers/context.ts';
import { ReadingClock } from '#gateway/handlers/reading-clock.ts';
import { handleSessionStart } from '#gateway/handlers/session-start.ts';
import type { SessionStart } from '#shared/domain/charging/session.ts';
import { seedCharger, seedNetwork, seedRemoteStart, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('binds the session of a remote start with its limits in three statements', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);
  const { id, uuid, uid } = await seedCharger(sql, network.id, { connectors: 1 });
  const idToken = await seedToken(sql, network.id);
  await seedRemoteStart(sql, id, { idToken, remoteStartId: 1, maxEnergyWh: 2000 });
  const receivedAt = new Date();
  const context: Context<'sql' | 'roaming' | 'watches'> = {
    charger: { id, uuid, uid, networkId: network.id, registration: 'Accepted' },
    ocppVersion: '1.6',
    receivedAt,
    running: [],
    readingClock: new ReadingClock(),
    meterOverrides: [],
    stores: {
      sql,
      roaming: {
        authorize: () => Promise.reject(new Error('no partner has this token')),
        authorizeUnknown: () => Promise.reject(new Error('the token is known')),
      },
      watches: { session: () => undefined, connection: () => undefined },
    },
  };
  const start: SessionStart = {
    position: { evse: 1, connector: 1 },
    idToken,
    transactionId: null,
    startedAt: receivedAt,
    receivedAt,
    meterStartWh: 0,
    remoteStartId: null,
    flags: [],
  };
  const statements: string[] = [];
  sql.options.debug = (_connection, statement) => statements.push(statement);
  await handleSessionStart(context, start, 'start of the test');
  t.equal(statements.length, 3, statements.join('\n'));
  const sessions = await sql`select max_energy_wh as "maxEnergyWh" from sessions where charger_id = ${id}`;
  t.same([...sessions], [{ maxEnergyWh: 2000 }]);
});
