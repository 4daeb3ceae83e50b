import type {
  CommandAnswer,
  CommandResultType,
  CommandType,
  PartnerTask,
  ProfileResultType,
} from '#shared/domain/roaming/ocpi-command.ts';
import type { OcpiVersion, PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { ActiveChargingProfile } from '#shared/domain/roaming/ocpi-profile.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { ofClient, type Requester } from './requester.ts';

/** Requesting partner, for the audit log and for the effects of the command. */
export interface Asked {
  ipAddress: string;
  requestId: string;
  correlationId: string | null;
  /** The one of the partner's platform that asked (OCPI-from, 2.2.1 §4.1.4.1); null where it did not say. */
  party: PartyOnWire | null;
}

/** The answer at once, with OCPI's status code of it. */
interface StoredAnswer {
  answer: CommandAnswer;
  message: string | null;
  statusCode: number;
}

/** A command as it comes in, with its answer. */
interface NewCommand extends StoredAnswer {
  partnerId: number;
  type: PartnerTask['type'];
  commandId: string | null;
  repeatKey: string | null;
  responseUrl: string | null;
  task: PartnerTask | null;
  asked: Asked;
  chargerId: number | null;
  sessionId: string | null;
  authorizationId: bigint | null;
  beginWithinSeconds: number;
}

/** Lets one at a time of those with the same key through, until the end of the transaction. */
export async function lockKey(transaction: Transaction, partnerId: number, key: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`ocpi ${partnerId} ${key}`}, 0))`;
}

/**
 * Returns the first answer to a command that is there already, and whether the requesting party sent it; of a key that may be used
 * again only within these seconds.
 */
export async function findRepeated(
  sql: Queryable,
  requester: Requester,
  { commandId, repeatKey }: Pick<NewCommand, 'commandId' | 'repeatKey'>,
  withinSeconds: number,
): Promise<(StoredAnswer & { type: string; isOfRequester: boolean }) | null> {
  const [row] = await sql<(StoredAnswer & { type: string; isOfRequester: boolean })[]>`
    select type, answer, answer_message as message, answer_code as "statusCode",
      (true ${ofClient(sql, requester, sql`asked -> 'party'`)}) is true as "isOfRequester"
    from ocpi_commands
    where partner_id = ${requester.id} and ${
      commandId === null
        ? sql`repeat_key = ${repeatKey} and created_at > now() - make_interval(secs => ${withinSeconds})`
        : sql`command_id = ${commandId}`
    }
    order by id desc limit 1`;
  return row ?? null;
}

/** Stores a command with its answer; answers its uuid. */
export async function insertCommand(sql: Queryable, command: NewCommand): Promise<string> {
  const { task, asked, authorizationId } = command;
  const [row] = await sql<{ uuid: string }[]>`
    insert into ocpi_commands (partner_id, type, command_id, repeat_key, response_url, task, asked, charger_id, session_id,
      authorization_id, answer, answer_message, answer_code, begin_by)
    values (${command.partnerId}, ${command.type}, ${command.commandId}, ${command.repeatKey}, ${command.responseUrl},
      ${task === null ? null : sql.json(task as never)}, ${sql.json(asked as never)}, ${command.chargerId},
      ${command.sessionId}::bigint, ${authorizationId === null ? null : String(authorizationId)}::bigint,
      ${command.answer}, ${command.message}, ${command.statusCode},
      now() + make_interval(secs => ${command.beginWithinSeconds}))
    returning uuid`;
  if (row === undefined) throw new Error('the insert of a command returned no row');
  return row.uuid;
}

/** Returns the number of charging profile requests of a session within the last seconds. */
export async function countProfileRequests(
  sql: Queryable,
  sessionId: string,
  withinSeconds: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ocpi_commands
    where session_id = ${sessionId}::bigint and type in ('GET_PROFILE', 'SET_PROFILE', 'CLEAR_PROFILE')
      and answer = 'ACCEPTED' and created_at > now() - make_interval(secs => ${withinSeconds})`;
  return row?.count ?? 0;
}

/** A command that is to be done now. */
export interface BegunCommand {
  uuid: string;
  partnerId: number;
  task: PartnerTask;
  asked: Asked;
}

/** Takes a command on; null when another process has, when it is done, or when it is too late for it. */
export async function beginCommand(sql: Queryable, uuid: string): Promise<BegunCommand | null> {
  const [row] = await sql<BegunCommand[]>`
    update ocpi_commands set begun_at = clock_timestamp()
    where uuid = ${uuid} and begun_at is null and result is null and begin_by > clock_timestamp()
    returning uuid, partner_id as "partnerId", task, asked`;
  return row ?? null;
}

/** Returns whether the process that began a command can still report its result; it has this many seconds. */
export async function isUnderWay(sql: Queryable, uuid: string, withinSeconds: number): Promise<boolean> {
  const [row] = await sql<{ uuid: string }[]>`
    select uuid from ocpi_commands
    where uuid = ${uuid} and result is null and begun_at > clock_timestamp() - make_interval(secs => ${withinSeconds})`;
  return row !== undefined;
}

/** Outcome of a command. */
export interface CommandOutcome {
  result: CommandResultType | ProfileResultType;
  message: string | null;
  /** Result of GET_PROFILE. */
  profile?: ActiveChargingProfile;
  /** Result of RESERVE_NOW. */
  reservationUuid?: string;
}

