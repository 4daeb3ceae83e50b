import t from 'tap';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '#gateway/handlers/turns.ts';
import postgres from 'postgres';

function postgresError(code: string): Error {
  return Object.assign(Object.create(postgres.PostgresError.prototype) as Error, { code });
}

void t.test('runs the transactions of a charger one after the other, in their order', async (t) => {
  const turns = new Turns();
  const events: string[] = [];
  const transaction = (name: string) => async () => {
    events.push(`${name} begins`);
    await nextTurn();
    events.push(`${name} ends`);
    return name;
  };
  t.same(await Promise.all(['a', 'b', 'c'].map((name) => turns.run(transaction(name)))), ['a', 'b', 'c']);
  t.same(
    events,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

void t.test('goes on after a transaction that fails', async (t) => {
  const turns = new Turns();
  const failed = turns.run(() => Promise.reject(new Error('refused')));
  const next = turns.run(() => Promise.resolve('stored'));
  await t.rejects(failed, { message: 'refused' });
  t.equal(await next, 'stored');
});

void t.test('repeats once what the locks of others ended', async (t) => {
  for (const [code, runs] of [
    ['40P01', 2],
    ['55P03', 2],
    ['57014', 2],
    ['23505', 1],
  ] as const) {
    let begun = 0;
    const error = postgresError(code);
    const failing = () => {
      begun += 1;
      return Promise.reject(error);
    };
    await t.rejects(new Turns().run(failing), { code });
    t.equal(begun, runs, code);
  }
});
