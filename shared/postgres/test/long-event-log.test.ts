import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { newestPosition, readEventLog } from '#shared/postgres/events/event-log.ts';
import { insertEndpoint } from '#shared/postgres/events/webhook-endpoints.statements.ts';
import { readHealth } from '#shared/postgres/events/webhook-health.ts';
import { areWebhooksDue } from '#shared/postgres/events/webhook-lanes.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

const events = 20_000;
/** PostgreSQL plans a prepared statement for any values from its sixth run on. */
const runs = 8;

void t.test('looks for events at the end of a long log by an index', async (t) => {
  // The plan depends on the size of the table, with the rows that earlier tests left dead in it.
  const { sql } = await testStores(t, { fresh: true });
  const { id: networkId } = await seedNetwork(sql);
  const endpoint = await sql.begin((transaction) =>
    insertEndpoint(
      transaction,
      networkId,
      {
        url: 'https://x.example',
        description: null,
        types: [],
        chargerUuid: null,
        locationUuid: null,
        order: 'object',
        isEnabled: true,
      },
      { keyId: null, operatorId: null },
    ),
  );
  await sql`
    insert into outbox (network_id, type, subject_id, subject_uuid)
    select ${networkId}, 'driver.updated', 1, gen_random_uuid() from generate_series(1, ${events})`;
  await assignPositions(sql);
  await sql`update webhook_lanes set position = (select max(position) from outbox)`;
  await sql`analyze outbox`;
  const end = await newestPosition(sql);
  await sql.begin(async (transaction) => {
    const scans = async (): Promise<bigint | undefined> => {
      const [row] = await transaction<{ scans: bigint }[]>`
        select pg_stat_get_xact_numscans('outbox'::regclass) as scans`;
      return row?.scans;
    };
    for (let run = 0; run < runs; run++) {
      t.notOk((await readEventLog(transaction, allNetworks, {}, end, 100)).hasMore);
      const [due] = await transaction<{ isDue: boolean }[]>`select ${areWebhooksDue(transaction)} as "isDue"`;
      t.equal(due?.isDue, false);
      await readHealth(transaction, [endpoint.id], []);
    }
    t.equal(await scans(), 0n, 'no scan of the whole table');
  });
});
