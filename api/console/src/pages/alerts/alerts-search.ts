import { alertKinds, alertSeverities, alertStatuses } from '#shared/domain/fleet/alert.ts';
import type { Schemas } from '../../api/client.ts';
import { texts } from '../../app/search-params.ts';

export type Alert = Schemas['Alert'];
export const tabs = ['list', 'rules', 'thresholds', 'channels', 'mutes'] as const;

const names = ['tab', 'status', 'kind', 'severity', 'alert'] as const;

/** Tab, filters and opened alert of the page, as the address holds them. */
export type AlertsSearch = { [Name in (typeof names)[number]]?: string };

export const alertsSearch = (search: Record<string, unknown>): AlertsSearch => texts(search, ...names);

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** Returns the filters of the API, without values that it does not know. */
export function filterQuery(search: AlertsSearch) {
  const status = oneOf(alertStatuses, search.status);
  const kind = oneOf(alertKinds, search.kind);
  const severity = oneOf(alertSeverities, search.severity);
  return {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** Returns the tab of the address; the list unless it names one. */
export const tabOf = ({ tab }: AlertsSearch) => oneOf(tabs, tab) ?? 'list';
