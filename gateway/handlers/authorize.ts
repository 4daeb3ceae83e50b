import { authorizeToken } from '#shared/domain/charging/authorization.ts';
import type { AuthorizeRequest } from '#shared/domain/commands/charger-messages.ts';
import type { ContractStatus } from '#shared/domain/commands/contract-certificates.ts';
import { type Roaming, type RoamingToken, whitelistAllows } from '#shared/domain/roaming/roaming.ts';
import type { Authorization } from '#shared/domain/charging/session.ts';
import { findIdTokenFor, type PresentedToken } from '#shared/postgres/people/id-tokens.statements.ts';
import { findAuthorization, findRoamingToken } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { isUnknownToken } from '#shared/postgres/roaming/ocpi-unknown-tokens.ts';
import type { Context } from './context.ts';

/** Token with its authorization and owner. */
export interface AuthorizedToken extends Authorization {
  idTokenId: number | null;
  userId: number | null;
  /** Roaming partner that pays for a session of this token; null for our own tokens. */
  roaming: Roaming | null;
}

/**
 * Time in ms that a charger may cache an accepted token that must be authorized each time: a partner's real-time
 * authorization (OCPI 2.2.1 §12.4.5) and our own token with whitelist NEVER. A charger compares it with its own clock.
 * With a shorter time, a clock that is minutes ahead would make the charger refuse the very start that it was
 * requested for.
 */
const askedAgainMs = 5 * 60_000;
/** Time in ms that a charger may cache a token that a partner's whitelist accepts. */
const whitelistedMs = 24 * 60 * 60_000;

/** Authorizes a token of the charger's network or of a roaming partner, and its contract certificate. */
export async function handleAuthorize(
  context: Context<'sql' | 'roaming' | 'contracts'>,
  { idToken, contract }: AuthorizeRequest,
): Promise<AuthorizedToken & { contractStatus: ContractStatus | null }> {
  if (contract === null) return { ...(await authorize(context, idToken, null)), contractStatus: null };
  const { charger, stores } = context;
  const [token, verified] = await Promise.all([
    authorize(context, idToken, null),
    stores.contracts.verify({ networkId: charger.networkId, emaid: idToken, ...contract }),
  ]);
  if (verified !== 'Accepted') {
    const status = verified === 'CertificateExpired' ? 'Expired' : 'Invalid';
    return { ...token, status, expiresAt: null, groupId: null, contractStatus: verified };
  }
  return { ...token, contractStatus: token.status === 'Blocked' ? 'ContractCancelled' : 'Accepted' };
}

/** Authorizes the token of a session's start. Uses a partner's authorization that Authorize has just obtained. */
export function authorizeStart(
  context: Context<'sql' | 'roaming'>,
  idToken: string,
  evse: number,
): Promise<AuthorizedToken> {
  return authorize(context, idToken, evse);
}

/**
 * Returns the authorization of the token that stopped a session, for the charger's cache. No partner is requested; null where only its
 * answer could tell.
 */
export async function authorizeStop(context: Context<'sql'>, idToken: string): Promise<Authorization | null> {
  const { charger, receivedAt, stores } = context;
  const own = await findIdTokenFor(stores.sql, charger, idToken);
  if (own !== null) return authorizeOwn(own, receivedAt);
  const ofPartner = await findRoamingToken(stores.sql, charger.networkId, idToken);
  if (ofPartner !== null)
    return ofPartner.whitelist === 'NEVER' ? null : byWhitelist(context, ofPartner, true);
  return (await isUnknownToken(stores.sql, charger.networkId, idToken))
    ? null
    : authorizeOwn(null, receivedAt);
}

async function authorize(
  context: Context<'sql' | 'roaming'>,
  idToken: string,
  evse: number | null,
): Promise<AuthorizedToken> {
  const token = await findIdTokenFor(context.stores.sql, context.charger, idToken);
  const ofPartner = token === null ? await authorizeAtPartner(context, idToken, evse) : null;
  if (ofPartner !== null) return { ...ofPartner, idTokenId: null, userId: null };
  return {
    ...authorizeOwn(token, context.receivedAt),
    idTokenId: token?.id ?? null,
    userId: token?.userId ?? null,
    roaming: null,
  };
}

