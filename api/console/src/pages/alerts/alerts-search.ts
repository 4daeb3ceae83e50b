import type { Schemas } from '../../api/client.ts';
import { texts } from '../../app/search-params.ts';
import { en } from '../../texts/english.ts';

export type Alert = Schemas['Alert'];
export type AlertKind = Alert['kind'];

/** Kinds, states and severities of alerts, in the order of the filters. */
export const kinds = Object.keys(en.alerts.kind) as AlertKind[];
export const statuses = ['open', 'acknowledged', 'resolved'] as const;
export const severities = ['warning', 'critical'] as const;
export const tabs = ['list', 'rules', 'mutes'] as const;

const names = ['tab', 'status', 'kind', 'severity', 'alert'] as const;

/** Tab, filters and opened alert of the page, as the address holds them. */
export type AlertsSearch = { [Name in (typeof names)[number]]?: string };

export const alertsSearch = (search: Record<string, unknown>): AlertsSearch => texts(search, ...names);

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** Returns the filters of the API, without values that it does not know. */
export function filterQuery(search: AlertsSearch) {
  const status = oneOf(statuses, search.status);
  const kind = oneOf(kinds, search.kind);
  const severity = oneOf(severities, search.severity);
  return {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** Returns the tab of the address; the list unless it names one. */
export const tabOf = ({ tab }: AlertsSearch) => oneOf(tabs, tab) ?? 'list';
