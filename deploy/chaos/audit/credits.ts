import type { AuditedStores, Evidence } from '../evidence.ts';
import type { Finding } from './finding.ts';

/** Compares acknowledged wallet credits with the ledger. */
export async function auditCredits(
  { sql }: AuditedStores,
  { promises }: Evidence,
): Promise<{ credits: Finding }> {
  const rows = await sql<{ reason: string; count: number }[]>`
    select reason, count(*)::integer from ledger_transactions where cause = 'CREDIT' group by 1`;
  const booked = new Map(rows.map(({ reason, count }) => [reason, count]));
  return {
    credits: {
      count: promises.credits.size,
      lost: [...promises.credits].filter((key) => !booked.has(key)),
      doubled: [...booked].filter(([, count]) => count > 1).map(([key]) => key),
    },
  };
}
