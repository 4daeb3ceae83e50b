import t from 'tap';
import type { Context } from '#gateway/handlers/context.ts';
import { learnLocalTime } from '#gateway/handlers/local-time.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';

const hour = 3_600_000;
const receivedAt = new Date('2026-05-04T12:00:00Z');
const message = { said: '2026-05-04T14:00:00', kind: 'other' } as const;

void t.test('learns an offset again that could not be stored', async (t) => {
  let isDown = true;
  const sql = {
    begin: () => (isDown ? Promise.reject(new Error('PostgreSQL is down')) : Promise.resolve([])),
  };
  const localTime = new LocalTime();
  const context = { charger: { id: 1 }, localTime, receivedAt, running: [], stores: { sql } };
  const learn = () => learnLocalTime(context as unknown as Context<'sql'>, message);
  const failed = learn();
  t.equal(localTime.offsetMs, 2 * hour, 'messages that arrive meanwhile are read with it');
  await t.rejects(failed ?? Promise.resolve(), { message: 'PostgreSQL is down' });
  t.equal(localTime.offsetMs, 0);
  isDown = false;
  await learn();
  t.equal(localTime.offsetMs, 2 * hour);
  t.equal(learn(), null, 'it is known now');
});
