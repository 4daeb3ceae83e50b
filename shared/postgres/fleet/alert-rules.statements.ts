import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import type { AlertRecipient, AlertRule } from '#shared/domain/fleet/alert-rules.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Rule that a network set. `networkId` null: of the whole system. */
export interface StoredAlertRule extends AlertRule {
  networkId: number | null;
  kind: AlertKind;
  updatedAt: Date;
}

interface Row extends Omit<StoredAlertRule, 'quietHours'> {
  quietFrom: string | null;
  quietTo: string | null;
}

const columns = (sql: Queryable) => sql`
  network_id as "networkId", kind, is_enabled as "isEnabled", severity, thresholds, notifies, recipients,
  group_window_seconds as "groupWindowSeconds", quiet_from as "quietFrom", quiet_to as "quietTo",
  escalate_after_minutes as "escalateAfterMinutes", escalate_to as "escalateTo", updated_at as "updatedAt"`;

/** Returns the rules that are stored for a network, or for the whole system (null). */
export async function listAlertRules(sql: Queryable, networkId: number | null): Promise<StoredAlertRule[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from alert_rules where coalesce(network_id, 0) = ${networkId ?? 0}`;
  return rows.map(fromRow);
}

/** Returns the rules that are stored for all networks. */
export async function listAllAlertRules(sql: Queryable): Promise<StoredAlertRule[]> {
  const rows = await sql<Row[]>`select ${columns(sql)} from alert_rules`;
  return rows.map(fromRow);
}

/** Stores the rule of a kind. */
export async function putAlertRule(
  transaction: Transaction,
  networkId: number | null,
  kind: AlertKind,
  rule: AlertRule,
): Promise<void> {
  const { recipients, quietHours } = rule;
  const json = (list: AlertRecipient[]) => transaction.json(list as never);
  await transaction`
    insert into alert_rules (network_id, kind, is_enabled, severity, thresholds, notifies, recipients,
      group_window_seconds, quiet_from, quiet_to, escalate_after_minutes, escalate_to)
    values (${networkId}, ${kind}, ${rule.isEnabled}, ${rule.severity}, ${transaction.json(rule.thresholds)},
      ${rule.notifies}, ${recipients === null ? null : json(recipients)}, ${rule.groupWindowSeconds},
      ${quietHours?.from ?? null}, ${quietHours?.to ?? null}, ${rule.escalateAfterMinutes}, ${json(rule.escalateTo)})
    on conflict (coalesce(network_id, 0), kind) do update set is_enabled = excluded.is_enabled,
      severity = excluded.severity, thresholds = excluded.thresholds, notifies = excluded.notifies,
      recipients = excluded.recipients, group_window_seconds = excluded.group_window_seconds,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
      escalate_after_minutes = excluded.escalate_after_minutes, escalate_to = excluded.escalate_to, updated_at = now()`;
}

/** Removes the rule of a kind: the defaults apply again. */
export async function removeAlertRule(
  transaction: Transaction,
  networkId: number | null,
  kind: AlertKind,
): Promise<void> {
  await transaction`
    delete from alert_rules where coalesce(network_id, 0) = ${networkId ?? 0} and kind = ${kind}`;
}

function fromRow({ quietFrom, quietTo, ...rule }: Row): StoredAlertRule {
  const quietHours = quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo };
  return { ...rule, quietHours };
}
