import { maskValue } from '#shared/domain/kernel/masking.ts';
import {
  insertAuditEntry,
  insertReportedEntry,
  type NewAuditEntry,
} from '#shared/postgres/access/audit-log.statements.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import type { Caller } from './callers.ts';
import type { Claim } from './idempotency.service.ts';

/** Caller of a request, and its address. */
export interface Actor {
  caller: Caller;
  ipAddress: string;
  /** Request id, as in the API's log. */
  requestId?: string | undefined;
  /** Bulk job in whose name the act is done. */
  bulkJobId?: string | undefined;
  /** Import in whose name the act is done. */
  importId?: string | undefined;
  /** Claim of the request, when it carries an Idempotency-Key. */
  claim?: Claim | null;
}

/** A roaming partner that changes what its network granted it to. */
export interface PartnerActor {
  partner: { uuid: string; name: string };
  ipAddress: string;
  requestId?: string | undefined;
}

/** Action recorded in the audit log. */
export interface AuditedAct {
  networkId: number | null;
  category: string;
  action: string;
  resourceId: string;
  resourceName: string;
  description: string;
  details: Record<string, unknown>;
}

/**
 * Maximum length of details, which are cut there: the beginning of a list of a thousand tokens is enough for
 * an audit.
 */
const maxDetailCharacters = 16_384;

/** A part of the product that acts by itself. */
export interface OwnActor {
  part: string;
}

/**
 * Writes to the audit log who did what; secrets in the details are masked. A change is written in its own transaction:
 * no change exists without its entry.
 */
export async function audit(
  sql: Queryable,
  by: Actor | PartnerActor | OwnActor,
  act: AuditedAct,
): Promise<void> {
  await insertAuditEntry(sql, entryOf(by, act));
}

/**
 * The same for an act outside the database that has ended, such as a command: no transaction contains it. The caller waits for
 * PostgreSQL, and not for its disk. `events` are common table expressions that write the events of the act.
 */
export async function auditReported(
  sql: Sql,
  by: Actor | PartnerActor | OwnActor,
  act: AuditedAct,
  events: Fragment | null = null,
): Promise<void> {
  await insertReportedEntry(sql, entryOf(by, act), events);
}

function entryOf(by: Actor | PartnerActor | OwnActor, act: AuditedAct): NewAuditEntry {
  const from = 'part' in by ? { ipAddress: null, requestId: null } : by;
  return {
    ...act,
    details: bounded({
      ...act.details,
      ...('caller' in by && { bulkJobId: by.bulkJobId, importId: by.importId }),
    }),
    ...identityOf(by),
    ipAddress: from.ipAddress,
    requestId: from.requestId ?? null,
  };
}

function identityOf(by: Actor | PartnerActor | OwnActor) {
  if ('part' in by) return { apiKeyId: null, userId: null, userName: by.part };
  if ('partner' in by) {
    return { apiKeyId: null, userId: by.partner.uuid, userName: `OCPI partner ${by.partner.name}` };
  }
  const { who, userId } = by.caller;
  // Entries are never changed: that of a driver has no name, because the driver can be deleted.
  const userName = userId === null ? who.name : null;
  return { apiKeyId: who.kind === 'key' ? who.id : null, userId: who.uuid, userName };
}

/** Audited change of a record. `before` null: it was created; `after` null: it was deleted. */
export interface AuditedChange extends Omit<AuditedAct, 'details' | 'description'> {
  before: object | null;
  after: object | null;
  /** Reason, where the operator had to give one. */
  reason?: string | undefined;
}

/** Writes a change to the audit log, with those fields before and after that it changed. */
export async function auditChange(
  sql: Queryable,
  by: Actor | PartnerActor | OwnActor,
  change: AuditedChange,
): Promise<void> {
  const { before, after, reason, ...act } = change;
  await audit(sql, by, {
    ...act,
    description: `${act.category} ${act.resourceName}: ${act.action}${reason === undefined ? '' : ` (${reason})`}`,
    details: { ...differing(before, after), ...(reason !== undefined && { reason }) },
  });
}

/**
 * Returns a record with marks for its personal data, because entries are never changed and personal data must be erasable.
 * @param before the record before the change, to mark what differs. Null: nothing differs.
 */
export function withoutPersonalData<T extends object>(
  record: T,
  fields: readonly (keyof T)[],
  before: T | null,
): object {
  const hidden = fields.map((field) => {
    const isChanged = before !== null && before[field] !== record[field];
    return [field, record[field] === null ? null : isChanged ? '(changed)' : '(personal)'];
  });
  return { ...record, ...Object.fromEntries(hidden) };
}

function differing(before: object | null, after: object | null): Record<string, unknown> {
  if (before === null || after === null) return { before, after };
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => toJson(was[name]) !== toJson(is[name]));
  const pick = (from: Record<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(was), after: pick(is) };
}

function bounded(details: Record<string, unknown>): Record<string, unknown> {
  const plain = maskValue(JSON.parse(toJson(details))) as Record<string, unknown>;
  const text = JSON.stringify(plain);
  if (text.length <= maxDetailCharacters) return plain;
  return { truncated: true, text: text.slice(0, maxDetailCharacters) };
}

/** Dates are text, and so are whole numbers that JSON's may not hold. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, field: unknown) =>
    typeof field === 'bigint' ? String(field) : field,
  );
}

/** Returns the audit log entry of an action on an operator, with the network that it is shown in. */
export function auditedOperator(operator: OperatorRecord, action: string) {
  const { uuid, name, email, networkIds } = operator;
  return {
    networkId: networkIds[0] ?? null,
    category: 'operator',
    action,
    resourceId: uuid,
    resourceName: email ?? name,
  };
}
