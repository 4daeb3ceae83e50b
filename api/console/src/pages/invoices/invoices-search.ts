import type { Schemas } from '../../api/client.ts';
import { texts } from '../../app/search-params.ts';
import { zonedDayEnd, zonedDayStart } from '../../texts/zoned-time.ts';

const names = ['search', 'kind', 'state', 'userId', 'from', 'to'] as const;

/** Filters of the list, as they stand in the address. */
export type InvoicesSearch = { [Name in (typeof names)[number]]?: string | undefined };

export type InvoiceRow = Schemas['OperatorInvoiceSummary'];

export const kinds = ['INVOICE', 'CREDIT_NOTE'] as const;
export const paymentStates = ['DUE', 'PAID', 'FREE', 'CREDITED'] as const;

export function invoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  return texts(search, ...names);
}

export const isFiltered = (search: InvoicesSearch) => names.some((name) => search[name] !== undefined);

/** Returns the search without filters. */
export const withoutFilters: InvoicesSearch = Object.fromEntries(names.map((name) => [name, undefined]));

/**
 * Returns the filters of the API: what the address holds, without values that the API does not know.
 * @param timeZone time zone of the days
 */
export function filterQuery({ search, kind, state, userId, from, to }: InvoicesSearch, timeZone: string) {
  const knownKind = kinds.find((known) => known === kind);
  const paymentState = paymentStates.find((known) => known === state);
  const [start, end] = [zonedDayStart(from, timeZone), zonedDayEnd(to, timeZone)];
  return {
    ...(search !== undefined && { search }),
    ...(knownKind !== undefined && { kind: knownKind }),
    ...(paymentState !== undefined && { paymentState }),
    ...(userId !== undefined && { userId }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  };
}
