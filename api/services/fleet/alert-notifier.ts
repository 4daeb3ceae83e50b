import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import { type AlertRule, effectiveAlertRule } from '#shared/domain/fleet/alert-rules.ts';
import { quietUntil } from '#shared/domain/fleet/quiet-hours.ts';
import {
  type AlertNotification,
  groupAlerts,
  holdAlerts,
  listCollected,
  listPendingAlerts,
  lockDelivery,
  markNotified,
  type PendingAlert,
  releaseHeldAlerts,
  settleCollected,
  silenceNotification,
  takeAbandoned,
  takeCleared,
  takeEscalations,
} from '#shared/postgres/fleet/alert-notifications.ts';
import {
  insertChannelNotices,
  insertClearedChannelNotices,
} from '#shared/postgres/fleet/alert-channel-notices.ts';
import { insertClearedNotices, insertNotices } from '#shared/postgres/fleet/alert-notices.ts';
import { listAlertAddresses } from '#shared/postgres/fleet/alert-recipients.ts';
import { listAllAlertRules } from '#shared/postgres/fleet/alert-rules.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { sendDueNotices } from './alert-mails.ts';

type RuleLookup = (networkId: number | null, kind: AlertKind) => AlertRule;

/**
 * Groups new alerts, writes the notices of what opened, escalates or is over, and queues their e-mails. One transaction of one process at a
 * time: an e-mail is queued if and only if its notices are marked as sent. Returns the number of queued e-mails.
 */
export async function deliverAlerts(deps: Pick<ServiceDeps, 'sql' | 'settings'>): Promise<number> {
  return deps.sql.begin(async (transaction) => {
    if (!(await lockDelivery(transaction))) return 0;
    const ruleOf = await readRules(transaction, deps.settings);
    await notifyCollected(transaction, ruleOf);
    await releaseHeldAlerts(transaction);
    await groupPending(transaction, ruleOf);
    await notifyCollected(transaction, ruleOf);
    await escalate(transaction, ruleOf);
    await notifyCleared(transaction, ruleOf);
    return sendDueNotices(deps, transaction);
  });
}

const nameOf = (networkId: number | null, kind: AlertKind) => `${networkId ?? 0} ${kind}`;

async function readRules(transaction: Transaction, settings: ServiceDeps['settings']): Promise<RuleLookup> {
  const stored = await listAllAlertRules(transaction);
  const rules = new Map(stored.map((rule) => [nameOf(rule.networkId, rule.kind), rule]));
  return (networkId, kind) => effectiveAlertRule(kind, rules.get(nameOf(networkId, kind)), settings);
}

const isHeld = (alert: PendingAlert) => alert.isFlapping && alert.isKnownToFlap;

async function groupPending(transaction: Transaction, ruleOf: RuleLookup): Promise<void> {
  const pending = await listPendingAlerts(transaction);
  const earlier = new Set(pending.flatMap(({ notificationId }) => notificationId ?? []));
  await holdAlerts(transaction, idsOf(pending.filter(isHeld)), 'flapping');
  const others = pending.filter((alert) => !isHeld(alert));
  await holdAlerts(transaction, idsOf(others.filter(({ isOpen }) => !isOpen)), 'silent');
  const groups = new Map<string, [PendingAlert, ...PendingAlert[]]>();
  for (const alert of others.filter(({ isOpen }) => isOpen)) {
    const name = JSON.stringify([alert.networkId, alert.kind, alert.locationId, alert.isFlapping]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [alert]);
    else group.push(alert);
  }
  for (const group of groups.values()) {
    const [{ networkId, kind, locationId, isFlapping }] = group;
    await groupAlerts(transaction, {
      networkId,
      kind,
      locationId,
      isFlapping,
      severity: group.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning',
      groupWindowSeconds: ruleOf(networkId, kind).groupWindowSeconds,
      alertIds: idsOf(group),
    });
  }
  for (const notification of await takeAbandoned(transaction, [...earlier])) {
    const rule = ruleOf(notification.networkId, notification.kind);
    // Its alert is not over: only what receivers keep of it is ended, such as an incident.
    await insertClearedChannelNotices(
      transaction,
      { ...notification, isReported: false },
      dueAt(rule, notification),
    );
  }
}

const idsOf = (alerts: readonly PendingAlert[]) => alerts.map(({ id }) => id);

async function notifyCollected(transaction: Transaction, ruleOf: RuleLookup): Promise<void> {
  for (const notification of await listCollected(transaction)) {
    const { id, networkId, kind } = notification;
    const rule = ruleOf(networkId, kind);
    const open = await settleCollected(transaction, id);
    const addresses =
      open > 0 && rule.notifies ? await listAlertAddresses(transaction, networkId, rule.recipients) : [];
    const dueTime = dueAt(rule, notification);
    const channels =
      open > 0 && rule.notifies
        ? await insertChannelNotices(transaction, notification, 'raised', dueTime)
        : 0;
    // Without recipients of its own it may still escalate.
    if (
      addresses.length + channels === 0 &&
      !(open > 0 && rule.notifies && rule.escalateAfterMinutes !== null)
    ) {
      await silenceNotification(transaction, id);
      continue;
    }
    await insertNotices(transaction, notification, 'raised', addresses, dueTime);
    await markNotified(transaction, id, rule.escalateAfterMinutes);
  }
}

async function escalate(transaction: Transaction, ruleOf: RuleLookup): Promise<void> {
  for (const notification of await takeEscalations(transaction)) {
    const { networkId, kind } = notification;
    const rule = ruleOf(networkId, kind);
    const addresses = await listAlertAddresses(transaction, networkId, rule.escalateTo);
    const dueTime = dueAt(rule, notification);
    await insertNotices(transaction, notification, 'escalated', addresses, dueTime);
    await insertChannelNotices(transaction, notification, 'escalated', dueTime);
  }
}

async function notifyCleared(transaction: Transaction, ruleOf: RuleLookup): Promise<void> {
  for (const notification of await takeCleared(transaction)) {
    const rule = ruleOf(notification.networkId, notification.kind);
    const dueTime = dueAt(rule, notification);
    if (notification.isReported) await insertClearedNotices(transaction, notification, dueTime);
    await insertClearedChannelNotices(transaction, notification, dueTime);
  }
}

/** Returns the end of the quiet hours in progress, before which no notice is sent; null outside of them. */
function dueAt({ quietHours }: AlertRule, { timeZone }: AlertNotification): Date | null {
  return quietHours === null ? null : quietUntil(quietHours, timeZone, new Date());
}
