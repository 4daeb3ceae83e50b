import t from 'tap';
import { type AcknowledgedSample, floodMeterValues } from '#bench/fleet/flood.ts';
import { booted, versions } from './support/rig.ts';

interface Sample {
  timestamp: string;
  sampledValue: { value: string | number; measurand: string }[];
}

for (const { name, create } of versions) {
  void t.test(`${name}: floods valid messages with distinct samples`, async (t) => {
    const { central, station, counters } = await booted(t, create);
    const session = await station.startSession({ connector: 2, idToken: 'TAG-1' });
    const remembered: AcknowledgedSample[] = [];
    const result = await floodMeterValues({
      stations: [station],
      messages: 30,
      samplesPerMessage: 3,
      onAcknowledged: (uid, sample) => {
        t.equal(uid, 'CP-1');
        remembered.push(sample);
      },
    });
    t.match(result, { messages: 30, samples: 90, errors: 0, repeated: 0 });
    t.equal(result.latencyUs.count, 30);
    const sent = central.received.filter(({ params }) => Array.isArray(params.meterValue)).slice(-30);
    const samples = sent.flatMap(({ params }) => params.meterValue as Sample[]);
    t.same(
      samples.map(({ timestamp, sampledValue }) => [
        Date.parse(timestamp),
        Number(sampledValue[0]?.value),
        sampledValue.map(({ value }) => Number.isFinite(Number(value))),
      ]),
      remembered.map(({ timeMs, energyWh }) => [
        timeMs,
        energyWh,
        (name === '1.6' ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]).map(() => true),
      ]),
    );
    t.equal(new Set(remembered.map(({ timeMs }) => timeMs)).size, 90);
    t.ok(remembered.every(({ timeMs }) => timeMs < Date.now() + 250));
    t.equal(remembered[0]?.transactionId, session.transactionId);
    t.equal(station.registerWh(2), remembered.at(-1)?.energyWh);
    await station.stopSession({ connector: 2 });
    t.equal(counters.errors, 0);
    if (name === '1.6') return;
    const numbers = central.all('TransactionEvent').map(({ seqNo }) => seqNo);
    t.same(
      numbers,
      Array.from({ length: 33 }, (_, index) => index),
    );
  });

  void t.test(`${name}: repeats an unanswered message after a reconnection`, async (t) => {
    const { central, station } = await booted(t, create);
    await station.startSession({ idToken: 'TAG-1' });
    let cut = 0;
    central.respond = ({ params }, peer) => {
      if (!Array.isArray(params.meterValue) || ++cut !== 4) return undefined;
      void peer.close({ force: true });
      return new Promise(() => undefined);
    };
    const result = await floodMeterValues({ stations: [station], messages: 10 });
    t.match(result, { messages: 10, errors: 0, repeated: 1 });
    const sent = central.received.filter(({ params }) => Array.isArray(params.meterValue)).slice(-11);
    t.same(sent[4]?.params, sent[3]?.params);
    t.equal(new Set(sent.map(({ params }) => JSON.stringify(params))).size, 10);
  });
}

void t.test('ends a flood on a signal and returns the acknowledged samples', async (t) => {
  const { station } = await booted(t, versions[0].create);
  await station.startSession({ idToken: 'TAG-1' });
  const end = new AbortController();
  let acknowledged = 0;
  const result = await floodMeterValues({
    stations: [station],
    signal: end.signal,
    onAcknowledged: () => {
      acknowledged += 1;
      if (acknowledged === 5) end.abort();
    },
  });
  t.match(result, { messages: 5, samples: 5, errors: 0, repeated: 0 });
});

void t.test('refuses to flood without a session', async (t) => {
  const { station } = await booted(t, versions[0].create);
  await t.rejects(floodMeterValues({ stations: [station], messages: 1 }), { name: 'ConnectorState' });
});
