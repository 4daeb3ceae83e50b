import { auditCommands } from './audit/commands.ts';
import { auditCredits } from './audit/credits.ts';
import { auditEvents } from './audit/events.ts';
import type { Finding } from './audit/finding.ts';
import { auditPayments } from './audit/payments.ts';
import { auditPushes } from './audit/pushes.ts';
import { auditReadings } from './audit/readings.ts';
import { auditSessions } from './audit/sessions.ts';
import type { AuditedStores, Evidence } from './evidence.ts';

/** Kinds of records that are compared, by their names in a report. */
export const auditedKinds = {
  readings: 'readings',
  starts: 'started sessions',
  ends: 'ended sessions',
  prices: 'prices of ended sessions',
  payments: 'payments of sessions from wallets',
  credits: 'wallet credits',
  commands: 'commands',
  auditEntries: 'audit entries of commands',
  events: 'events of sessions and credits',
  deliveries: 'deliveries of events to listeners',
  pushedSessions: 'sessions at the partner',
  cdrs: 'CDRs at the partner',
} as const;

export type AuditedKind = keyof typeof auditedKinds;

/** Records that differ from what was acknowledged, by their kind. */
export type Audit = Record<AuditedKind, Finding> & {
  /** Request ids of commands whose audit entries a killed PostgreSQL lost before its flush. Not counted as lost. */
  unflushed: string[];
};

/** Compares everything that was acknowledged with what is stored and what listeners and the partner received. */
export async function audit(stores: AuditedStores, evidence: Evidence): Promise<Audit> {
  return {
    ...(await auditReadings(stores, evidence)),
    ...(await auditSessions(stores, evidence)),
    ...(await auditPayments(stores, evidence)),
    ...(await auditCredits(stores, evidence)),
    ...(await auditCommands(stores, evidence)),
    ...(await auditEvents(stores, evidence)),
    ...(await auditPushes(stores, evidence)),
  };
}

/** Returns the findings of each kind. */
export function findingsOf(found: Audit): [AuditedKind, Finding][] {
  return (Object.keys(auditedKinds) as AuditedKind[]).map((kind) => [kind, found[kind]]);
}

/** Returns the number of records that are lost or doubled. */
export function totals(found: Audit): { lost: number; doubled: number } {
  const findings = findingsOf(found).map(([, finding]) => finding);
  return {
    lost: findings.reduce((sum, { lost }) => sum + lost.length, 0),
    doubled: findings.reduce((sum, { doubled }) => sum + (doubled?.length ?? 0), 0),
  };
}
