import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  remoteStartStatuses,
  type RemoteStartStatus,
  remoteStartTransitions,
} from '#shared/domain/charging/remote-start.ts';
import type { SessionStart } from '#shared/domain/charging/session.ts';
import {
  bindRemoteStart,
  claimRemoteStart,
  expireRemoteStart,
  expireRemoteStarts,
  refuseRemoteStart,
  unbindEarlierSession,
} from '#shared/postgres/charging/remote-starts.statements.ts';
import { insertSession } from '#shared/postgres/charging/session-writes/start.statements.ts';
import { seedCharger, seedNetwork, seedToken, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const root = join(import.meta.dirname, '../../..');
const hour = 60 * 60_000;

type RemoteStartEvent = keyof typeof remoteStartTransitions;

/** Returns the state that the table names after an event. */
function afterEvent(status: RemoteStartStatus, event: RemoteStartEvent): RemoteStartStatus {
  const { from, to } = remoteStartTransitions[event];
  return (from as readonly RemoteStartStatus[]).includes(status) ? to : status;
}

void t.test('moves a remote start by the transitions of the table, and no other', async (t) => {
  const { sql } = await testStores(t);
  const network = await seedNetwork(sql);

  /** A remote start in a state; `started` has a session that was reported an hour late. */
  const startIn = async (status: RemoteStartStatus) => {
    const charger = await seedCharger(sql, network.id, { connectors: 1 });
    const [connector] = await sql<
      { id: number }[]
    >`select id from connectors where charger_id = ${charger.id}`;
    const idToken = await seedToken(sql, network.id);
    const claim = {
      uuid: randomUUID(),
      chargerId: charger.id,
      connectorId: connector?.id ?? 0,
      evse: 1,
      userId: null,
      idToken,
      remoteStartId: 1,
      limits: null,
      expiresAt: new Date(Date.now() + hour),
    };
    const start = await sql.begin((transaction) => claimRemoteStart(transaction, claim));
    if (start === null) throw new Error('the connector is occupied');
    const session = await reportSession(charger.id, idToken);
    const sessionId = status === 'started' ? session.id : null;
    await sql`update remote_starts set status = ${status}, session_id = ${sessionId} where id = ${start.id}`;
    const read = async () => {
      const [row] = await sql<{ status: RemoteStartStatus; sessionId: bigint | null }[]>`
        select status, session_id as "sessionId" from remote_starts where id = ${start.id}`;
      return row;
    };
    return { ...claim, ...start, session, read };
  };
  const reportSession = async (chargerId: number, idToken: string) => {
    const start: SessionStart = {
      position: { evse: 1, connector: 1 },
      idToken,
      transactionId: null,
      startedAt: new Date(Date.now() - 3 * hour),
      receivedAt: new Date(),
      meterStartWh: 0,
      remoteStartId: null,
      flags: [],
    };
    const { uuid } = await insertSession(sql, {
      chargerId,
      networkId: network.id,
      start,
      startKey: randomUUID(),
      idTokenId: null,
      userId: null,
      authorizationStatus: 'Accepted',
      roaming: null,
    });
    const [row] = await sql<{ id: bigint }[]>`select id from sessions where uuid = ${uuid}`;
    return { uuid, id: row?.id ?? 0n };
  };
  type Start = Awaited<ReturnType<typeof startIn>>;
  const stop = { endedAt: new Date(Date.now() - hour), receivedAt: new Date() };
  const unbind = ({ session }: Start) =>
    sql.begin((transaction) => unbindEarlierSession(transaction, session.id, stop));
  const events: Record<RemoteStartEvent, (start: Start) => Promise<unknown>> = {
    refuse: ({ uuid }) => refuseRemoteStart(sql, uuid),
    expire: ({ uuid }) => expireRemoteStart(sql, uuid),
    bind: ({ chargerId, idToken, session }) =>
      bindRemoteStart(sql, chargerId, { uuid: session.uuid, idToken, evse: 1, remoteStartId: null }),
    resume: unbind,
    async unbind(start) {
      await sql`update remote_starts set expires_at = now() where uuid = ${start.uuid}`;
      await unbind(start);
    },
  };

  for (const status of remoteStartStatuses) {
    for (const [event, run] of Object.entries(events) as [
      RemoteStartEvent,
      (start: Start) => Promise<unknown>,
    ][]) {
      const expected = afterEvent(status, event);
      await t.test(`${event} leads from ${status} to ${expected}`, async (t) => {
        const start = await startIn(status);
        await run(start);
        const sessionId = expected === 'started' ? start.session.id : null;
        t.same(await start.read(), { status: expected, sessionId });
      });
    }
  }

  await t.test('expires only pending starts at the deadline', async (t) => {
    const starts = await Promise.all(
      remoteStartStatuses.map(async (status) => ({ status, start: await startIn(status) })),
    );
    await sql`update remote_starts set expires_at = now() - interval '1 second'`;
    await expireRemoteStarts(sql);
    for (const { status, start } of starts) {
      t.equal((await start.read())?.status, afterEvent(status, 'expire'), status);
    }
  });

  await t.test('expires the overdue claim of a connector before the next claim', async (t) => {
    const overdue = await startIn('pending');
    const next = () =>
      sql.begin((transaction) => claimRemoteStart(transaction, { ...overdue, uuid: randomUUID() }));
    t.equal(await next(), null, 'the connector is occupied');
    await sql`update remote_starts set expires_at = now() where uuid = ${overdue.uuid}`;
    t.match(await next(), { uuid: String });
    t.equal((await overdue.read())?.status, 'expired');
  });

  await t.test('accepts one of several concurrent claims after an overdue one', async (t) => {
    const overdue = await startIn('pending');
    await sql`update remote_starts set expires_at = now() where uuid = ${overdue.uuid}`;
    const claims = await Promise.all(
      Array.from({ length: 4 }, () =>
        sql.begin((transaction) => claimRemoteStart(transaction, { ...overdue, uuid: randomUUID() })),
      ),
    );
    t.equal(claims.filter((claim) => claim !== null).length, 1);
  });

  await t.test(
    'refuses in the database a started start without a session, and a session in another state',
    async (t) => {
      const start = await startIn('pending');
      await t.rejects(sql`update remote_starts set status = 'started' where uuid = ${start.uuid}`);
      await t.rejects(
        sql`update remote_starts set session_id = ${start.session.id} where uuid = ${start.uuid}`,
      );
    },
  );
});

void t.test('leads to another state by every transition', async (t) => {
  for (const [event, { from, to }] of Object.entries(remoteStartTransitions)) {
    t.notOk((from as readonly string[]).includes(to), event);
  }
});

/** Sources of the product. Tests and their helpers store starts of their own; migrations change all that exist. */
const sources = globSync(['{api,gateway,shared,deploy}/**/*.ts'], { cwd: root }).filter(
  (file) => !/node_modules|\/test\/|^shared\/testing\//.test(file),
);

void t.test('writes the table remote_starts in one module', async (t) => {
  const write = /\b(?:insert\s+into|update|delete\s+from)\s+remote_starts\b/i;
  const writers = sources.filter((file) => write.test(readFileSync(join(root, file), 'utf8')));
  t.strictSame(writers, ['shared/postgres/charging/remote-starts.statements.ts']);
});

void t.test('moves waiting limits and holds to their remote starts in migration 0480', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  await sql.unsafe(`
    alter table remote_starts drop column max_cost_minor, drop column max_duration_s, drop column max_energy_wh;
    alter table wallet_holds drop column remote_start_id;
    create table pending_session_limits (
      charger_id integer not null, remote_start_id integer not null, max_cost_minor bigint, max_duration_s integer,
      max_energy_wh double precision, expires_at timestamptz not null, hold_id bigint references wallet_holds (id))`);
  const network = await seedNetwork(sql);
  const charger = await seedCharger(sql, network.id);
  const user = await seedUser(sql, network.id);
  await sql`
    with wallet as (
      insert into wallets (user_id, network_id, currency) values (${user.id}, ${network.id}, 'EUR') returning id
    ), hold as (
      insert into wallet_holds (wallet_id, amount_minor, expires_at) select id, 500, now() from wallet returning id
    ), start as (
      insert into remote_starts (charger_id, id_token, remote_start_id, expires_at)
      values (${charger.id}, 'TAG', 7, now()), (${charger.id}, 'TAG', 8, now())
    )
    insert into pending_session_limits (charger_id, remote_start_id, max_cost_minor, max_energy_wh, expires_at, hold_id)
    select ${charger.id}, 7, 900, 2000, now(), id from hold`;
  const migration = join(root, 'shared/postgres/migrations/0480_limits_and_holds_of_remote_starts.sql');
  await sql.unsafe(await readFile(migration, 'utf8'));
  const rows = await sql`
    select r.remote_start_id as number, r.max_cost_minor as cost, r.max_energy_wh as energy, h.amount_minor as held
    from remote_starts r left join wallet_holds h on h.remote_start_id = r.id order by 1`;
  t.same(
    [...rows],
    [
      { number: 7, cost: 900n, energy: 2000, held: 500n },
      { number: 8, cost: null, energy: null, held: null },
    ],
  );
});
