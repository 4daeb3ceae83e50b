import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type AlertKind, alertKinds } from '#shared/domain/fleet/alert.ts';
import {
  type AlertRecipient,
  type AlertRule,
  defaultAlertRule,
  effectiveAlertRule,
  systemAlertKinds,
} from '#shared/domain/fleet/alert-rules.ts';
import { listReachableOperators } from '#shared/postgres/fleet/alert-recipients.ts';
import {
  listAlertRules,
  putAlertRule,
  removeAlertRule,
  type StoredAlertRule,
} from '#shared/postgres/fleet/alert-rules.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { keepNetwork, networkForNew } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Network of rules: the named one, else the caller's only one; or the whole system. */
export interface RuleOwner {
  networkUuid: string | undefined;
  isSystem: boolean;
}

/** Rule in effect. */
export interface AlertRuleView extends AlertRule {
  kind: AlertKind;
  networkId: number | null;
  /** Null: unchanged defaults. */
  updatedAt: Date | null;
}

interface Owner {
  id: number | null;
  uuid: string | null;
}

/**
 * Returns the rules in effect, of all kinds.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, VALIDATION_FAILED.
 */
export async function readAlertRules(
  deps: ServiceDeps,
  caller: Caller,
  about: RuleOwner,
): Promise<AlertRuleView[]> {
  const owner = await ownerOf(deps, caller, about);
  const stored = await listAlertRules(deps.sql, owner.id);
  const kinds =
    owner.id === null ? systemAlertKinds : alertKinds.filter((kind) => kind !== 'gateway-spooling');
  return kinds.map((kind) => viewOf(deps, owner, kind, stored));
}

/**
 * Replaces the rule of a kind; missing settings get their defaults.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, VALIDATION_FAILED.
 */
export async function setAlertRule(
  deps: ServiceDeps,
  by: Actor,
  about: RuleOwner,
  kind: AlertKind,
  changes: Partial<AlertRule>,
): Promise<AlertRuleView> {
  const owner = await ownerOf(deps, by.caller, about);
  requireKind(kind, owner);
  const usual = defaultAlertRule(kind, deps.settings);
  const rule: AlertRule = { ...usual, ...changes, thresholds: changes.thresholds ?? {} };
  validate(kind, rule, Object.keys(usual.thresholds));
  return change(deps, by, owner, kind, 'set', async (transaction) => {
    await requireOperators(transaction, owner.id, rule);
    await putAlertRule(transaction, owner.id, kind, rule);
  });
}

/**
 * Removes the rule of a kind: its defaults apply again.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, VALIDATION_FAILED.
 */
export async function resetAlertRule(
  deps: ServiceDeps,
  by: Actor,
  about: RuleOwner,
  kind: AlertKind,
): Promise<AlertRuleView> {
  const owner = await ownerOf(deps, by.caller, about);
  requireKind(kind, owner);
  return change(deps, by, owner, kind, 'reset', (transaction) =>
    removeAlertRule(transaction, owner.id, kind),
  );
}

async function change(
  deps: ServiceDeps,
  by: Actor,
  owner: Owner,
  kind: AlertKind,
  action: 'set' | 'reset',
  write: (transaction: Transaction) => Promise<void>,
): Promise<AlertRuleView> {
  return deps.sql.begin(async (transaction) => {
    if (owner.id !== null) await keepNetwork(transaction, { id: owner.id, uuid: owner.uuid ?? '' });
    const before = viewOf(deps, owner, kind, await listAlertRules(transaction, owner.id));
    await write(transaction);
    const after = viewOf(deps, owner, kind, await listAlertRules(transaction, owner.id));
    await auditChange(transaction, by, {
      networkId: owner.id,
      category: 'alert-rule',
      action,
      resourceId: kind,
      resourceName: kind,
      before,
      after,
    });
    return after;
  });
}

function viewOf(
  { settings }: Pick<ServiceDeps, 'settings'>,
  owner: Owner,
  kind: AlertKind,
  stored: readonly StoredAlertRule[],
): AlertRuleView {
  const own = stored.find((rule) => rule.kind === kind);
  const rule = effectiveAlertRule(kind, own, settings);
  return { ...rule, kind, networkId: owner.id, updatedAt: own?.updatedAt ?? null };
}

async function ownerOf(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, isSystem }: RuleOwner,
): Promise<Owner> {
  if (!isSystem) return networkForNew(deps, caller, networkUuid, 'networkId');
  if (!caller.unrestricted) {
    throw new DomainError(
      'NETWORK_NOT_ALLOWED',
      'Rules of the whole system require a caller without a restriction to networks.',
    );
  }
  if (networkUuid !== undefined) {
    throw new DomainError('VALIDATION_FAILED', 'Invalid query: send networkId or system, not both.', {
      errors: [{ field: 'system', message: 'excludes networkId' }],
    });
  }
  return { id: null, uuid: null };
}

function requireKind(kind: AlertKind, owner: Owner): void {
  const isKnown = owner.id === null ? systemAlertKinds.includes(kind) : kind !== 'gateway-spooling';
  if (isKnown) return;
  const message =
    owner.id === null
      ? `is a kind of networks: of the whole system are ${systemAlertKinds.join(' and ')}`
      : 'is a kind of the whole system: send system=true';
  throw new DomainError('VALIDATION_FAILED', `Invalid path: kind ${message}.`, {
    errors: [{ field: 'kind', message }],
  });
}

function validate(kind: AlertKind, rule: AlertRule, thresholds: string[]): void {
  const unknown = Object.keys(rule.thresholds).find((name) => !thresholds.includes(name));
  if (unknown !== undefined) {
    const known = thresholds.length === 0 ? 'it has none' : `it has ${thresholds.join(', ')}`;
    throw wrongField(`thresholds.${unknown}`, `is no threshold of ${kind}: ${known}`);
  }
  for (const field of ['recipients', 'escalateTo'] as const) {
    for (const [at, { operatorId, email }] of (rule[field] ?? []).entries()) {
      if ((operatorId === null) === (email === null))
        throw wrongField(`${field}.${at}`, 'must have either operatorId or email');
    }
  }
  if (rule.quietHours !== null && rule.quietHours.from === rule.quietHours.to)
    throw wrongField('quietHours.to', 'must differ from quietHours.from');
  if (rule.escalateAfterMinutes !== null && rule.escalateTo.length === 0)
    throw wrongField('escalateTo', 'must have a recipient when escalateAfterMinutes is set');
}

const idsOf = (list: readonly AlertRecipient[] | null) =>
  (list ?? []).flatMap(({ operatorId }) => (operatorId === null ? [] : [operatorId]));

/** Refuses operators without access to the network: they must not learn of its alerts. */
async function requireOperators(
  transaction: Transaction,
  networkId: number | null,
  { recipients, escalateTo }: AlertRule,
): Promise<void> {
  const reachable = await listReachableOperators(transaction, networkId, [
    ...idsOf(recipients),
    ...idsOf(escalateTo),
  ]);
  for (const [field, list] of Object.entries({ recipients, escalateTo })) {
    const unknown = idsOf(list).find((id) => !reachable.includes(id.toLowerCase()));
    if (unknown !== undefined) throw wrongField(field, `names no operator of the network: ${unknown}`);
  }
}
