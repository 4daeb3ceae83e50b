import { sessionKey } from '../promises.ts';
import type { AuditedStores, Evidence } from '../evidence.ts';
import { type Finding, repeated } from './finding.ts';

interface WrittenEvent {
  id: number;
  type: string;
  /** Charger and transaction of a session, else null. */
  uid: string | null;
  transactionId: string | null;
  /** Idempotency key of a wallet credit, identifier of another movement of a wallet, else null. */
  movement: string | null;
}

/**
 * Compares acknowledgements with written events, and written events with what each listener received: every started and ended
 * session and every credit has one event, and every event reached every listener.
 */
export async function auditEvents(
  { sql }: AuditedStores,
  { networkId, promises, listeners, lastEventBefore }: Evidence,
): Promise<{ events: Finding; deliveries: Finding }> {
  const written = await sql<WrittenEvent[]>`
    select o.id::float8, o.type, c.uid, s.ocpp_transaction_id as "transactionId", coalesce(l.reason, l.uuid::text) as movement
    from outbox o
      left join sessions s on o.type like 'session.%' and s.id = o.subject_id
      left join chargers c on c.id = s.charger_id
      left join ledger_transactions l on o.type = 'wallet.changed' and l.uuid = (o.data ->> 'movementId')::uuid
    where o.network_id = ${networkId} and o.subject_uuid is not null and o.id > ${lastEventBefore}`;
  const named = (type: string): string[] =>
    written
      .filter((event) => event.type === type)
      .map(
        ({ uid, transactionId, movement }) =>
          `${type} ${movement ?? sessionKey(uid ?? '', transactionId ?? '')}`,
      );
  const types = ['session.started', 'session.stopped', 'wallet.changed'];
  const names = types.flatMap(named);
  const known = new Set(names);
  const expected = [
    ...[...promises.started].map((key) => `session.started ${key}`),
    ...[...promises.ended.keys()].map((key) => `session.stopped ${key}`),
    ...[...promises.credits].map((key) => `wallet.changed ${key}`),
  ];
  const deliveries = listeners.flatMap(({ name, isOnce, counts }) =>
    written.map(({ id, type }) => ({ name: `${name} ${id} ${type}`, isOnce, count: counts.get(id) ?? 0 })),
  );
  return {
    events: {
      count: expected.length,
      lost: expected.filter((name) => !known.has(name)),
      doubled: repeated(names),
    },
    deliveries: {
      count: deliveries.length,
      lost: deliveries.filter(({ count }) => count === 0).map(({ name }) => name),
      doubled: deliveries.filter(({ isOnce, count }) => isOnce && count > 1).map(({ name }) => name),
    },
  };
}
