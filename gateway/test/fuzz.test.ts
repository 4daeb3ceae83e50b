import t from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { sendBrokenFrames, sendBrokenRequest } from './support/fuzz/bytes.ts';
import { WrongAnswerer } from './support/fuzz/answers.ts';
import { Fuzzer } from './support/fuzz/fuzzer.ts';
import { FrameMaker } from './support/fuzz/frames.ts';
import { Neighbour } from './support/fuzz/neighbour.ts';
import { shardHeapBytes } from './support/fuzz/shard-heaps.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

/** `FUZZ_FRAMES=100000 FUZZ_SEED=7`: how many frames, and which; `npm run fuzz` is the long mode. */
const frames = Number(process.env.FUZZ_FRAMES ?? 4000);
const seed = Number(process.env.FUZZ_SEED ?? 1);

const shards = 2;
const chargersPerVersion = 24;

/**
 * Maximum growth in bytes of the heaps of both shards; a leak of a hundred bytes for each frame of the long
 * mode is more.
 */
const maxGrowthBytes = 8 * 1024 * 1024;

const makers = {
  'ocpp1.6': new FrameMaker('1.6'),
  'ocpp2.0.1': new FrameMaker('2.0.1'),
  'ocpp2.1': new FrameMaker('2.1'),
} as const;

/** Fields without which these messages are refused: of others that are missing, the rest counts (field note 5). */
const essentials: Record<string, readonly string[]> = {
  StopTransaction: ['/transactionId'],
  MeterValues: ['/connectorId', '/evseId', '/meterValue'],
  TransactionEvent: [
    '/eventType',
    '/transactionInfo',
    '/transactionInfo/transactionId',
    '/idToken/idToken',
    '/idToken/type',
    '/idToken/customData/vendorId',
  ],
};

void t.test('fuzz', async (t) => {
  // The long mode sends faster than a charger may.
  const rig = await startRig(t, { SHARDS: `${shards}`, CHARGER_CALLS_PER_SECOND: '1000000' });
  const neighbours = await Neighbour.onEveryShard(rig, shards);
  t.equal(neighbours.length, shards, 'a charger that behaves on every shard');

  for (const version of ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const) {
    await t.test(
      `${version}: names each required field that is missing, except those of sessions and readings`,
      async (t) => {
        const charger = await seedCharger(rig.stores.sql, rig.network.id);
        const socket = await connectRaw(rig, charger, version);
        const code = version === 'ocpp1.6' ? 'OccurenceConstraintViolation' : 'OccurrenceConstraintViolation';
        const wrong: string[] = [];
        let tried = 0;
        for (const { text, missing } of makers[version].incompleteCalls()) {
          socket.send(text);
          const answer = await socket.next();
          const [type, , third, description] = answer;
          const [, action = ''] = /^\[2,"(\w+)/.exec(text) ?? [];
          const isSpared = essentials[action]?.includes(missing) === false;
          const isMissed = type === 4 && third === code && description === `${missing} is missing`;
          const isRight = isSpared ? type === 3 : isMissed;
          if (!isRight) wrong.push(`${JSON.stringify(answer)} to ${text.slice(0, 300)}`);
          tried += 1;
        }
        t.same(wrong.slice(0, 10), []);
        t.ok(tried > 20, `${tried} fields`);
        await socket.terminate();
      },
    );
  }

  await t.test('survives bytes that are neither a request nor a frame', async (t) => {
    for (let n = 0; n < 100; n += 20) {
      const seeds = Array.from({ length: 20 }, (_, index) => seed + n + index);
      await Promise.all(seeds.flatMap((each) => [sendBrokenFrames(rig, each), sendBrokenRequest(rig, each)]));
    }
    await until('only the neighbours', async () => (await rig.connections()) === shards);
    for (const { isConnected } of neighbours) t.ok(isConnected, 'no other charger was disconnected');
  });

  await t.test('survives invalid answers to commands', async (t) => {
    const answerers = await Promise.all(
      (['1.6', '2.0.1'] as const).flatMap((version) =>
        Array.from({ length: 8 }, (_, index) => WrongAnswerer.connect(rig, version, seed + index)),
      ),
    );
    await Promise.all(answerers.map((answerer) => answerer.run(Math.ceil(frames / 400))));
    t.same(
      answerers.flatMap(({ faults }) => faults).slice(0, 10),
      [],
      `callers get wrong results, with FUZZ_SEED=${seed}`,
    );
    const played = new Set(answerers.flatMap((answerer) => [...answerer.played]));
    t.equal(played.size, 10, `each kind of answer was played: ${[...played].join(', ')}`);
    await until('only the neighbours', async () => (await rig.connections()) === shards);
  });

  await t.test(`survives ${frames} random frames, seed ${seed}`, async (t) => {
    const play = async (framesEach: number, firstSeed: number) => {
      const fuzzers = await Promise.all(
        Object.entries(makers).flatMap(([version, maker], half) =>
          Array.from({ length: chargersPerVersion }, (_, index) =>
            Fuzzer.connect(rig, maker, {
              name: `${version}-${index}`,
              seed: firstSeed + half * chargersPerVersion + index,
            }),
          ),
        ),
      );
      await Promise.all(fuzzers.map((fuzzer) => fuzzer.run(framesEach)));
      await Promise.all(fuzzers.map((fuzzer) => fuzzer.close()));
      await until('only the neighbours', async () => (await rig.connections()) === shards);
      return fuzzers.flatMap((fuzzer) => fuzzer.faults);
    };
    for (const neighbour of neighbours) neighbour.start();
    // What is made once (compiled code, statements, connectors) is made before the heaps are looked at.
    const firstFaults = await play(20, seed + 1_000_000);
    const before = await shardHeapBytes();
    const faults = await play(Math.ceil(frames / (2 * chargersPerVersion)), seed);
    let growth = Number.POSITIVE_INFINITY;
    // What still waits for ClickHouse, as rows of the message log, is no leak: it leaves by itself.
    await until('heaps as they were', async () => {
      growth = (await shardHeapBytes()) - before;
      return growth < maxGrowthBytes;
    }).catch(() => undefined);
    for (const neighbour of neighbours) await neighbour.stop();

    t.same([...firstFaults, ...faults].slice(0, 10), [], `answers that are wrong, with FUZZ_SEED=${seed}`);
    t.ok(growth < maxGrowthBytes, `the heaps grew by ${growth} bytes`);
    for (const { served, faults, slowestMs } of neighbours) {
      t.same(faults, [], 'the neighbours are served');
      t.ok(served > 10);
      t.ok(slowestMs < 5000, `no frame kept them waiting: ${Math.round(slowestMs)} ms of processors at most`);
    }
    t.comment(
      `heaps grew by ${growth} bytes`,
      neighbours.map(({ served, slowestMs }) => ({ served, slowestMs })),
    );
  });
});
