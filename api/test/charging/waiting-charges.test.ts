import t from 'tap';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { jobPolicies } from '#shared/domain/kernel/jobs.ts';
import { until } from '#shared/testing/until.ts';
import { post, publicCharger, rejected } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, startTestApi } from '#api/test/support/fixtures.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';

void t.test('runs due scheduled charges alongside many waiting ones', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
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
    update queued_jobs set due_at = now() where name like 'scheduled-charge%' and attempts = 0 and due_at > now()`;
  startQueuedJobs(t, api.deps, ['scheduled-charge', 'scheduled-charge-again']);
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
    select id from queued_jobs where name like 'scheduled-charge%' and attempts > 1`;
  t.same([...tried], [], 'each look is another job: none keeps its place before the others');
});
