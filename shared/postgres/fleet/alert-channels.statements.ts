import type { AlertChannelFilter, AlertChannelFormat } from '#shared/domain/fleet/alert-channel.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';

/** Fields of a channel that its editors decide, without its secrets. */
export interface AlertChannelDetails extends AlertChannelFilter {
  name: string;
  /** BCP 47; null: the network's. */
  language: string | null;
  isEnabled: boolean;
}

/** Secrets of a channel, as stored. */
export interface SealedTarget {
  sealed: Buffer;
  sealingKey: string;
}

/** Channel with the state of its delivery. */
export interface AlertChannelRecord extends AlertChannelDetails, SealedTarget {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  networkName: string;
  /** Language of the network. */
  networkLanguage: string;
  format: AlertChannelFormat;
  targetSetAt: Date;
  /** Notices that are to be sent. */
  waiting: number;
  failures: number;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  lastError: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Columns of a channel `c` of a network `w`. */
export const channelColumns = (sql: Queryable) => sql`
  c.id, c.uuid, c.network_id as "networkId", w.uuid as "networkUuid", w.name as "networkName", w.language as "networkLanguage",
  c.name, c.format, c.target as sealed, c.sealing_key as "sealingKey",
  c.target_set_at as "targetSetAt", c.kinds, c.minimum_severity as "minimumSeverity", c.language, c.is_enabled as "isEnabled",
  (select count(*)::integer from alert_channel_notices n where n.channel_id = c.id and n.state = 'waiting') as waiting,
  c.failures, c.last_delivered_at as "lastDeliveredAt", c.last_failed_at as "lastFailedAt", c.last_error as "lastError",
  c.version, c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** Lists the channels in scope, and finds one. */
export const { list: listAlertChannels, find: findAlertChannel } = networkRecords<AlertChannelRecord>({
  alias: 'c',
  select: (sql) =>
    sql`select ${channelColumns(sql)} from alert_channels c join networks w on w.id = c.network_id`,
  where: (sql) => sql`c.deleted_at is null`,
});

/** Stores a channel; returns its uuid. */
export async function insertAlertChannel(
  transaction: Transaction,
  networkId: number,
  format: AlertChannelFormat,
  { name, kinds, minimumSeverity, language, isEnabled }: AlertChannelDetails,
  { sealed, sealingKey }: SealedTarget,
): Promise<string> {
  const [row] = await transaction<[{ uuid: string }]>`
    insert into alert_channels (network_id, name, format, target, sealing_key, kinds, minimum_severity, language, is_enabled)
    values (${networkId}, ${name}, ${format}, ${sealed}, ${sealingKey}, ${[...kinds]}::text[], ${minimumSeverity},
      ${language}, ${isEnabled})
    returning uuid`;
  return row.uuid;
}

/** Replaces the settings of a channel. A new target (null: the target stays) is tried at once. */
export async function updateAlertChannel(
  transaction: Transaction,
  id: number,
  { name, kinds, minimumSeverity, language, isEnabled }: AlertChannelDetails,
  target: SealedTarget | null,
): Promise<void> {
  await transaction`
    update alert_channels set name = ${name}, kinds = ${[...kinds]}::text[], minimum_severity = ${minimumSeverity},
      language = ${language}, is_enabled = ${isEnabled},
      ${target === null ? transaction`` : transaction`target = ${target.sealed}, sealing_key = ${target.sealingKey}, target_set_at = now(), failures = 0, due_at = least(due_at, now()),`}
      version = version + 1, updated_at = now()
    where id = ${id}`;
}

/** Removes a channel with its secrets and notices. */
export async function removeAlertChannel(transaction: Transaction, id: number): Promise<void> {
  await transaction`delete from alert_channel_notices where channel_id = ${id}`;
  await transaction`update alert_channels set target = null, is_enabled = false, deleted_at = now() where id = ${id}`;
}
