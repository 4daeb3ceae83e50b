import type { RoamingDeps } from './deps.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import {
  claimPull,
  type DuePull,
  endPull,
  failPull,
  pausePull,
  type PulledModule,
  type PulledTo,
} from '#shared/postgres/roaming/ocpi-list-pulls.ts';
import { findPartner, type PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { ourRole } from './our-credentials.ts';
import { callPartner, type CalledPartner, isSuccess } from './partner-calls.ts';

/** Interval in seconds of reading a partner's changes: most partners push them as well. */
const everySeconds = 3600;
const leaseSeconds = 600;
/** Clocks differ: what was changed shortly before the last reading is read again. */
const overlapMs = 5 * 60_000;
const perPage = 500;
/** A partner that never ends its list is not read indefinitely. */
const maxPages = 5000;
/** Maximum number of pages in a turn: even with a slow partner it ends well before the lease. */
const pagesInTurn = 20;
/** A page that failed so often in a row may be gone: the list is read from its beginning. */
const maxAttemptsAtPage = 3;
const firstRetrySeconds = 30;

export type PullDeps = Pick<RoamingDeps, 'sql' | 'outbound' | 'exchanges' | 'secrets'>;

/** List that is read from partners. */
export interface PulledList {
  module: PulledModule;
  /** Stores the objects of a page that are usable; the exchange log has the others. */
  store: (deps: PullDeps, partner: PartnerRecord, sent: readonly unknown[]) => Promise<void>;
}

/**
 * Reads the list of each partner where it is due: all of it after a handshake, what changed since every hour; long lists in turns.
 * Any number of processes may run this. Ends after a turn when the process stops.
 */
export async function pullList(deps: PullDeps, list: PulledList, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const due = await claimPull(deps.sql, list.module, leaseSeconds);
    if (due === null) return;
    await runTurn(deps, list, due);
  }
}

/** A partner answered, and not with a list. */
class UnusableAnswer extends Error {}

async function runTurn(deps: PullDeps, list: PulledList, due: DuePull): Promise<void> {
  const at: PulledTo = { nextPage: due.nextPage ?? firstPage(due), pages: due.pages };
  try {
    await readPages(deps, list, due, at);
    if (at.nextPage === null) await endPull(deps.sql, due, everySeconds);
    else await pausePull(deps.sql, due, at);
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof UnusableAnswer)) throw error;
    const isEndless = at.pages === maxPages;
    const backoff = Math.min(everySeconds, firstRetrySeconds * 2 ** Math.min(due.attempts - 1, 10));
    const seconds = isEndless ? everySeconds : backoff;
    const isAnew = isEndless || due.attempts >= maxAttemptsAtPage;
    const from = isAnew ? { nextPage: null, pages: 0 } : at;
    await failPull(deps.sql, due, from, error.message, seconds);
  }
}

/** Stores the objects of one turn, and moves `at` with each page. */
async function readPages(
  deps: PullDeps,
  { module, store }: PulledList,
  { partnerUuid }: DuePull,
  at: PulledTo,
): Promise<void> {
  const partner = await findPartner(deps.sql, allNetworks, partnerUuid);
  if (partner === null) return;
  const called = { ...partner, from: await ourRole(deps, partner.networkId) };
  for (let read = 0; at.nextPage !== null && read < pagesInTurn; read += 1) {
    if (at.pages === maxPages) throw new UnusableAnswer(`more than ${maxPages} pages`);
    const { sent, nextUrl } = await readPage(deps, called, module, at.nextPage);
    await store(deps, partner, sent);
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
  deps: PullDeps,
  partner: CalledPartner,
  module: PulledModule,
  url: string,
): Promise<{ sent: readonly unknown[]; nextUrl: string | null }> {
  const answer = await callPartner(deps, partner, { module, method: 'GET', url });
  if (!isSuccess(answer) || !Array.isArray(answer.data)) {
    throw new UnusableAnswer(`HTTP ${answer.httpStatus}, status_code ${answer.statusCode ?? 'none'}`);
  }
  return { sent: answer.data, nextUrl: answer.nextUrl };
}

/** Returns the last of the objects with one key: a statement stores an object once. */
export function lastByKey<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}
