import t from 'tap';
import { type AcknowledgedSample, floodMeterValues } from '#bench/fleet/flood.ts';
import { rpcError } from '#shared/simulator/test/support/central-system.ts';
import { booted, versions } from '#shared/simulator/test/support/rig.ts';

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
    t.equal(result.latency.count, 30);
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

void t.test('sends at a rate and keeps what is due while a message is in flight', async (t) => {
  const { central, station } = await booted(t, versions[0].create);
  await station.startSession({ idToken: 'TAG-1' });
  const answer = Promise.withResolvers<Record<string, unknown>>();
  let readings = 0;
  central.respond = ({ params }) => {
    if (!Array.isArray(params.meterValue) || ++readings !== 1) return undefined;
    return answer.promise;
  };
  const end = new AbortController();
  const flood = floodMeterValues({ stations: [station], rate: 200, signal: end.signal, messages: 4 });
  await central.next('MeterValues');
  t.equal(readings, 1);
  answer.resolve({});
  const result = await flood;
  t.match(result, { messages: 4, errors: 0 });
  t.ok(result.latency.count === 4 && result.sentLatency.count === 4);
});

void t.test('repeats a refused message after a pause', async (t) => {
  const { central, station } = await booted(t, versions[0].create);
  await station.startSession({ idToken: 'TAG-1' });
  let readings = 0;
  central.respond = ({ params }) => {
    if (!Array.isArray(params.meterValue) || ++readings > 1) return undefined;
    throw rpcError('InternalError', 'not now');
  };
  const result = await floodMeterValues({ stations: [station], messages: 2, repeatRefusedMs: 1 });
  t.match(result, { messages: 2, errors: 1 });
  const sent = central.all('MeterValues');
  t.equal(sent.length, 3);
  t.same(sent[1], sent[0]);
});

void t.test('counts acknowledgements of the measured period only', async (t) => {
  const { station } = await booted(t, versions[0].create);
  await station.startSession({ idToken: 'TAG-1' });
  const past = { fromMs: 0, untilMs: Date.now() - 1000 };
  const seen: string[] = [];
  const result = await floodMeterValues({
    stations: [station],
    messages: 3,
    measured: past,
    onAcknowledged: (uid) => seen.push(uid),
  });
  t.match(result, { messages: 0, samples: 0 });
  t.equal(seen.length, 3);
});
