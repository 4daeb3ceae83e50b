import t from 'tap';
import { startScheduledCharges } from '#api/jobs/scheduled-charges.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { jobPolicies } from '#shared/domain/kernel/jobs.ts';
import { createLogger } from '#shared/log/log.ts';
import { JobQueue } from '#shared/postgres/kernel/jobs.ts';
import { hastyClock } from '#shared/testing/hasty-clock.ts';
import { until } from '#shared/testing/until.ts';
import { post, publicCharger, rejected } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, startTestApi } from '#api/test/support/fixtures.ts';

void t.test('runs due scheduled charges alongside many waiting ones', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const queue = await JobQueue.open(sql, (error) => t.fail(String(error)), hastyClock);
  t.teardown(() => queue.close());
  const waiting = jobPolicies['scheduled-charge'].concurrency + 1;
  const silence = Promise.withResolvers<CommandReply>();
  const asked = new Map<string, number>();
  const charger = await publicCharger(
    api,
    ({ command }) => {
      if (command.type !== 'remote-start') throw new Error(command.type);
      const times = (asked.get(command.idToken) ?? 0) + 1;
      asked.set(command.idToken, times);
      // The last one answers; the others refuse, and when they are asked again they are silent.
      if (asked.size > waiting) return accepted;
      return times === 1 ? rejected : silence.promise;
    },
    waiting + 1,
  );
  const schedule = async (connectorNumber: number) => {
    const driver = await addDriver(api, 1000n, `ada${connectorNumber}@example.org`);
    const startTime = new Date(Date.now() + 3_600_000).toISOString();
    const wanted = { chargerId: charger.uuid, connectorNumber, startTime };
    t.match(await post(api, driver.key, 'schedule', wanted), { status: 201 });
  };
  /** Lets the time of each charge and of each attempt have come. */
  const makeDue = () => sql`
    update jobs.job set start_after = now() where name like 'scheduled-charge%' and state = 'created' and start_after > now()`;
  await startScheduledCharges({ ...api.deps, queue, log: createLogger('test', 'silent') });
  for (let number = 1; number <= waiting; number += 1) await schedule(number);
  const isHeld = () => [...asked.values()].filter((times) => times === 2).length;
  const most = jobPolicies['scheduled-charge-again'].concurrency;
  await until('those that wait have all the workers that they may', async () => {
    await makeDue();
    return isHeld() === most;
  });
  await schedule(waiting + 1);
  await makeDue();
  // A silent charger is given 30 s.
  await until('the newer one is started', () => asked.size === waiting + 1);
  t.equal(isHeld(), most);
  silence.resolve(rejected);
  const askedOnce = () => [...asked.values()].filter((times) => times === 1).length;
  await until('all others are asked again', () => askedOnce() === 1);
  const tried = await sql`
    select id from jobs.job where name like 'scheduled-charge%' and (retry_count > 0 or state = 'retry')`;
  t.same([...tried], [], 'each look is another job: none keeps its place before the others');
});
