import type { ExternalIssuerDeps } from './external-issuer.ts';
import { decodeJwt } from 'jose';
import { isSessionGood, operatorLogins } from '#shared/postgres/people/login-sessions.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import { notOurs, ourIssuer, refusingBad, sessionEnded, verifyAccessToken } from './access-tokens.ts';
import type { Caller, Credentials } from './callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { operatorOfClaims } from './external-operators.ts';
import { callerOfOperator, requireEnabled } from './operator-callers.ts';

/** Dependencies of the verification of a token. */
type TokenDeps = Pick<ServiceDeps, 'sql' | 'secrets'> & ExternalIssuerDeps;

/**
 * Returns the operator of a token: one of ours, or of the external issuer. Reads account and session each
 * time, so that their changes count from the next request on.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED, OPERATOR_NOT_ALLOWED, ISSUER_UNAVAILABLE.
 */
export async function callerOfOperatorToken(
  deps: TokenDeps,
  { bearer = '', address }: Credentials,
): Promise<Caller> {
  const { sql, externalIssuer } = deps;
  return refusingBad(async () => {
    const { iss } = decodeJwt(bearer);
    if (iss === ourIssuer) return callerOfOurs(deps, bearer);
    if (externalIssuer === null || iss !== externalIssuer.issuer) throw notOurs();
    const claims = await externalIssuer.verify(bearer);
    const operator = await operatorOfClaims({ sql }, externalIssuer.settings, claims, address);
    return callerOfOperator(operator, null);
  });
}

async function callerOfOurs(
  { sql, secrets }: Pick<ServiceDeps, 'sql' | 'secrets'>,
  token: string,
): Promise<Caller> {
  const { accountUuid, sessionId } = await verifyAccessToken({ sql, secrets }, 'cpms', token);
  const operator = await findOperator(sql, { all: true }, accountUuid);
  if (operator === null) throw notOurs();
  requireEnabled(operator);
  if (await isSessionGood(sql, operatorLogins, sessionId, operator.id))
    return callerOfOperator(operator, sessionId);
  throw sessionEnded();
}
