import { randomUUID } from 'node:crypto';
import t from 'tap';
import { insertMeterRows, meterRow } from '#shared/clickhouse/meter-samples.ts';
import { readSessionSamples } from '#shared/clickhouse/session-samples.ts';
import { testStores } from '#shared/testing/stores.ts';

const minute = 60_000;
const month = 30 * 24 * 60 * minute;

void t.test('sessions whose readings are asked for at once are read together, each for itself', async (t) => {
  const { clickhouse } = await testStores(t);
  const sessions = Array.from({ length: 60 }, (_, n) => ({
    key: { chargerId: 1 + (n % 7), sessionId: randomUUID() },
    // Of this month and of earlier ones.
    startedAt: Date.now() - 60 * minute - (n % 3) * month,
    readings: 5 + n,
  }));
  const rows = sessions.flatMap(({ key, startedAt, readings }, n) =>
    Array.from({ length: readings }, (_, reading) =>
      meterRow(
        {
          networkId: 1,
          chargerId: key.chargerId,
          position: { evse: 1, connector: 1 },
          sessionId: key.sessionId,
        },
        {
          time: new Date(startedAt + reading * 1000),
          receivedAt: new Date(startedAt + reading * 1000),
          context: 'Sample.Periodic',
          energyWh: n * 1000 + reading,
          powerW: null,
          currentA: null,
          voltageV: null,
          socPercent: null,
          temperatureC: null,
          extra: {},
          flags: [],
        },
      ),
    ),
  );
  await insertMeterRows(clickhouse, rows);
  await insertMeterRows(clickhouse, rows.slice(0, 100));

  const answers = await Promise.all(
    sessions.map(({ key, startedAt }, n) =>
      readSessionSamples(clickhouse, key, n % 2 === 0 ? 1000 : 20, {
        from: startedAt,
        to: startedAt + 60 * minute,
      }),
    ),
  );
  for (const [n, samples] of answers.entries()) {
    const readings = Math.min(sessions[n]?.readings ?? 0, n % 2 === 0 ? 1000 : 20);
    t.strictSame(
      samples.map(({ energyWh }) => energyWh),
      Array.from({ length: readings }, (_, reading) => n * 1000 + reading),
    );
  }

  const [first, second] = sessions;
  if (first === undefined || second === undefined) throw new Error('no sessions');
  const { sessionId } = first.key;
  t.strictSame(
    await readSessionSamples(clickhouse, { ...second.key, sessionId }, 10),
    [],
    'not of another charger',
  );
  t.equal((await readSessionSamples(clickhouse, second.key, 10)).length, 6, 'of whenever it was');
});

void t.test('who waits for one that fails is told, and the next is read', async (t) => {
  const { clickhouse } = await testStores(t);
  const key = { chargerId: 1, sessionId: randomUUID() };
  await clickhouse.command({ query: 'rename table meter_samples to away' });
  const reads = [1, 2, 3, 4].map(() => readSessionSamples(clickhouse, key, 10));
  for (const read of await Promise.allSettled(reads)) t.equal(read.status, 'rejected');
  await clickhouse.command({ query: 'rename table away to meter_samples' });
  t.strictSame(await readSessionSamples(clickhouse, key, 10), []);
});
