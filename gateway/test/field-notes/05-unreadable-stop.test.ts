import t from 'tap';
import { dialects, type Dialect } from './support/dialect.ts';
import { after, charging, openScene, start } from './support/scene.ts';

type Payload = Record<string, unknown>;

/** Faults that a charger can put into a stop. */
type Fault = 'token' | 'reading-time' | 'reason' | 'id';
type Spoil = Record<Fault, (stop: Payload) => Payload>;

const spoilEvent = (maxIdToken: number): Spoil => ({
  token: (stop) => ({ ...stop, idToken: { idToken: 'x'.repeat(maxIdToken + 1), type: 'Central' } }),
  'reading-time': ({ meterValue, ...stop }) => ({
    ...stop,
    meterValue: (meterValue as Payload[]).map((value) => ({ ...value, timestamp: 'noon' })),
  }),
  reason: ({ transactionInfo, ...stop }) => ({
    ...stop,
    transactionInfo: { ...(transactionInfo as Payload), stoppedReason: 7 },
  }),
  id: (stop) => ({ ...stop, transactionInfo: {} }),
});

const spoil: Record<Dialect['version'], Spoil> = {
  'ocpp1.6': {
    token: (stop) => ({ ...stop, idTag: 'x'.repeat(21) }),
    'reading-time': (stop) => ({
      ...stop,
      transactionData: [{ timestamp: 'noon', sampledValue: [{ value: '2500' }] }],
    }),
    reason: (stop) => ({ ...stop, reason: 7 }),
    id: (stop) => ({ ...stop, transactionId: 'x' }),
  },
  'ocpp2.0.1': spoilEvent(36),
  'ocpp2.1': spoilEvent(255),
};

void t.test('field note 5: stops with unreadable fields', async (t) => {
  const scene = await openScene(t);

  for (const dialect of dialects) {
    const { version } = dialect;

    /** A charger with a session, and its stop, which the test spoils before it is sent. */
    const begin = async () => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      const said = charging(scene);
      const transaction = await start(socket, dialect, said);
      const [action, payload] = dialect.stop(
        said,
        transaction,
        { at: after(said, 1800), registerWh: 3000 },
        1,
      );
      const send = (spoiled: Payload) => socket.call('stop', action, spoiled);
      return { said, payload, send, sessions: () => scene.sessions(charger) };
    };

    await t.test(
      `${version}: ends the session at the time of receipt when the stop has no time`,
      async (t) => {
        for (const [timestamp, flags] of [
          ['yesterday', ['time-unreadable']],
          ['2026-02-31T00:00:00Z', ['time-unreadable']],
          ['', ['time-missing']],
          [undefined, ['time-missing', 'stop-partly-unreadable']],
          [1_700_000_000, ['time-missing', 'stop-partly-unreadable']],
        ] as const) {
          const { payload, send, sessions } = await begin();
          const before = Date.now();
          t.match(await send({ ...payload, timestamp }), [3, 'stop', Object], String(timestamp));
          const [session] = await sessions();
          t.match(session, { status: 'COMPLETED', energyWh: 2000, meterStopWh: 3000 });
          t.same(session?.flags, flags, String(timestamp));
          t.ok(Number(session?.endedAt) >= before && Number(session?.endedAt) <= Date.now());
        }
      },
    );

    await t.test(`${version}: stores a reading without a time`, async (t) => {
      const { payload, send, sessions } = await begin();
      t.match(await send(spoil[version]['reading-time'](payload)), [3, 'stop', Object]);
      const [session] = await sessions();
      t.match(session, { status: 'COMPLETED', energyWh: 2000 });
      t.same(session?.flags, []);
    });

    await t.test(`${version}: omits a token that is too long and an unknown reason`, async (t) => {
      for (const fault of ['token', 'reason'] as const) {
        const { said, payload, send, sessions } = await begin();
        t.match(await send(spoil[version][fault](payload)), [3, 'stop', Object], fault);
        const [session] = await sessions();
        t.match(session, { status: 'COMPLETED', energyWh: 2000, idToken: scene.token, stopReason: 'Local' });
        t.same(session?.flags, ['stop-partly-unreadable']);
        t.same(session?.endedAt, after(said, 1800));
      }
    });

    await t.test(`${version}: keeps the other fields when one is invalid`, async (t) => {
      const { payload, send, sessions } = await begin();
      const { timestamp: _, ...stop } = spoil[version].token(spoil[version].reason(payload));
      const numbers = version === 'ocpp1.6' ? { meterStop: '3000' } : { seqNo: {} };
      t.match(await send({ ...stop, ...numbers }), [3, 'stop', Object]);
      const flags = ['time-missing', 'stop-partly-unreadable'];
      t.match(await sessions(), [{ status: 'COMPLETED', energyWh: 2000, meterStopWh: 3000, flags }]);
    });

    await t.test(`${version}: refuses a stop without a transaction`, async (t) => {
      const { payload, send, sessions } = await begin();
      t.match(await send(spoil[version].id(payload)), [4, 'stop', String, String, Object]);
      t.match(await sessions(), [{ status: 'ACTIVE' }]);
    });
  }

  await t.test('1.6: ends a session at its last reading when the stop has no register', async (t) => {
    const [dialect] = dialects;
    if (dialect === undefined) return;
    for (const meterStop of [undefined, null, 'x', {}]) {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      const said = charging(scene);
      const transactionId = await start(socket, dialect, said);
      const reading = [{ at: after(said, 600), registerWh: 2500 }];
      await socket.call('meter', ...dialect.meter(said, transactionId, reading, 1));
      const stop = { transactionId, meterStop, timestamp: after(said, 1800).toISOString() };
      t.match(await socket.call('stop', 'StopTransaction', stop), [3, 'stop', Object]);
      const [session] = await scene.sessions(charger);
      t.match(session, { status: 'COMPLETED', energyWh: 1500, meterStopWh: null });
      t.ok(session?.flags.includes('meter-stop-missing'));
    }
  });

  await t.test('1.6: refuses an unreadable start so that the charger repeats it', async (t) => {
    const [dialect] = dialects;
    if (dialect === undefined) return;
    const socket = await scene.socket(await scene.charger(), dialect);
    const [action, payload] = dialect.start(charging(scene));
    for (const fault of [{ idTag: 'x'.repeat(21) }, { timestamp: 'yesterday' }]) {
      t.match(await socket.call('start', action, { ...payload, ...fault }), [
        4,
        'start',
        String,
        String,
        Object,
      ]);
    }
  });
});
