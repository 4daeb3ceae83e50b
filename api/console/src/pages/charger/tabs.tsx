import { type ComponentType, lazy } from 'react';
import type { OcppFeatures } from '#shared/domain/fleet/ocpp-version.ts';
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
  id: keyof (typeof en)['charger']['tabs'];
  /** Scope without which the tab has nothing to show. */
  scope: string;
  /** Condition of the charger's OCPP version. Left out: any version. */
  needs?: (features: OcppFeatures) => boolean;
  /** Component of the folder of the tab, lazy so that it loads when it is seen. */
  content: ComponentType<TabProps>;
}

/** Tabs that belong together. The text `charger:tabGroups.<title>` names several of them; a single tab shows its own title. */
export interface ChargerTabGroup {
  title: Exclude<keyof (typeof en)['charger']['tabGroups'], 'label'> | null;
  tabs: readonly ChargerTab[];
}

const History = lazy(async () => ({ default: (await import('./history/history.tsx')).History }));

const Sessions = lazy(async () => ({ default: (await import('./sessions/sessions.tsx')).Sessions }));

const ConfigurationTab = lazy(async () => ({
  default: (await import('./configuration/configuration-tab.tsx')).ConfigurationTab,
}));
const StationTab = lazy(async () => ({ default: (await import('./station/station-tab.tsx')).StationTab }));
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

const LogTab = lazy(async () => ({ default: (await import('./log/log-tab.tsx')).LogTab }));

const OcppTab = lazy(async () => ({ default: (await import('./ocpp/ocpp-tab.tsx')).OcppTab }));

const AuditTab = lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab }));

/** Groups of tabs in their order. */
export const chargerTabGroups: readonly ChargerTabGroup[] = [
  { title: null, tabs: [{ id: 'history', scope: 'cpms:read:chargers', content: History }] },
  {
    title: 'charging',
    tabs: [
      { id: 'sessions', scope: 'cpms:read:sessions', content: Sessions },
      { id: 'reservations', scope: 'cpms:read:reservations', content: ReservationsTab },
    ],
  },
  {
    title: 'messages',
    tabs: [
      { id: 'log', scope: 'cpms:read:chargers', content: LogTab },
      { id: 'commands', scope: 'cpms:command:ocpp', content: OcppTab },
      { id: 'events', scope: 'cpms:read:device-data', content: EventsTab },
    ],
  },
  {
    title: 'device',
    tabs: [
      { id: 'configuration', scope: 'cpms:read:device-data', content: ConfigurationTab },
      {
        id: 'station',
        scope: 'cpms:read:device-data',
        needs: ({ hasStationLimits }) => hasStationLimits,
        content: StationTab,
      },
      { id: 'firmware', scope: 'cpms:read:chargers', content: FirmwareTab },
      { id: 'certificates', scope: 'cpms:read:device-data', content: CertificatesTab },
      { id: 'localList', scope: 'cpms:read:id-tokens', content: LocalListTab },
    ],
  },
  { title: null, tabs: [{ id: 'audit', scope: 'cpms:read:audit-log', content: AuditTab }] },
];
