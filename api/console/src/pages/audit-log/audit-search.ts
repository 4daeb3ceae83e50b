import type { operations } from '../../api/schema.d.ts';
import { texts } from '../../app/search-params.ts';
import { instantOf } from '../../texts/zoned-time.ts';

/** Filters of the log and the opened entry, as the address holds them. Times are in the page's time zone. */
const names = ['category', 'actor', 'object', 'from', 'to', 'entry'] as const;

export type AuditSearch = { [Name in (typeof names)[number]]?: string | undefined };

const filterNames = names.filter((name) => name !== 'entry');

export function auditSearch(search: Record<string, unknown>): { [Name in (typeof names)[number]]?: string } {
  return texts(search, ...names);
}

/** Returns true when the log is filtered. */
export const isFiltered = (search: AuditSearch) => filterNames.some((name) => search[name] !== undefined);

/** Search without filters. */
export const withoutFilters: AuditSearch = Object.fromEntries(filterNames.map((name) => [name, undefined]));

type Query = NonNullable<operations['exportAuditLog']['parameters']['query']>;

/** Returns the filters in the form of the API. */
export function auditQuery(
  { category, actor, object, from, to }: AuditSearch,
  timeZone: string,
): Omit<Query, 'format'> {
  const [after, before] = [from, to].map((text) => instantOf(text ?? '', timeZone));
  return {
    ...(category !== undefined && { category }),
    ...(actor !== undefined && { userId: actor }),
    ...(object !== undefined && { resourceId: object }),
    ...(after !== undefined && { from: after }),
    ...(before !== undefined && { to: before }),
  };
}

/** Categories of entries. */
export const categories = [
  'alert',
  'alert-channel',
  'alert-mute',
  'alert-rule',
  'alert-threshold',
  'api-key',
  'auth',
  'bulk-job',
  'charger',
  'charger-model',
  'command',
  'connector',
  'evse',
  'export',
  'firmware-image',
  'id-token',
  'invoice',
  'location',
  'manufacturer',
  'network',
  'ocpi-partner',
  'ocpi-token',
  'operator',
  'saved-view',
  'scheduled-charge',
  'session',
  'tariff',
  'tariff-assignment',
  'trusted-certificate',
  'user',
  'wallet',
  'webhook',
] as const;
