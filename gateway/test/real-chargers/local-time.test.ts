import t from 'tap';
import { type Call, type Dialect, dialects } from '#gateway/test/field-notes/support/dialect.ts';
import { after, charging, openScene, type Scene } from '#gateway/test/field-notes/support/scene.ts';
import type { RawCharger } from '#gateway/test/support/raw-charger.ts';
import { minute } from '#gateway/test/support/scripted16.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';

const hour = 60 * minute;

/** Returns a message of a charger that writes the local time of a place, and no zone. */
function inLocalTime([action, payload]: Call, offsetMs: number): Call {
  const text = JSON.stringify(payload).replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, time: string) => {
    const local = new Date(Date.parse(time) + offsetMs).toISOString().replace('Z', '');
    return JSON.stringify(local);
  });
  return [action, JSON.parse(text) as Record<string, unknown>];
}

/** Connector status with a time, which 1.6 may leave out. */
function currentStatus(dialect: Dialect, status: string): Call {
  const [action, payload] = dialect.status(1, status);
  return [action, { ...payload, timestamp: new Date().toISOString() }];
}

async function connect(scene: Scene, charger: SeededCharger, dialect: Dialect, offsetMs: number) {
  const socket = await scene.socket(charger, dialect);
  let id = 0;
  const send = async (call: Call): Promise<unknown> => {
    const [type, , answer] = await socket.call(String((id += 1)), ...inLocalTime(call, offsetMs));
    if (type !== 3) throw new Error(`a message was answered with ${JSON.stringify(answer)}`);
    return answer;
  };
  return { socket, send };
}

async function accept(socket: RawCharger): Promise<void> {
  const [, id] = await socket.next();
  socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
}

void t.test('times of a charger that writes local time without a zone', async (t) => {
  const scene = await openScene(t);

  /** Sends a session of 20 minutes, which began now; returns what is stored of it. */
  const session = async (
    charger: SeededCharger,
    dialect: Dialect,
    send: (call: Call) => Promise<unknown>,
  ) => {
    const said = charging(scene, { startedAt: new Date() });
    const transaction = dialect.transactionOf(said, await send(dialect.start(said)));
    await send(dialect.meter(said, transaction, [{ at: after(said, 1), registerWh: 1100 }], 1));
    await send(dialect.stop(said, transaction, { at: after(said, 2), registerWh: 1200 }, 2));
    const [stored] = await scene.sessions(charger);
    const samples = await scene.rig.storedSamples({ chargerId: charger.id, sessionId: stored?.uuid ?? '' });
    return {
      said,
      stored: { startedAt: stored?.startedAt, endedAt: stored?.endedAt, flags: stored?.flags },
      readAt: samples.map(({ time, flags }) => [Date.parse(time), flags]),
    };
  };

  for (const dialect of dialects) {
    const { version } = dialect;

    for (const offsetMs of [2 * hour, 5.5 * hour, 12 * hour]) {
      await t.test(`${version}: are corrected ${offsetMs / hour} hours east of Greenwich`, async (t) => {
        const charger = await scene.charger();
        const { send } = await connect(scene, charger, dialect, offsetMs);
        const { said, stored, readAt } = await session(charger, dialect, send);
        t.same(stored, { startedAt: said.startedAt, endedAt: after(said, 2), flags: ['time-local'] });
        t.ok(
          readAt.some(([time, flags]) => time === after(said, 1).getTime() && String(flags) === 'time-local'),
        );
      });
    }

    for (const offsetMs of [-5 * hour, -3.5 * hour, -10 * hour]) {
      await t.test(`${version}: are corrected ${-offsetMs / hour} hours west after a boot`, async (t) => {
        const charger = await scene.charger();
        const { send } = await connect(scene, charger, dialect, offsetMs);
        await send(dialect.boot);
        await send(currentStatus(dialect, 'Available'));
        const { said, stored } = await session(charger, dialect, send);
        t.same(stored, { startedAt: said.startedAt, endedAt: after(said, 2), flags: ['time-local'] });
      });
    }

    await t.test(`${version}: are corrected from a start that was requested`, async (t) => {
      const charger = await scene.charger();
      const { socket, send } = await connect(scene, charger, dialect, -5 * hour);
      const command = scene.rig.command(charger.uid, {
        type: 'remote-start',
        position: { evse: 1, connector: 1 },
        idToken: scene.token,
        remoteStartId: 7,
      });
      await accept(socket);
      t.match(await command, { ok: true });
      const { said, stored } = await session(charger, dialect, send);
      t.same(stored, { startedAt: said.startedAt, endedAt: after(said, 2), flags: ['time-local'] });
    });

    await t.test(`${version}: are corrected in a session that runs already`, async (t) => {
      const charger = await scene.charger();
      const { send } = await connect(scene, charger, dialect, -5 * hour);
      const said = charging(scene, { startedAt: new Date() });
      const transaction = dialect.transactionOf(said, await send(dialect.start(said)));
      await send(dialect.boot);
      await send(currentStatus(dialect, version === 'ocpp1.6' ? 'Charging' : 'Occupied'));
      await send(dialect.stop(said, transaction, { at: after(said, 2), registerWh: 1200 }, 1));
      const [stored] = await scene.sessions(charger);
      t.match(stored, { startedAt: said.startedAt, endedAt: after(said, 2), flags: ['time-local'] });
    });

    await t.test(`${version}: are corrected in a queue after the next connection`, async (t) => {
      const charger = await scene.charger();
      const first = await connect(scene, charger, dialect, -5 * hour);
      await first.send(dialect.boot);
      await first.send(currentStatus(dialect, 'Available'));
      await first.socket.terminate();
      const { send } = await connect(scene, charger, dialect, -5 * hour);
      const said = charging(scene, { startedAt: new Date(Date.now() - 100 * minute) });
      const transaction = dialect.transactionOf(said, await send(dialect.start(said)));
      await send(dialect.stop(said, transaction, { at: after(said, 3600), registerWh: 9000 }, 1));
      const [stored] = await scene.sessions(charger);
      t.match(stored, { startedAt: said.startedAt, endedAt: after(said, 3600), flags: ['time-local'] });
    });

    await t.test(`${version}: are UTC in a queue of a charger whose offset is not known`, async (t) => {
      const charger = await scene.charger();
      const { send } = await connect(scene, charger, dialect, 0);
      const said = charging(scene, { startedAt: new Date(Date.now() - 2 * hour) });
      const transaction = dialect.transactionOf(said, await send(dialect.start(said)));
      await send(dialect.stop(said, transaction, { at: after(said, 3600), registerWh: 9000 }, 1));
      const [stored] = await scene.sessions(charger);
      t.match(stored, { startedAt: said.startedAt, endedAt: after(said, 3600) });
      t.same(stored?.flags, []);
    });
  }
});