/** Stores the result of a command; the first one is final. Returns whether this was it and must be sent. */
export async function storeOutcome(
  sql: Queryable,
  uuid: string,
  { result, message, profile, reservationUuid }: CommandOutcome,
): Promise<{ mustNotify: boolean }> {
  const [row] = await sql<{ mustNotify: boolean }[]>`
    update ocpi_commands o set result = ${result}, result_message = ${message}, result_at = now(),
      profile = ${profile === undefined ? null : sql.json(profile as never)},
      reservation_id = coalesce((select id from reservations where uuid = ${reservationUuid ?? null}::uuid), (
        -- The process that sent it died after the charger had accepted it.
        select v.id from reservations v
        where v.charger_id = o.charger_id and v.reservation_id = (o.task ->> 'reservationId')::integer
          and not exists (select from ocpi_commands x where x.reservation_id = v.id)))
    where o.uuid = ${uuid} and o.result is null
    returning response_url is not null as "mustNotify"`;
  if (row !== undefined && reservationUuid !== undefined) {
    // The reservation is this command's now, also where it was changed.
    await sql`
      update ocpi_commands set reservation_id = null
      where uuid <> ${uuid} and reservation_id = (select id from reservations where uuid = ${reservationUuid})`;
  }
  return { mustNotify: row?.mustNotify ?? false };
}

/** Result that must be sent to its partner. */
interface PendingResult {
  partnerUuid: string;
  ocpiVersion: OcpiVersion | null;
  networkId: number;
  type: PartnerTask['type'];
  responseUrl: string;
  result: CommandResultType | ProfileResultType;
  message: string | null;
  profile: ActiveChargingProfile | null;
  correlationId: string | null;
  /** Requesting party, otherwise that of the token or session. Null: neither is known. */
  party: PartyOnWire | null;
}

/** The result of a command, with where it goes, or null. */
export async function findPendingResult(sql: Queryable, uuid: string): Promise<PendingResult | null> {
  const [row] = await sql<PendingResult[]>`
    select p.uuid as "partnerUuid", p.ocpi_version as "ocpiVersion", p.network_id as "networkId", o.type, o.response_url as "responseUrl", o.result,
      o.result_message as message, o.profile, o.asked ->> 'correlationId' as "correlationId",
      coalesce(nullif(o.asked -> 'party', 'null'), a.token, s.ocpi_token) as party
    from ocpi_commands o join ocpi_partners p on p.id = o.partner_id
    left join ocpi_authorizations a on a.id = o.authorization_id left join sessions s on s.id = o.session_id
    where o.uuid = ${uuid} and o.result is not null and o.response_url is not null`;
  return row ?? null;
}

/** Keeps whether the partner took the result; null: it did. */
export async function recordDelivery(sql: Queryable, uuid: string, error: string | null): Promise<void> {
  await sql`
    update ocpi_commands set tell_attempts = tell_attempts + 1, tell_error = ${error},
      told_at = ${error === null ? sql`now()` : sql`told_at`}
    where uuid = ${uuid}`;
}

/** A command as its partner reads it. */
export interface CommandRecord extends StoredAnswer {
  type: CommandType;
  commandId: string;
  result: CommandResultType | null;
  resultMessage: string | null;
  /** That it led to, or is about. */
  sessionUuid: string | null;
  createdAt: Date;
  resultAt: Date | null;
}

/** A command of a partner, or null. */
export async function findCommand(
  sql: Queryable,
  requester: Requester,
  commandId: string,
): Promise<CommandRecord | null> {
  const [row] = await sql<CommandRecord[]>`
    select o.type, o.command_id as "commandId", o.answer, o.answer_message as message, o.answer_code as "statusCode",
      o.result, o.result_message as "resultMessage", s.uuid as "sessionUuid", o.created_at as "createdAt",
      o.result_at as "resultAt"
    from ocpi_commands o left join ocpi_authorizations a on a.id = o.authorization_id
    left join sessions s on s.id = coalesce(o.session_id, a.session_id)
    where o.partner_id = ${requester.id} and o.command_id = ${commandId}
      ${ofClient(sql, requester, sql`o.asked -> 'party'`)}`;
  return row ?? null;
}

/** Returns whether the partner itself is ending a reservation, in which case no notification is needed. */
export async function recordOwnCancellation(
  sql: Queryable,
  reservationUuid: string,
  isOwn: boolean,
): Promise<void> {
  await sql`
    update ocpi_commands set is_own_cancellation = ${isOwn}
    where reservation_id = (select id from reservations where uuid = ${reservationUuid})`;
}

/** The condition that a partner may have to be notified of the end of its reservation. */
export const areCancellationsDue = (sql: Queryable): Fragment =>
  sql`(exists (select from ocpi_commands where is_cancellation_due) or ${hasEvents(sql, 'charging-changes')})`;

/** Takes on to tell of partners' reservations that another party ended; returns the uuids of their commands. */
export async function claimCancellations(transaction: Transaction, limit: number): Promise<string[]> {
  const rows = await transaction<{ uuid: string }[]>`
    with due as (
      select id from ocpi_commands where is_cancellation_due order by id limit ${limit} for update skip locked
    )
    update ocpi_commands o set is_cancellation_due = false from due where o.id = due.id returning o.uuid`;
  return rows.map(({ uuid }) => uuid);
}

/** Days for which a partner can read the outcome of a command. */
const commandDays = 90;

/** Few enough that nothing waits for the rows. */
const removedAtOnce = 5000;

/**
 * Removes old commands, except those whose result is still to be sent, until `stopping` is aborted. Any number of processes can run this.
 */
export async function removeOldCommands(sql: Queryable, stopping = AbortSignal.any([])): Promise<void> {
  let removed: number;
  do {
    const { count } = await sql`
      delete from ocpi_commands where id in (
        select id from ocpi_commands
        where created_at < now() - make_interval(days => ${commandDays}) and not is_cancellation_due
        order by id limit ${removedAtOnce} for update skip locked)`;
    removed = count;
  } while (removed === removedAtOnce && !stopping.aborted);
}
