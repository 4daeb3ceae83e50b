import type { RoamingDeps } from './deps.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findPartner, type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.ts';
import {
  claimTokenPull,
  type DuePull,
  endTokenPull,
  failTokenPull,
  pauseTokenPull,
  type PulledTo,
} from '#shared/postgres/roaming/ocpi-token-pulls.ts';
import { type OcpiTokenRecord, upsertOcpiTokens } from '#shared/postgres/roaming/ocpi-tokens.ts';
import { ourRole } from './our-credentials.ts';
import { callPartner, type CalledPartner, isSuccess } from './partner-calls.ts';
import { serializerFor } from './wire/serializer.ts';

/** Interval in seconds of reading a partner's changes: most partners push them as well. */
const everySeconds = 3600;
const leaseSeconds = 600;
/** Clocks differ: what was changed shortly before the last reading is read again. */
const overlapMs = 5 * 60_000;
const perPage = 500;
/** A partner that never ends its list is not read for ever. */
const maxPages = 5000;
/** Maximum number of pages in a turn: even with a slow partner it ends well before the lease. */
const pagesInTurn = 20;
/** A page that failed so often in a row may be gone: the list is read from its beginning. */
const maxAttemptsAtPage = 3;
const firstRetrySeconds = 30;

type Deps = Pick<RoamingDeps, 'sql' | 'outbound' | 'exchanges' | 'secrets'>;

/**
 * Reads the tokens of the partners that are due: all of them after a handshake, what changed since every hour (OCPI 2.2.1
 * §12.1.2); long lists in turns. Any number of processes may run this.
 */
export async function pullTokens(deps: Deps): Promise<void> {
  for (;;) {
    const due = await claimTokenPull(deps.sql, leaseSeconds);
    if (due === null) return;
    await runTurn(deps, due);
  }
}

/** A partner answered, and not with tokens. */
class UnusableAnswer extends Error {}

async function runTurn(deps: Deps, due: DuePull): Promise<void> {
  const at: PulledTo = { nextPage: due.nextPage ?? firstPage(due), pages: due.pages };
  try {
    await readPages(deps, due, at);
    if (at.nextPage === null) await endTokenPull(deps.sql, due, everySeconds);
    else await pauseTokenPull(deps.sql, due, at);
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof UnusableAnswer)) throw error;
    const isEndless = at.pages === maxPages;
    const backoff = Math.min(everySeconds, firstRetrySeconds * 2 ** Math.min(due.attempts - 1, 10));
    const seconds = isEndless ? everySeconds : backoff;
    const isAnew = isEndless || due.attempts >= maxAttemptsAtPage;
    const from = isAnew ? { nextPage: null, pages: 0 } : at;
    await failTokenPull(deps.sql, due, from, error.message, seconds);
  }
}

/** Stores the tokens of one turn, and moves `at` with each page. */
async function readPages(deps: Deps, { partnerUuid }: DuePull, at: PulledTo): Promise<void> {
  const partner = await findPartner(deps.sql, allNetworks, partnerUuid);
  if (partner === null) return;
  const called = { ...partner, from: await ourRole(deps, partner.networkId) };
  const isOwn = (token: OcpiTokenRecord) =>
    partner.roles.some((role) => role.countryCode === token.countryCode && role.partyId === token.partyId);
  for (let read = 0; at.nextPage !== null && read < pagesInTurn; read += 1) {
    if (at.pages === maxPages) throw new UnusableAnswer(`more than ${maxPages} pages`);
    const { tokens, nextUrl } = await readPage(deps, called, at.nextPage);
    await upsertOcpiTokens(deps.sql, partner.id, unique(tokens.filter(isOwn)));
    at.nextPage = nextPage(at.nextPage, nextUrl);
    at.pages += 1;
  }
}

function firstPage({ url: endpoint, readUntil }: DuePull): string {
  const url = new URL(endpoint);
  if (readUntil !== null) {
    url.searchParams.set('date_from', new Date(readUntil.getTime() - overlapMs).toISOString());
  }
  url.searchParams.set('limit', String(perPage));
  return url.href;
}

/** The next page carries the token that we show the partner: it must be the partner's own. */
function nextPage(current: string, link: string | null): string | null {
  if (link === null) return null;
  if (!URL.canParse(link, current)) throw new UnusableAnswer('a Link that is no URL');
  const next = new URL(link, current);
  if (next.origin !== new URL(current).origin) throw new UnusableAnswer('a Link to another server');
  if (next.href === current) throw new UnusableAnswer('a Link to the same page');
  return next.href;
}

async function readPage(
  deps: Pick<Deps, 'outbound' | 'exchanges' | 'secrets'>,
  partner: CalledPartner & Pick<PartnerRecord, 'ocpiVersion'>,
  url: string,
): Promise<{ tokens: OcpiTokenRecord[]; nextUrl: string | null }> {
  const answer = await callPartner(deps, partner, { module: 'tokens', method: 'GET', url });
  if (!isSuccess(answer) || !Array.isArray(answer.data)) {
    throw new UnusableAnswer(`HTTP ${answer.httpStatus}, status_code ${answer.statusCode ?? 'none'}`);
  }
  const { readToken } = serializerFor(partner.ocpiVersion);
  const { countryCode, partyId } = partner;
  const party =
    countryCode === null || partyId === null ? null : { country_code: countryCode, party_id: partyId };
  // A token that we cannot read does not keep the others out. The exchange log has it.
  const tokens = answer.data.map((sent) => readToken(sent, party)).filter((token) => token !== null);
  return { tokens, nextUrl: answer.nextUrl };
}

/** A statement stores a token once: of several the last. */
function unique(tokens: readonly OcpiTokenRecord[]): OcpiTokenRecord[] {
  const byName = tokens.map((token) => {
    const { countryCode, partyId, uid, type } = token;
    return [[countryCode, partyId, uid.toLowerCase(), type].join(' '), token] as const;
  });
  return [...new Map(byName).values()];
}
