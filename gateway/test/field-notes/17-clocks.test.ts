import t from 'tap';
import { seedToken } from '#shared/testing/seed.ts';
import type { RawCharger } from '#gateway/test/support/raw-charger.ts';
import { dialects } from './support/dialect.ts';
import { charging, openScene, start } from './support/scene.ts';

const hour = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** A text in place of the times of a message. */
function at([action, payload]: [string, Record<string, unknown>], timestamp: string) {
  return [action, { ...payload, timestamp }] as const;
}

void t.test('field note 17: clocks', async (t) => {
  const scene = await openScene(t);

  for (const dialect of dialects) {
    const { version } = dialect;

    await t.test(`${version}: corrects and flags impossible times, keeps possible ones`, async (t) => {
      const now = Date.now();
      const possible = Math.floor((now - hour) / 1000) * 1000;
      for (const [said, flag, time] of [
        ['1970-01-01T00:00:07Z', 'time-past', null],
        ['2018-01-01T00:00:00Z', 'time-past', null],
        ['2099-12-31T23:59:59Z', 'time-future', null],
        // Two hours east of Greenwich, and marked as if it were not.
        [iso(now + 2 * hour), 'time-future', null],
        [iso(possible).replace('.000Z', ''), null, possible],
        [iso(possible).replace('.000Z', 'Z'), null, possible],
        [iso(possible + 2 * hour).replace('.000Z', '+02:00'), null, possible],
        [iso(possible).replace('T', ' '), null, possible],
      ] as const) {
        const charger = await scene.charger();
        const socket = await scene.socket(charger, dialect);
        const before = Date.now();
        const answer = await socket.call('s', ...at(dialect.start(charging(scene)), said));
        t.equal(answer[0], 3, said);
        const [session] = await scene.sessions(charger);
        t.same(session?.flags, flag === null ? [] : [flag], said);
        const startedAt = session?.startedAt.getTime() ?? 0;
        if (time === null)
          t.ok(startedAt >= before && startedAt <= Date.now(), `${said} became ${startedAt}`);
        else t.equal(startedAt, time, said);
      }
    });

    await t.test(`${version}: dates a stop before its start by receipt and flags it`, async (t) => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      const said = charging(scene);
      const [, , answer] = await socket.call('s', ...dialect.start(said));
      const transaction = dialect.transactionOf(said, answer);
      const end = { at: new Date(said.startedAt.getTime() - hour), registerWh: 2000 };
      const heardAt = Date.now();
      t.match(await socket.call('e', ...dialect.stop(said, transaction, end, 1)), [3, 'e', Object]);
      const [session] = await scene.sessions(charger);
      t.match(session, { status: 'COMPLETED', energyWh: 1000, flags: ['time-past'] });
      t.ok(Number(session?.endedAt) >= heardAt);
      t.ok(Number(session?.cost?.totalInclVatMinor) > 0);
    });

    await t.test(`${version}: stores a repeated reading with an impossible time once`, async (t) => {
      const charger = await scene.charger();
      const said = charging(scene);
      const first = await scene.socket(charger, dialect);
      const transaction = await start(first, dialect, said);
      const times = ['1970-01-01T00:01:00Z', '1970-01-01T00:02:00Z', '2099-12-31T23:59:59Z'];
      const readings = times.map((time, index) =>
        dialect.meter(said, transaction, [{ at: new Date(time), registerWh: 1500 }], index + 1),
      );
      const sendAll = async (socket: RawCharger, round: number) => {
        for (const [index, reading] of readings.entries()) {
          t.equal((await socket.call(`${round}-${index}`, ...reading))[0], 3);
        }
      };
      await sendAll(first, 1);
      // The charger did not get the answers: it comes back and repeats all of them.
      await first.terminate();
      const again = await scene.socket(charger, dialect);
      await sendAll(again, 2);
      await sendAll(again, 3);
      const [session] = await scene.sessions(charger);
      const key = { chargerId: charger.id, sessionId: session?.uuid ?? '' };
      const stored = (await scene.rig.storedSamples(key)).filter(({ energyWh }) => energyWh === 1500);
      t.same(
        stored.map(({ flags }) => flags),
        [['time-past'], ['time-past'], ['time-future']],
      );
    });

    await t.test(
      `${version}: the gateway stores every reading of a pause while the clock stands still`,
      async (t) => {
        const charger = await scene.charger();
        const session = charging(scene);
        const socket = await scene.socket(charger, dialect);
        const transaction = await start(socket, dialect, session);
        const registers = [1500, 1600, 1600, 1600, 1700];
        for (const [index, registerWh] of registers.entries()) {
          const reading = { at: new Date(0), registerWh };
          const call = dialect.meter(session, transaction, [reading], index + 1);
          t.equal((await socket.call(`m${index}`, ...call))[0], 3);
        }
        const [stored] = await scene.sessions(charger);
        const key = { chargerId: charger.id, sessionId: stored?.uuid ?? '' };
        const samples = await scene.rig.storedSamples(key);
        const energies = samples.map(({ energyWh }) => energyWh).filter((wh) => wh !== null && wh >= 1500);
        t.same(energies, registers);
      },
    );

    await t.test(`${version}: ends every sent time with Z`, async (t) => {
      const { sql } = scene.rig.stores;
      const expiring = await seedToken(sql, scene.rig.network.id, {
        expiresAt: new Date('2099-01-01T00:00:00Z'),
      });
      const socket = await scene.socket(await scene.charger(), dialect);
      const said: string[] = [];
      for (const call of [dialect.boot, ['Heartbeat', {}] as const, dialect.authorize(expiring)]) {
        const [, , answer] = await socket.call('z', call[0], call[1]);
        said.push(...(JSON.stringify(answer).match(/\d{4}-\d\d-\d\d[^"]*/g) ?? []));
      }
      t.equal(said.length, 3);
      for (const time of said) t.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
    });
  }
});
