import { type ComponentType, lazy } from 'react';
import type { Schemas } from '../../api/client.ts';
import type { en } from '../../texts/english.ts';
import type { Live } from './live-charger.ts';

/** Charger of a tab, with its live values. */
export interface TabProps {
  charger: Schemas['Charger'];
  live: Live;
}

/** Tab of the page. The address holds its id; its title is the text `charger:tabs.<id>`. */
export interface ChargerTab {
  id: Exclude<keyof (typeof en)['charger']['tabs'], 'label'>;
  /** Scope without which the tab has nothing to show. */
  scope: string;
  /** Component of the folder of the tab, lazy so that it loads when it is seen. */
  content: ComponentType<TabProps>;
}

const History = lazy(async () => ({ default: (await import('./history/history.tsx')).History }));

const Sessions = lazy(async () => ({ default: (await import('./sessions/sessions.tsx')).Sessions }));

const ConfigurationTab = lazy(async () => ({
  default: (await import('./configuration/configuration-tab.tsx')).ConfigurationTab,
}));
const FirmwareTab = lazy(async () => ({
  default: (await import('./firmware/firmware-tab.tsx')).FirmwareTab,
}));
const CertificatesTab = lazy(async () => ({
  default: (await import('./certificates/certificates-tab.tsx')).CertificatesTab,
}));
const ReservationsTab = lazy(async () => ({
  default: (await import('./reservations/reservations-tab.tsx')).ReservationsTab,
}));
const LocalListTab = lazy(async () => ({
  default: (await import('./local-list/local-list-tab.tsx')).LocalListTab,
}));
const EventsTab = lazy(async () => ({ default: (await import('./events/events-tab.tsx')).EventsTab }));

/** Tabs in their order. */
export const chargerTabs: readonly ChargerTab[] = [
  { id: 'history', scope: 'cpms:read:chargers', content: History },
  { id: 'sessions', scope: 'cpms:read:sessions', content: Sessions },
  {
    id: 'log',
    scope: 'cpms:read:chargers',
    content: lazy(async () => ({ default: (await import('./log/log-tab.tsx')).LogTab })),
  },
  { id: 'configuration', scope: 'cpms:read:device-data', content: ConfigurationTab },
  { id: 'firmware', scope: 'cpms:read:chargers', content: FirmwareTab },
  { id: 'certificates', scope: 'cpms:read:device-data', content: CertificatesTab },
  { id: 'reservations', scope: 'cpms:read:reservations', content: ReservationsTab },
  { id: 'localList', scope: 'cpms:read:id-tokens', content: LocalListTab },
  { id: 'events', scope: 'cpms:read:device-data', content: EventsTab },
  {
    id: 'commands',
    scope: 'cpms:command:ocpp',
    content: lazy(async () => ({ default: (await import('./ocpp/ocpp-tab.tsx')).OcppTab })),
  },
  {
    id: 'audit',
    scope: 'cpms:read:audit-log',
    content: lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab })),
  },
];
