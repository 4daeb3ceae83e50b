import type { OcpiEndpoint, OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import type { HandshakeStep, RegistrationState } from '#shared/domain/roaming/registration.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Handshake in progress that we began, or a renewal of our token. Its tokens are sealed. */
export interface HandshakeRecord {
  partnerId: number;
  state: Extract<RegistrationState, 'PREPARED' | 'EXCHANGING' | 'ANSWERED' | 'RENEWING'>;
  versionsUrl: string;
  /** Identifies the key that sealed the tokens. */
  sealingKey: string;
  /** Null in a renewal. */
  theirToken: Buffer | null;
  /** Null: none was made yet. */
  ourToken: Buffer | null;
  ourTokenHash: Buffer | null;
  /** The validity of our token is over. */
  isOurTokenExpired: boolean;
  ocpiVersion: OcpiVersion | null;
  endpoints: OcpiEndpoint[] | null;
  /** Credentials of the partner's answer. Null: no such value. */
  answer: Buffer | null;
  attempts: number;
  isClaimed: boolean;
  failedStep: HandshakeStep | null;
  errorCode: string | null;
  error: string | null;
  failedAt: Date | null;
}

/** Condition that our token of a handshake `h` is valid: not older than its partner's tokens may be (`token_valid_days`). */
export const isOurTokenValid = (sql: Queryable) => sql`
  (token_valid_days is null
    or coalesce(h.our_token_at, h.created_at) + make_interval(days => token_valid_days) > now())`;

/** Returns the handshake in progress with a partner, or null. */
export async function findHandshake(sql: Queryable, partnerId: number): Promise<HandshakeRecord | null> {
  const [row] = await sql<HandshakeRecord[]>`
    select h.partner_id as "partnerId", h.state, h.versions_url as "versionsUrl", h.sealing_key as "sealingKey",
      h.their_token as "theirToken", h.our_token as "ourToken", h.our_token_hash as "ourTokenHash",
      h.our_token is not null and not ${isOurTokenValid(sql)} as "isOurTokenExpired",
      h.ocpi_version as "ocpiVersion", h.endpoints, h.answer, h.attempts,
      coalesce(h.claimed_until > now(), false) as "isClaimed",
      h.failed_step as "failedStep", h.error_code as "errorCode", h.error, h.failed_at as "failedAt"
    from ocpi_handshakes h join ocpi_partners p on p.id = h.partner_id where h.partner_id = ${partnerId}`;
  return row ?? null;
}

/** Stores the partner's token of a handshake, in place of an earlier handshake. */
export async function prepareHandshake(
  sql: Queryable,
  partnerId: number,
  entered: { versionsUrl: string; theirToken: Buffer; sealingKey: string },
): Promise<void> {
  await deleteHandshake(sql, partnerId);
  await sql`
    insert into ocpi_handshakes (partner_id, state, versions_url, sealing_key, their_token)
    values (${partnerId}, 'PREPARED', ${entered.versionsUrl}, ${entered.sealingKey}, ${entered.theirToken})`;
}

/** Our token for a partner, sealed by a key, and its hash. */
interface OurToken {
  ourToken: Buffer;
  ourTokenHash: Buffer;
  sealingKey: string;
}

/** Stores a renewal of our token, or continues the one in progress. */
export async function prepareRenewal(
  sql: Queryable,
  partnerId: number,
  renewal: { versionsUrl: string; sealingKey: string },
): Promise<void> {
  await sql`
    insert into ocpi_handshakes (partner_id, state, versions_url, sealing_key)
    values (${partnerId}, 'RENEWING', ${renewal.versionsUrl}, ${renewal.sealingKey})
    on conflict (partner_id) do update set versions_url = excluded.versions_url, updated_at = now()`;
}

/** Claims the handshake with a partner for one run of at most `seconds`; the earlier failure is forgotten. */
export async function claimHandshake(
  sql: Queryable,
  partnerId: number,
  claim: string,
  seconds: number,
): Promise<void> {
  await sql`
    update ocpi_handshakes set claim = ${claim}, claimed_until = now() + make_interval(secs => ${seconds}),
      attempts = attempts + 1, failed_step = null, error_code = null, error = null, failed_at = null, updated_at = now()
    where partner_id = ${partnerId}`;
}

/** A run of a handshake that claimed it. */
export interface ClaimedRun {
  partnerId: number;
  claim: string;
}

/** The condition that a run has its claim still. */
const isMine = (sql: Queryable, { partnerId, claim }: ClaimedRun) =>
  sql`partner_id = ${partnerId} and claim = ${claim}`;

/**
 * Stores our token and what was found of the partner, before the token is sent: the partner calls us with it before it answers.
 * @returns false when another run has the handshake.
 */
export async function storeSending(
  sql: Queryable,
  run: ClaimedRun,
  sending: OurToken & {
    state: 'EXCHANGING' | 'RENEWING';
    /** The partner's token, sealed with the same key. Null: the handshake has none. */
    theirToken: Buffer | null;
    ocpiVersion: OcpiVersion;
    endpoints: OcpiEndpoint[];
  },
): Promise<boolean> {
  const { count } = await sql`
    update ocpi_handshakes set state = ${sending.state}, sealing_key = ${sending.sealingKey}, their_token = ${sending.theirToken}, our_token = ${sending.ourToken},
      our_token_hash = ${sending.ourTokenHash},
      our_token_at = case when our_token_hash = ${sending.ourTokenHash} then our_token_at else now() end, ocpi_version = ${sending.ocpiVersion},
      endpoints = ${sql.json(sending.endpoints as never)}, updated_at = now()
    where ${isMine(sql, run)}`;
  return count > 0;
}

/**
 * Stores the credentials that the partner answered with.
 * @returns false when another run has the handshake.
 */
export async function storeAnswer(
  sql: Queryable,
  run: ClaimedRun,
  state: 'ANSWERED' | 'RENEWING',
  answer: Buffer,
): Promise<boolean> {
  const { count } = await sql`
    update ocpi_handshakes set state = ${state}, answer = ${answer}, updated_at = now() where ${isMine(sql, run)}`;
  return count > 0;
}

/**
 * Stores why a run failed, and ends its claim. A renewal whose token was not sent ends. A run that lost its claim changes nothing.
 */
export async function failHandshake(
  sql: Queryable,
  run: ClaimedRun,
  failure: { step: HandshakeStep; code: string; message: string },
): Promise<void> {
  await sql`
    delete from ocpi_handshakes where ${isMine(sql, run)} and state = 'RENEWING' and our_token is null`;
  await sql`
    update ocpi_handshakes set claim = null, claimed_until = null, failed_step = ${failure.step},
      error_code = ${failure.code}, error = ${failure.message.slice(0, 1000)}, failed_at = now(), updated_at = now()
    where ${isMine(sql, run)}`;
}

/** Ends the handshake with a partner; its tokens are forgotten. */
export async function deleteHandshake(sql: Queryable, partnerId: number): Promise<void> {
  await sql`delete from ocpi_handshakes where partner_id = ${partnerId}`;
}
