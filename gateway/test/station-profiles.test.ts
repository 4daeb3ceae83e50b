import t from 'tap';
import { resendTransactionProfiles } from '#api/jobs/resend-profiles.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import { claimJobs } from '#shared/postgres/kernel/jobs.statements.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';
import { station21 } from './support/station21.ts';

const profile = {
  profileId: 5,
  stackLevel: 0,
  purpose: 'TxDefault',
  kind: 'Dynamic',
  recurrency: null,
  validFrom: null,
  validTo: null,
  transactionId: null,
  startsAt: null,
  durationSeconds: null,
  rateUnit: 'A',
  minChargingRate: null,
  updateIntervalSeconds: 60,
  periods: [{ startSeconds: 0, limit: 16, phases: null }],
} as const;

const ofPriority = {
  profileId: 6,
  purpose: 'PriorityCharging',
  kind: 'Relative',
  updateIntervalSeconds: null,
} as const;

void t.test('charging profiles of a 2.1 station', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const tag = await seedToken(sql, rig.network.id);
  const { charger, client } = await rig.connect('ocpp2.1');
  const station = station21(client);
  await station.boot();
  const calls: unknown[][] = [];
  let status = 'Accepted';
  answerCalls(client, (action, payload) => {
    calls.push([action, payload]);
    if (status === 'broken') throw new Error('broken');
    return { status };
  });
  const ocpp = (action: string, payload: object) =>
    rig.command(charger.uid, { type: 'ocpp', action, payload });
  const pull = (chargingProfileId: number) => client.call('PullDynamicScheduleUpdate', { chargingProfileId });

  await t.test(
    'a Dynamic profile has the limit that was set last, which the station pulls (K28)',
    async (t) => {
      t.match(await rig.command(charger.uid, { type: 'set-charging-profile', evse: 1, profile }), {
        ok: true,
      });
      t.match(calls.pop(), [
        'SetChargingProfile',
        { evseId: 1, chargingProfile: { chargingProfileKind: 'Dynamic', dynUpdateInterval: 60 } },
      ]);
      t.same(await pull(5), { status: 'Accepted', scheduleUpdate: { limit: 16 } });
      const update = { chargingProfileId: 5, scheduleUpdate: { limit: 10, dischargeLimit: -4 } };
      await ocpp('UpdateDynamicSchedule', update);
      t.same(await pull(5), { status: 'Accepted', scheduleUpdate: { limit: 10, dischargeLimit: -4 } });
      status = 'Rejected';
      await ocpp('UpdateDynamicSchedule', { chargingProfileId: 5, scheduleUpdate: { limit: 6 } });
      status = 'Accepted';
      t.match(await pull(5), { scheduleUpdate: { limit: 10 } }, 'a refused limit is not kept');
      t.match(await pull(6), { status: 'Rejected', statusInfo: { reasonCode: 'InvalidProfile' } });
    },
  );

  await t.test('no Dynamic or priority profile is sent to an earlier version', async (t) => {
    const older = await rig.connect('ocpp2.0.1');
    const priority = { ...profile, ...ofPriority };
    for (const refused of [profile, priority]) {
      const command = { type: 'set-charging-profile', evse: 1, profile: refused } as const;
      t.match(await rig.command(older.charger.uid, command), { ok: false, code: 'COMMAND_NOT_SUPPORTED' });
    }
    await rig.command(charger.uid, { type: 'set-charging-profile', evse: 0, profile: priority });
    t.match(calls.pop(), [
      'SetChargingProfile',
      { evseId: 0, chargingProfile: { chargingProfilePurpose: 'PriorityCharging' } },
    ]);
  });

  await t.test('priority charging is stored with an event for each change (K21, K22)', async (t) => {
    const central = { idToken: { idToken: tag, type: 'Central' }, kwh: 0 };
    await station.event('Started', 'priority', central);
    const transactionId = 'priority';
    const notify = (activated: boolean) =>
      client.call('NotifyPriorityCharging', { transactionId, activated });
    const stored = async () => {
      const [row] = await sql`
        select x.priority_charging as "isActive", (select count(*)::integer from outbox o
          where o.type = 'session.priority_charging_changed' and o.subject_id = s.id) as events
        from sessions s left join station_transactions x on x.session_id = s.id where s.ocpp_transaction_id = ${transactionId}`;
      return row;
    };
    await notify(false);
    t.match(await stored(), { isActive: null, events: 0 }, 'it is off at first');
    await ocpp('UsePriorityCharging', { transactionId, activate: true });
    await notify(true);
    t.match(await stored(), { isActive: true, events: 1 });
    await notify(false);
    t.match(await stored(), { isActive: false, events: 2 });
    status = 'NoProfile';
    await ocpp('UsePriorityCharging', { transactionId, activate: true });
    status = 'Accepted';
    t.match(await stored(), { isActive: false, events: 2 }, 'a refused request changes nothing');
    await client.call('NotifyPriorityCharging', { transactionId: 'unknown', activated: true });
  });

  await t.test(
    'profiles of a transaction are set again when its station resumes it (E17.FR.15)',
    async (t) => {
      await station.event('Started', 'resumed', { idToken: { idToken: tag, type: 'Central' }, kwh: 0 });
      calls.splice(0);
      for (const profileId of [9, 10]) {
        const own = { profileId, stackLevel: profileId, purpose: 'Tx', transactionId: 'resumed' } as const;
        await rig.command(charger.uid, {
          type: 'set-charging-profile',
          evse: 1,
          profile: { ...profile, ...own, kind: 'Relative', updateIntervalSeconds: null },
        });
      }
      const set = calls.splice(0);
      t.equal(set.length, 2);
      t.same(await station.event('Updated', 'resumed', { minutes: 5, triggerReason: 'TxResumed' }), {});
      const [job] = await claimJobs(sql, 'resend-profiles', 1);
      const refusals: object[] = [];
      const log = { warn: (about: object) => refusals.push(about) };
      const deps = { sql, bus: rig.bus, log } as unknown as ApiDeps & { log: Logger };
      const resend = async () => job && resendTransactionProfiles(deps, job.payload);
      await resend();
      t.same(calls.splice(0), set);
      t.same(refusals, []);
      status = 'Rejected';
      await resend();
      t.match(refusals, [{ profileId: 9, status }, { profileId: 10 }], 'what it refuses is logged');
      calls.splice(0);
      status = 'broken';
      await t.rejects(resend(), { code: 'CHARGER_REFUSED' });
      t.same(calls.splice(0), set, 'a profile that fails does not block the next one');
      await station.report(['SmartChargingCtrlr', 'ChargingProfilePersistence', 'true', 'TxProfile']);
      await resend();
      t.same(calls, [], 'a station that keeps them needs none');
    },
  );
});
