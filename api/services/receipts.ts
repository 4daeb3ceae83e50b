import { DomainError } from '#shared/domain/errors.ts';
import { findBillableSession } from '#shared/postgres/billable-sessions.ts';
import { findNetworkById } from '#shared/postgres/network-details.ts';
import { type Bill, billedSession, requirePriced, sellerOf } from './bills.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from './deps.ts';

/**
 * The receipt of one of the caller's sessions as a PDF, in the language of its driver.
 * @throws {DomainError} SESSION_NOT_FOUND, SESSION_NOT_COMPLETED, SESSION_NOT_PRICED, RENDERER_BUSY.
 */
export async function renderReceipt(
  deps: Pick<ServiceDeps, 'sql' | 'bills'>,
  caller: Caller,
  uuid: string,
): Promise<Uint8Array> {
  return deps.bills.render(await readReceipt(deps, caller, uuid));
}

async function readReceipt(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  uuid: string,
): Promise<Bill> {
  const found = await findBillableSession(sql, { networks, userId }, uuid);
  if (found === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
  const session = requirePriced(found);
  const network = await findNetworkById(sql, session.networkId);
  const billed = billedSession(session);
  const { currency, totalExclVatMinor, totalVatMinor, totalInclVatMinor } = billed.cost;
  return {
    kind: 'RECEIPT',
    number: session.uuid,
    // The same session gives the same receipt, whenever it is asked for.
    issuedAt: session.endedAt,
    credits: null,
    reason: null,
    language: session.language,
    timeZone: session.timeZone,
    primaryColor: network.primaryColor,
    seller: sellerOf(network),
    buyer: null,
    sessions: [billed],
    currency,
    totalExclVatMinor,
    totalVatMinor,
    totalInclVatMinor,
  };
}
