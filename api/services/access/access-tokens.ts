import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ApiFamily } from '#shared/postgres/access/api-keys.statements.ts';
import { currentSigningKey, findSigningKey, type SigningKey } from '#shared/postgres/access/signing-keys.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { SecretBox } from '#api/services/kernel/secret-box.ts';

/** Validity of an access token. The end of its session also ends it. */
export const accessTokenSeconds = 15 * 60;

/** Issuer name of our tokens (`iss`). */
export const ourIssuer = 'chargeway';

/** A signing key is used for this long, and known for a day more. */
const rotateAfterDays = 30;

const typ = 'at+jwt';
const algorithm = 'HS256';

/** Those of one family are worth nothing at the other. */
const audience = { cpms: 'chargeway/cpms', emsp: 'chargeway/emsp' } satisfies Record<ApiFamily, string>;

type TokenDeps = Pick<ServiceDeps, 'sql' | 'secrets'>;

/** Signs an access token for a session of an account, good at one family of the API. */
export async function signAccessToken(
  { sql, secrets }: TokenDeps,
  family: ApiFamily,
  accountUuid: string,
  sessionId: string,
): Promise<string> {
  const fresh = {
    secret: secrets.seal(randomBytes(32)),
    sealingKey: secrets.id,
    knownKeys: secrets.knownIds,
  };
  const key = await currentSigningKey(sql, fresh, rotateAfterDays);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ, kid: key.kid })
    .setIssuer(ourIssuer)
    .setAudience(audience[family])
    .setSubject(accountUuid)
    .setIssuedAt()
    .setExpirationTime(`${accessTokenSeconds} s`)
    .sign(secretOf(secrets, key));
}

/**
 * Returns the account and the session named by an access token of ours. Does not check that the session is
 * still valid.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED.
 */
export async function verifyAccessToken(
  { sql, secrets }: TokenDeps,
  family: ApiFamily,
  token: string,
): Promise<{ accountUuid: string; sessionId: string }> {
  const keyOf = async ({ kid = '' }) => {
    const key = uuid.test(kid) ? await findSigningKey(sql, kid) : null;
    if (key === null || !isKnown(secrets, key)) throw new errors.JWKSNoMatchingKey();
    return secretOf(secrets, key);
  };
  const { payload } = await refusingBad(() =>
    jwtVerify(token, keyOf, {
      issuer: ourIssuer,
      audience: audience[family],
      typ,
      algorithms: [algorithm],
      requiredClaims: ['sub', 'sid', 'exp'],
    }),
  );
  return { accountUuid: String(payload.sub), sessionId: String(payload['sid']) };
}

const isKnown = ({ knownIds }: SecretBox, { sealingKey }: SigningKey) =>
  sealingKey === null || knownIds.includes(sealingKey);

const secretOf = (secrets: SecretBox, { secret, sealingKey }: SigningKey): Buffer =>
  sealingKey === null ? secret : secrets.openBytes(secret, sealingKey);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Runs a check of a token and translates its failure.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED.
 */
export async function refusingBad<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new DomainError('TOKEN_EXPIRED', 'This token has expired.');
    if (error instanceof errors.JOSEError) throw notOurs();
    throw error;
  }
}

/** A token that is not, or no more, one of those that are accepted. */
export function notOurs(): DomainError {
  return new DomainError('TOKEN_INVALID', 'The Bearer token is not valid here.');
}

/** A token whose session ended, or its account. */
export function sessionEnded(): DomainError {
  return new DomainError('TOKEN_INVALID', 'The session of this token ended: log in again.');
}
