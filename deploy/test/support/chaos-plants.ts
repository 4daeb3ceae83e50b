import type { AuditedKind } from '#deploy/chaos/auditor.ts';
import type { Evidence } from '#deploy/chaos/evidence.ts';
import type { Fragment, Transaction } from '#shared/postgres/kernel/client.ts';

/** Loss or doubling that is planted in the records of a run. */
export interface Plant {
  title: string;
  kind: AuditedKind;
  side: 'lost' | 'doubled';
  /** Changes rows in a transaction that is rolled back; returns a changed part of the evidence, and text of the report's line. */
  plant(
    transaction: Transaction,
    evidence: Evidence,
  ): Promise<{ reported: string; changed?: Partial<Evidence> }>;
}

/** Losses and doublings of each kind of records in PostgreSQL, at the listeners and at the partner. */
export const plants: readonly Plant[] = [
  {
    title: 'a deleted session',
    kind: 'starts',
    side: 'lost',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      await sql`delete from sessions where id = ${id}`;
      return { reported: key };
    },
  },
  {
    title: 'a session that is stored twice',
    kind: 'starts',
    side: 'doubled',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      const names = { start_key: 'planted', ocpp_transaction_id: 'planted' };
      await copyRow(sql, 'sessions', sql`id = ${id}`, { id: -1, uuid: crypto.randomUUID(), ...names });
      return { reported: key.slice(0, key.indexOf(' ')) };
    },
  },
  {
    title: 'another final register',
    kind: 'ends',
    side: 'lost',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      await sql`update sessions set meter_stop_wh = meter_stop_wh + 1 where id = ${id}`;
      return { reported: key };
    },
  },
  {
    title: 'another price',
    kind: 'prices',
    side: 'lost',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      await sql`update sessions set cost_minor = cost_minor + 1 where id = ${id}`;
      return { reported: key };
    },
  },
  {
    title: 'a payment that is missing',
    kind: 'payments',
    side: 'lost',
    async plant(sql, evidence) {
      const { id, key } = await paidSession(sql, evidence);
      await sql`
        delete from ledger_entries where transaction_id in (select id from ledger_transactions where session_id = ${id})`;
      return { reported: key };
    },
  },
  {
    title: 'a session that was paid twice',
    kind: 'payments',
    side: 'doubled',
    async plant(sql, evidence) {
      const { id, key } = await paidSession(sql, evidence);
      await sql`
        update ledger_entries set amount_minor = 2 * amount_minor where account = 'revenue'
          and transaction_id in (select id from ledger_transactions where session_id = ${id})`;
      return { reported: key };
    },
  },
  {
    title: 'a balance that its entries do not explain',
    kind: 'payments',
    side: 'lost',
    async plant(sql) {
      const [wallet] = await sql<{ uuid: string }[]>`
        update wallets set available_minor = available_minor + 1 where id = (select min(id) from wallets) returning uuid`;
      return { reported: `wallet ${wallet?.uuid}` };
    },
  },
  {
    title: 'entries of a movement that do not sum to zero',
    kind: 'payments',
    side: 'lost',
    async plant(sql) {
      const [entry] = await sql<{ id: bigint }[]>`
        update ledger_entries set amount_minor = amount_minor + 1
        where id = (select min(id) from ledger_entries) returning transaction_id as id`;
      return { reported: `transaction ${entry?.id}` };
    },
  },
  {
    title: 'a deleted credit',
    kind: 'credits',
    side: 'lost',
    async plant(sql, { promises }) {
      const credit = first(promises.credits);
      await sql`delete from ledger_transactions where reason = ${credit}`;
      return { reported: credit };
    },
  },
  {
    title: 'a credit that is booked twice',
    kind: 'credits',
    side: 'doubled',
    async plant(sql, { promises }) {
      const credit = first(promises.credits);
      const changed = { id: -1, uuid: crypto.randomUUID(), cause_id: 'planted' };
      await copyRow(sql, 'ledger_transactions', sql`reason = ${credit}`, changed);
      return { reported: credit };
    },
  },
  {
    title: 'a command that no charger answered',
    kind: 'commands',
    side: 'lost',
    plant(_sql, { promises, answeredCommands }) {
      const id = first(promises.commands.keys());
      const others = new Map(answeredCommands);
      others.delete(id);
      return Promise.resolve({ reported: id, changed: { answeredCommands: others } });
    },
  },
  {
    title: 'a command that a charger got twice',
    kind: 'commands',
    side: 'doubled',
    plant(_sql, { promises, answeredCommands }) {
      const id = first(promises.commands.keys());
      const changed = { answeredCommands: new Map([...answeredCommands, [id, 2]]) };
      return Promise.resolve({ reported: id, changed });
    },
  },
  {
    title: 'a deleted audit entry of a command',
    kind: 'auditEntries',
    side: 'lost',
    async plant(sql, { promises }) {
      const id = first(promises.commands.keys());
      await sql`delete from audit_log where request_id = ${id}`;
      return { reported: id };
    },
  },
  {
    title: 'a command with two audit entries',
    kind: 'auditEntries',
    side: 'doubled',
    async plant(sql, { promises }) {
      const id = first(promises.commands.keys());
      await copyRow(sql, 'audit_log', sql`request_id = ${id}`, { id: -1 });
      return { reported: id };
    },
  },
  {
    title: 'a deleted event of an ended session',
    kind: 'events',
    side: 'lost',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      await sql`delete from outbox where type = 'session.stopped' and subject_id = ${id}`;
      return { reported: `session.stopped ${key}` };
    },
  },
  {
    title: 'an event that was written twice',
    kind: 'events',
    side: 'doubled',
    async plant(sql, evidence) {
      const { id, key } = await endedSession(sql, evidence);
      const where = sql`type = 'session.stopped' and subject_id = ${id}`;
      await copyRow(sql, 'outbox', where, { id: 2 ** 40, position: 2 ** 40 });
      return { reported: `session.stopped ${key}` };
    },
  },
  {
    title: 'an event that the webhook did not receive',
    kind: 'deliveries',
    side: 'lost',
    plant: (_sql, evidence) => deliver(evidence, 'webhook', 0),
  },
  {
    title: 'an event that a stream did not receive',
    kind: 'deliveries',
    side: 'lost',
    plant: (_sql, evidence) => deliver(evidence, 'stream at api-2', 0),
  },
  {
    title: 'an event that a resumed stream received twice',
    kind: 'deliveries',
    side: 'doubled',
    plant: (_sql, evidence) => deliver(evidence, 'stream at api-1', 2),
  },
  {
    title: 'a session that the partner did not receive',
    kind: 'pushedSessions',
    side: 'lost',
    async plant(sql, evidence) {
      const { uuid, key } = await endedSession(sql, evidence, sql`ocpi_partner_id is not null`);
      return { reported: key, changed: pushed(evidence, 'sessions', uuid, null) };
    },
  },
  {
    title: 'a session of which the partner has an older state',
    kind: 'pushedSessions',
    side: 'lost',
    async plant(sql, evidence) {
      const { uuid, key } = await endedSession(sql, evidence, sql`ocpi_partner_id is not null`);
      const older = { ...evidence.partner.sessions.get(uuid), status: 'ACTIVE' };
      return { reported: key, changed: pushed(evidence, 'sessions', uuid, older) };
    },
  },
  {
    title: 'a pushed session that is not stored',
    kind: 'pushedSessions',
    side: 'doubled',
    plant: (_sql, evidence) =>
      Promise.resolve({ reported: 'planted', changed: pushed(evidence, 'sessions', 'planted', {}) }),
  },
  {
    title: 'a CDR that the partner did not receive',
    kind: 'cdrs',
    side: 'lost',
    plant(_sql, evidence) {
      const id = first(evidence.partner.cdrs.keys());
      return Promise.resolve({ reported: id, changed: pushed(evidence, 'cdrs', id, null) });
    },
  },
  {
    title: 'a CDR that differs at the partner',
    kind: 'cdrs',
    side: 'lost',
    plant(_sql, evidence) {
      const [id, cdr] = first(evidence.partner.cdrs);
      const other = { ...cdr, total_energy: -1 };
      return Promise.resolve({ reported: id, changed: pushed(evidence, 'cdrs', id, other) });
    },
  },
  {
    title: 'a session with two CDRs',
    kind: 'cdrs',
    side: 'doubled',
    async plant(sql, evidence) {
      const [id, cdr] = first(evidence.partner.cdrs);
      const copy = { id: -1, uuid: crypto.randomUUID(), ocpi_id: 'planted' };
      await copyRow(sql, 'cdrs', sql`ocpi_id = ${id}`, copy);
      const changed = pushed(evidence, 'cdrs', 'planted', cdr);
      return { reported: String(cdr['session_id']), changed };
    },
  },
];

