import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { AuthorizationStatus } from '#shared/domain/charging/session.ts';
import { partyName, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import {
  type CdrToken,
  type OcpiTokenType,
  partnerDeadlineMs,
  type UnknownTokenAuthorization,
  type UnknownTokenRequest,
} from '#shared/domain/roaming/roaming.ts';
import { findAuthorization, insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import {
  type AuthorizingPartner,
  findUnknownToken,
  listAuthorizingPartners,
  rememberUnknownToken,
  type UnknownTokenAnswer,
} from '#shared/postgres/roaming/ocpi-unknown-tokens.ts';
import {
  type AuthorizationAnswer,
  authorizationGoodForMs,
  locationReferences,
  requestAuthorization,
} from './authorization-request.ts';
import type { RoamingDeps } from './deps.ts';
import { clientStateOf } from './hub-clients.ts';
import { askInTurn } from './in-turn.ts';
import { ourRole } from './our-credentials.ts';
import { ownParties, partyOf } from './own-parties.ts';
import { openlyRouted } from './partner-calls.ts';
import { serializerFor } from './wire/serializer.ts';
import { Token } from './wire/v221/token.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'outbound' | 'exchanges' | 'secrets'>;

/** Time in ms that the partner which allowed a card is remembered, and a refusal of all partners. */
const allowedForMs = 5 * 60_000;
const refusedForMs = 60_000;

/** Time in ms after which the next partner is asked while one has not answered. */
const maxStepMs = 1000;

/** Fields of the token in an answer that a session needs. */
const AnsweredToken = Type.Pick(Token, ['country_code', 'party_id', 'uid', 'contract_id', 'group_id']);

/** Answer of one partner. Null: no usable one. */
type PartnerVerdict =
  | (AuthorizationAnswer & { partner: AuthorizingPartner; allowed: AnsweredCard | null })
  | null;

/** Card of an answer that allows it. */
type AnsweredCard = Pick<Allowed, 'token' | 'groupId'>;

/** Authorization of a card by a partner, with the token that the partner returned. */
interface Allowed {
  partner: AuthorizingPartner;
  token: CdrToken;
  groupId: string | null;
  authorizationReference: string | null;
}

/**
 * Authorizes a card that no partner has sent us at the partners of the network, in the operator's order and within
 * `partnerDeadlineMs` for all. The first that allows the card wins. The answer is remembered for minutes.
 */
export async function authorizeUnknownToken(
  deps: Deps,
  request: UnknownTokenRequest,
): Promise<UnknownTokenAuthorization> {
  const { sql } = deps;
  const { networkId, uid, chargerId } = request;
  const [partners, remembered] = await Promise.all([
    listAuthorizingPartners(sql, networkId),
    findUnknownToken(sql, networkId, uid),
  ]);
  let known = partners.find(({ id }) => id === remembered?.partnerId);
  if (known === undefined && isRefusal(remembered, chargerId)) return { status: remembered.status };
  if (known !== undefined) {
    const word = await findAuthorization(sql, chargerId, uid, true);
    if (word?.partnerId === known.id) {
      const isUsable = await isChargeable(deps, known, word.token);
      if (isUsable) return { status: 'Accepted', roaming: word, groupId: word.groupId };
      // Another partner may have been granted the party.
      known = undefined;
    }
  }
  const verdicts = await askPartners(deps, request, known === undefined ? partners : [known]);
  const allowed = allowedBy(verdicts.at(-1) ?? null);
  if (allowed !== null) return accept(deps, request, allowed);
  const refusal = refusalOf(verdicts);
  // A partner that gave no usable answer may know the card.
  const isComplete = verdicts.length > 0 && !verdicts.includes(null);
  if (isComplete && refusal !== null) {
    const isKnown = verdicts.some((verdict) => verdict?.isKnown === true);
    const answer = { status: refusal, partnerId: null, chargerId: isKnown ? chargerId : null };
    await rememberUnknownToken(sql, networkId, uid, answer, refusedForMs);
  }
  return refusal === null ? null : { status: refusal };
}

type Refused = Exclude<AuthorizationStatus, 'Accepted'>;

function isRefusal(
  remembered: UnknownTokenAnswer | null,
  chargerId: number,
): remembered is UnknownTokenAnswer & { status: Refused } {
  if (remembered === null || remembered.status === 'Accepted') return false;
  return remembered.chargerId === null || remembered.chargerId === chargerId;
}

async function askPartners(
  deps: Deps,
  request: UnknownTokenRequest,
  partners: AuthorizingPartner[],
): Promise<PartnerVerdict[]> {
  const deadline = performance.now() + partnerDeadlineMs;
  const [from, location] = await Promise.all([
    ourRole(deps, request.networkId),
    locationReferences(deps.sql, request),
  ]);
  const requests = partners.map((partner) => async (): Promise<PartnerVerdict> => {
    const answer = await requestAuthorization(deps, {
      called: { ...openlyRouted(partner), from },
      tokensUrl: partner.tokensUrl,
      token: { uid: request.uid, type: typeOf(partner, request.uid) },
      location,
      timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
    });
    if (answer?.status !== 'Accepted') return answer && { ...answer, partner, allowed: null };
    const allowed = await answeredToken(deps, answer, partner, request.uid);
    return allowed === null ? null : { ...answer, partner, allowed };
  });
  const stepMs = Math.min(maxStepMs, partnerDeadlineMs / Math.max(1, partners.length));
  return askInTurn(requests, (verdict) => verdict?.status === 'Accepted', stepMs);
}

/** Returns the type under which a partner is asked about a card. */
function typeOf({ ocpiVersion }: AuthorizingPartner, uid: string): OcpiTokenType {
  return serializerFor(ocpiVersion).unknownType(uid);
}

function allowedBy(verdict: PartnerVerdict): Allowed | null {
  if (verdict === null || verdict.allowed === null) return null;
  const { partner, authorizationReference, allowed } = verdict;
  return { partner, authorizationReference, ...allowed };
}

/** Returns true when a partner acts for the party of a token, and its hub does not report the party as suspended. */
async function isChargeable(deps: Deps, partner: AuthorizingPartner, party: PartyOnWire): Promise<boolean> {
  const named = partyOf(party);
  if (!(await ownParties(deps, partner, [named])).has(partyName(named))) return false;
  return (await clientStateOf(deps, partner, party)) !== 'SUSPENDED';
}

/** Returns the token of an answer; null when it is not the requested card of one of the partner's parties. */
async function answeredToken(
  deps: Deps,
  { token }: AuthorizationAnswer,
  partner: AuthorizingPartner,
  uid: string,
): Promise<AnsweredCard | null> {
  if (!Check(AnsweredToken, token) || token.uid.toLowerCase() !== uid.toLowerCase()) return null;
  const party = { country_code: token.country_code.toUpperCase(), party_id: token.party_id.toUpperCase() };
  if (!(await isChargeable(deps, partner, party))) return null;
  return {
    token: { ...party, uid: token.uid, type: typeOf(partner, uid), contract_id: token.contract_id },
    groupId: token.group_id ?? null,
  };
}

async function accept(
  { sql }: Deps,
  { networkId, uid, chargerId }: UnknownTokenRequest,
  { partner, token, groupId, authorizationReference }: Allowed,
): Promise<UnknownTokenAuthorization> {
  const word = { partnerId: partner.id, token, authMethod: 'AUTH_REQUEST', authorizationReference } as const;
  const authorizationId = await insertAuthorization(sql, {
    ...word,
    chargerId,
    groupId,
    expiresAt: new Date(Date.now() + authorizationGoodForMs),
  });
  const answer = { status: 'Accepted', partnerId: partner.id, chargerId } as const;
  await rememberUnknownToken(sql, networkId, uid, answer, allowedForMs);
  return { status: 'Accepted', roaming: { ...word, authorizationId }, groupId };
}

/** Returns the refusal of a partner that knows the card, else Invalid; null when no answer was usable. */
function refusalOf(verdicts: PartnerVerdict[]): Refused | null {
  const answers = verdicts.filter((verdict) => verdict !== null);
  const refusal = answers.find(({ isKnown, status }) => isKnown && status !== 'Accepted') ?? answers[0];
  return refusal === undefined || refusal.status === 'Accepted' ? null : refusal.status;
}