/**
 * Returns the authorization of a token by the charger's network; `token` is null when the network does not know it.
 */
function authorizeOwn(token: PresentedToken | null, now: Date): Authorization {
  const authorization = authorizeToken(token, now);
  // Not cacheable: the driver may top up a minute later.
  if (authorization.status === 'Accepted' && token?.lacksBalance === true) {
    return { ...authorization, status: 'NoCredit', expiresAt: now };
  }
  if (authorization.status !== 'Accepted' || token?.whitelist !== 'NEVER') return authorization;
  const askedAgainAt = new Date(now.getTime() + askedAgainMs);
  const { expiresAt } = authorization;
  return {
    ...authorization,
    expiresAt: expiresAt !== null && expiresAt < askedAgainAt ? expiresAt : askedAgainAt,
  };
}

/** Returns the authorization by the token's partner, or null when the token belongs to none. */
async function authorizeAtPartner(
  context: Context<'sql' | 'roaming'>,
  uid: string,
  evse: number | null,
): Promise<(Authorization & { roaming: Roaming | null }) | null> {
  const { charger, stores } = context;
  const word = await findAuthorization(stores.sql, charger.id, uid, evse !== null);
  if (word !== null) return acceptFor(context, word, word.groupId, askedAgainMs);
  const token = await findRoamingToken(stores.sql, charger.networkId, uid);
  if (token === null) return authorizeUnknown(context, uid, evse);
  if (token.whitelist === 'ALWAYS') return byWhitelist(context, token, false);
  const verdict = await stores.roaming.authorize({ ...token, chargerId: charger.id, evse });
  if (verdict === null) return byWhitelist(context, token, true);
  const { status, authorizationReference, authorizationId } = verdict;
  if (status !== 'Accepted') return { status, expiresAt: null, roaming: null };
  const { partnerId, groupId } = token;
  const roaming = { partnerId, token: token.token, authorizationReference, authorizationId };
  return acceptFor(context, { ...roaming, authMethod: 'AUTH_REQUEST' }, groupId, askedAgainMs);
}

/** Characters and length of a token's uid in OCPI (CiString(36), 2.2.1 §16.1). */
const ocpiUid = /^[\x20-\x7e]{1,36}$/;

/** Returns the authorization of a card that no partner has sent us; null when no partner is asked or none answers. */
async function authorizeUnknown(context: Context<'sql' | 'roaming'>, uid: string, evse: number | null) {
  const { charger, stores } = context;
  const { networkId, id: chargerId } = charger;
  if (!ocpiUid.test(uid) || !(await isUnknownToken(stores.sql, networkId, uid))) return null;
  const verdict = await stores.roaming.authorizeUnknown({ networkId, uid, chargerId, evse });
  if (verdict === null) return null;
  if (verdict.status !== 'Accepted') return { status: verdict.status, expiresAt: null, roaming: null };
  return acceptFor(context, verdict.roaming, verdict.groupId, askedAgainMs);
}

function byWhitelist(context: Context, token: RoamingToken, isPartnerSilent: boolean) {
  if (!whitelistAllows(token, isPartnerSilent)) {
    const status = token.isValid ? 'Invalid' : 'Blocked';
    return { status, expiresAt: null, roaming: null } as const;
  }
  const roaming: Roaming = {
    partnerId: token.partnerId,
    token: token.token,
    authMethod: 'WHITELIST',
    authorizationReference: null,
    authorizationId: null,
  };
  return acceptFor(context, roaming, token.groupId, isPartnerSilent ? askedAgainMs : whitelistedMs);
}

function acceptFor({ receivedAt }: Context, roaming: Roaming, groupId: string | null, forMs: number) {
  const expiresAt = new Date(receivedAt.getTime() + forMs);
  return { status: 'Accepted', expiresAt, groupId, roaming } as const;
}
