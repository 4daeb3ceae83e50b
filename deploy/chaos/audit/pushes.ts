import { isDeepStrictEqual } from 'node:util';
import type { AuditedStores, Evidence } from '../evidence.ts';
import { sessionKey } from '../promises.ts';
import { type Finding, repeated } from './finding.ts';

interface StoredSession {
  uuid: string;
  key: string;
  kwh: number;
  endedAt: Date;
  costMinor: number;
}

interface StoredCdr {
  id: string;
  sessionUuid: string;
  /** True for a CDR that is neither a credit nor credited. */
  isValid: boolean;
  document: Record<string, unknown>;
}

/** Compares the partner's ended sessions with what the partner holds: the final state of each, and each CDR as stored. */
export async function auditPushes(
  { sql }: AuditedStores,
  { networkId, promises, partner }: Evidence,
): Promise<{ pushedSessions: Finding; cdrs: Finding }> {
  const rows = await sql<(Omit<StoredSession, 'key'> & { uid: string; transactionId: string })[]>`
    select s.uuid, c.uid, s.ocpp_transaction_id as "transactionId", s.energy_wh::float8 / 1000 as kwh,
      s.ended_at as "endedAt", s.cost_minor::float8 as "costMinor"
    from sessions s join chargers c on c.id = s.charger_id
    where s.network_id = ${networkId} and s.ocpi_partner_id is not null`;
  const sessions = rows.map((row) => ({ ...row, key: sessionKey(row.uid, row.transactionId) }));
  const ended = sessions.filter(({ key }) => promises.ended.has(key));
  const stored = await sql<StoredCdr[]>`
    select c.ocpi_id as id, s.uuid as "sessionUuid", c.document,
      c.credits_id is null and not exists (select from cdrs k where k.credits_id = c.id) as "isValid"
    from cdrs c join sessions s on s.id = c.session_id where c.network_id = ${networkId}`;
  const valid = stored.filter(({ isValid }) => isValid).map(({ sessionUuid }) => sessionUuid);
  const billed = new Set(valid);
  const documents = new Map(stored.map(({ id, document }) => [id, document]));
  return {
    pushedSessions: {
      count: ended.length,
      lost: ended
        .filter((session) => !isFinal(session, partner.sessions.get(session.uuid)))
        .map(({ key }) => key),
      doubled: unknownTo(
        sessions.map(({ uuid }) => uuid),
        partner.sessions,
      ),
    },
    cdrs: {
      count: stored.length,
      lost: [
        ...ended.filter(({ uuid }) => !billed.has(uuid)).map(({ key }) => `not created: ${key}`),
        ...[...documents]
          .filter(([id, document]) => !isDeepStrictEqual(partner.cdrs.get(id), document))
          .map(([id]) => id),
      ],
      doubled: [...repeated(valid), ...unknownTo([...documents.keys()], partner.cdrs)],
    },
  };
}

/** Returns true when a pushed session has the final values of the stored one. */
function isFinal(stored: StoredSession, pushed: Record<string, unknown> | undefined): boolean {
  const cost = pushed?.['total_cost'] as { incl_vat?: number } | undefined;
  return (
    pushed?.['status'] === 'COMPLETED' &&
    pushed['kwh'] === stored.kwh &&
    pushed['end_date_time'] === stored.endedAt.toISOString() &&
    cost?.incl_vat === stored.costMinor / 100
  );
}

function unknownTo(ids: readonly string[], held: ReadonlyMap<string, unknown>): string[] {
  const known = new Set(ids);
  return [...held.keys()].filter((id) => !known.has(id));
}