/** Returns a stored session whose end was acknowledged. */
async function endedSession(
  sql: Transaction,
  { networkId, promises }: Evidence,
  where: Fragment = sql`true`,
): Promise<{ id: bigint; uuid: string; key: string }> {
  const rows = await sql<{ id: bigint; uuid: string; key: string }[]>`
    select s.id, s.uuid, c.uid || ' ' || s.ocpp_transaction_id as key
    from sessions s join chargers c on c.id = s.charger_id where s.network_id = ${networkId} and ${where} order by s.id`;
  return first(rows.filter(({ key }) => promises.ended.has(key)));
}

/** Returns an ended session that a wallet paid. */
function paidSession(sql: Transaction, evidence: Evidence) {
  const isPaid = sql`exists (select from ledger_transactions t where t.session_id = s.id and t.cause = 'SESSION')`;
  return endedSession(sql, evidence, isPaid);
}

/** Inserts a copy of a row with other values. */
async function copyRow(sql: Transaction, table: string, where: Fragment, changed: object): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const stored = sql(columns.map(({ name }) => name));
  const { count } = await sql`
    insert into ${sql(table)} (${stored}) overriding system value
    select ${stored} from (
      select (jsonb_populate_record(r, ${sql.json(changed as never)})).* from ${sql(table)} r where ${where} limit 1
    ) copied`;
  if (count !== 1) throw new Error(`no row of ${table} was copied`);
}

/** Changes the number of deliveries of an event to a listener. The oldest ones may be older than the comparison. */
function deliver({ listeners }: Evidence, name: string, count: number) {
  const id = Math.max(...first(listeners.filter((listener) => listener.name === name)).counts.keys());
  const changed = listeners.map((listener) =>
    listener.name === name ? { ...listener, counts: new Map([...listener.counts, [id, count]]) } : listener,
  );
  return Promise.resolve({ reported: `${name} ${id} `, changed: { listeners: changed } });
}

function pushed(
  { partner }: Evidence,
  kind: 'sessions' | 'cdrs',
  id: string,
  object: Record<string, unknown> | null,
): Partial<Evidence> {
  const objects = new Map(partner[kind]);
  if (object === null) objects.delete(id);
  else objects.set(id, object);
  return { partner: { ...partner, [kind]: objects } };
}

function first<Item>(items: Iterable<Item>): Item {
  for (const item of items) return item;
  throw new Error('there is nothing to change');
}
