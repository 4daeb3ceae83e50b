import t from 'tap';
import { runLife } from '#shared/simulator/life.ts';
import { createRandom } from '#shared/simulator/random.ts';
import { booted, versions } from './support/rig.ts';

for (const { name, create } of versions) {
  void t.test(`${name}: runs valid sessions on every connector`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    const end = new AbortController();
    const ended = Promise.withResolvers<void>();
    let ends = 0;
    central.respond = ({ method, params }) => {
      if ((method === 'StopTransaction' || params.eventType === 'Ended') && ++ends === 4) ended.resolve();
      return undefined;
    };
    const life = runLife(station, {
      tokens: ['TAG-1', 'TAG-2'],
      timeScale: 60_000,
      meterIntervalMs: 5,
      idleMinutes: [3, 20],
      stayMinutes: [30, 60],
      signal: end.signal,
      random: createRandom(3),
    });
    await ended.promise;
    end.abort();
    await station.close();
    await life;
    t.ok(counters.sessionsStarted >= 4 && counters.acknowledged >= 16);
    t.equal(counters.errors, 0);
    const now = Date.now();
    const times = JSON.stringify(central.received).match(/\d{4}-\d\d-\d\dT[^"]+Z/g) ?? [];
    t.ok(times.every((time) => Date.parse(time) <= now));
  });
}

void t.test('runs a session from a remote start to a remote stop', async (t) => {
  const { central, station, counters } = await booted(t, versions[0].create, { connectors: 1 });
  const end = new AbortController();
  const life = runLife(station, {
    tokens: ['TAG-1'],
    timeScale: 600,
    meterIntervalMs: 5,
    idleMinutes: [600, 700],
    stayMinutes: [600, 700],
    signal: end.signal,
    // The first arrival is far away.
    random: () => 0.9,
  });
  const values = central.next('MeterValues');
  await central.call('RemoteStartTransaction', { idTag: 'APP-1' });
  t.match((await values).params, { transactionId: 101 });
  const stopped = central.next('StopTransaction');
  const free = central.next('StatusNotification', ({ status }) => status === 'Available');
  await central.call('RemoteStopTransaction', { transactionId: 101 });
  t.match((await stopped).params, { reason: 'Remote' });
  await free;
  end.abort();
  await life;
  t.match(counters, { remoteStarts: 1, remoteStops: 1, errors: 0 });
});
