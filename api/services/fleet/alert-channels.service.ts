import { type Actor, auditReported } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCallableUrl } from '#api/services/access/callable-url.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import {
  type AlertChannelFormat,
  alertChannelPolicy,
  type AlertChannelTarget,
  pagerDutyUrl,
} from '#shared/domain/fleet/alert-channel.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type ChannelDelivery, listChannelDeliveries } from '#shared/postgres/fleet/alert-channel-notices.ts';
import {
  type AlertChannelDetails,
  type AlertChannelRecord,
  findAlertChannel,
  insertAlertChannel,
  listAlertChannels,
  removeAlertChannel,
  updateAlertChannel,
} from '#shared/postgres/fleet/alert-channels.statements.ts';
import { countOfNetwork } from '#shared/postgres/kernel/records.statements.ts';
import { type ChannelAttempt, type ChannelDeps, sendChannelTest } from './alert-channel-sender.ts';

export type {
  AlertChannelDetails,
  AlertChannelRecord,
} from '#shared/postgres/fleet/alert-channels.statements.ts';
export type { ChannelDelivery } from '#shared/postgres/fleet/alert-channel-notices.ts';
export type { ChannelAttempt } from './alert-channel-sender.ts';

/** Secrets of a channel in a request. */
export interface TargetChange {
  url?: string | undefined;
  routingKey?: string | undefined;
  signingSecret?: string | null | undefined;
}

/** Channels and their changes. The audit log has no secret. */
export const alertChannels = new AuditedRecords<AlertChannelRecord>({
  category: 'alert-channel',
  notFound: 'ALERT_CHANNEL_NOT_FOUND',
  find: findAlertChannel,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
  audited: ({ name, format, kinds, minimumSeverity, language, isEnabled, targetSetAt }) => ({
    name,
    format,
    kinds,
    minimumSeverity,
    language,
    isEnabled,
    targetSetAt,
  }),
});

/** Lists the channels of the caller's networks, oldest first. */
export async function readAlertChannels(
  deps: ChannelDeps,
  caller: Caller,
  query: { networkUuid: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: AlertChannelRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  return cutById(await listAlertChannels(deps.sql, scope, after, query.limit + 1), query.limit);
}

/**
 * Lists the notices of a channel with their last attempts, newest first.
 * @throws {DomainError} ALERT_CHANNEL_NOT_FOUND.
 */
export async function readChannelDeliveries(
  { sql }: ChannelDeps,
  caller: Caller,
  uuid: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ChannelDelivery[]; nextCursor: string | null }> {
  const before = decodeIdCursor(cursor, 'bigint');
  const { id } = await alertChannels.require(sql, caller.networks, uuid);
  return cutById(await listChannelDeliveries(sql, id, before, limit + 1), limit);
}

/** @throws {DomainError} ALERT_CHANNEL_LIMIT_REACHED, NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function createAlertChannel(
  deps: ChannelDeps,
  by: Actor,
  networkUuid: string | undefined,
  format: AlertChannelFormat,
  details: AlertChannelDetails,
  change: TargetChange,
): Promise<AlertChannelRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  const target = targetOf(format, change, null);
  await requireCallableUrl(deps.webhookOutbound, target.url);
  return alertChannels.create(deps.sql, by, async (transaction) => {
    await keepNetwork(transaction, network);
    if ((await countOfNetwork(transaction, 'alert_channels', network.id)) >= alertChannelPolicy.maxChannels) {
      throw new DomainError(
        'ALERT_CHANNEL_LIMIT_REACHED',
        `A network has at most ${alertChannelPolicy.maxChannels} alert channels: delete one.`,
      );
    }
    const uuid = await insertAlertChannel(transaction, network.id, format, details, sealed(deps, target));
    return alertChannels.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} ALERT_CHANNEL_NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED. */
export async function changeAlertChannel(
  deps: ChannelDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  details: Partial<AlertChannelDetails>,
  change: TargetChange,
): Promise<AlertChannelRecord> {
  if (change.url !== undefined) await requireCallableUrl(deps.webhookOutbound, change.url);
  return alertChannels.change(deps.sql, by, uuid, expected, async (transaction, before) => {
    const isNew = Object.values(change).some((value) => value !== undefined);
    const target = isNew ? sealed(deps, targetOf(before.format, change, openTarget(deps, before))) : null;
    await updateAlertChannel(transaction, before.id, { ...before, ...defined(details) }, target);
    return alertChannels.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} ALERT_CHANNEL_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteAlertChannel(
  { sql }: ChannelDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await alertChannels.remove(sql, by, uuid, expected, (transaction, { id }) =>
    removeAlertChannel(transaction, id),
  );
}

/**
 * Sends a test alert to a channel now, whether or not it is enabled.
 * @throws {DomainError} ALERT_CHANNEL_NOT_FOUND.
 */
export async function testAlertChannel(deps: ChannelDeps, by: Actor, uuid: string): Promise<ChannelAttempt> {
  const channel = await alertChannels.require(deps.sql, by.caller.networks, uuid);
  const attempt = await sendChannelTest(deps, channel);
  const { outcome, httpStatus, error } = attempt;
  await auditReported(deps.sql, by, {
    ...alertChannels.entryOf(channel, 'test'),
    description: `alert channel ${channel.name}: test: ${outcome.kind}`,
    details: { outcome: outcome.kind, httpStatus, error },
  });
  return attempt;
}

function openTarget(
  { secrets }: ChannelDeps,
  { sealed, sealingKey }: AlertChannelRecord,
): AlertChannelTarget | null {
  if (!secrets.knownIds.includes(sealingKey)) return null;
  return JSON.parse(secrets.open(sealed, sealingKey)) as AlertChannelTarget;
}

const sealed = ({ secrets }: ChannelDeps, target: AlertChannelTarget) => ({
  sealed: secrets.seal(JSON.stringify(target)),
  sealingKey: secrets.id,
});

/** Returns the secrets of a format. Secrets of the request come before stored ones. */
function targetOf(
  format: AlertChannelFormat,
  { url, routingKey, signingSecret }: TargetChange,
  present: AlertChannelTarget | null,
): AlertChannelTarget {
  if (routingKey !== undefined && format !== 'pagerduty')
    throw wrongField('routingKey', 'is a field of the format pagerduty');
  if (signingSecret !== undefined && signingSecret !== null && format !== 'webhook')
    throw wrongField('signingSecret', 'is a field of the format webhook');
  // A stored key must not be sent to an address that its owner does not know.
  if (format === 'pagerduty' && url !== undefined && routingKey === undefined)
    throw wrongField('routingKey', 'is required with url');
  const target = {
    url: url ?? present?.url ?? (format === 'pagerduty' ? pagerDutyUrl : null),
    routingKey: routingKey ?? present?.routingKey ?? null,
    signingSecret: signingSecret === undefined ? (present?.signingSecret ?? null) : signingSecret,
  };
  if (target.url === null) throw wrongField('url', `is required for the format ${format}`);
  if (format === 'pagerduty' && target.routingKey === null)
    throw wrongField('routingKey', 'is required for the format pagerduty');
  return { ...target, url: target.url };
}
