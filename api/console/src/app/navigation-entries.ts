import type { LinkProps } from '@tanstack/react-router';
import {
  Activity,
  ArrowLeftRight,
  BatteryCharging,
  Boxes,
  CalendarClock,
  ChartColumn,
  FileDown,
  FileText,
  Gauge,
  Handshake,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type IconComponent,
  Map as MapIcon,
  MapPin,
  Network,
  Nfc,
  PlugZap,
  ScanEye,
  ScrollText,
  Tags,
  TriangleAlert,
  UserCog,
  Users,
  Wallet,
  Webhook,
  Unplug,
} from '../ui/icons/icons.ts';
import type { en } from '../texts/english.ts';
import { type Caller, permits } from './caller.tsx';

type Title = keyof (typeof en)['common']['navigation'];

interface Entry {
  id: Title;
  to: LinkProps['to'];
  /** Scope without which the page has nothing to show. */
  scope: string;
  /** True: only for callers without a restriction to networks. */
  isOfInstallation?: true;
  icon: IconComponent;
}

/** Pages of the navigation, by domain. Overview and alerts have no group. */
export const navigation: { title: Title | null; entries: Entry[] }[] = [
  {
    title: null,
    entries: [{ id: 'overview', to: '/', scope: 'cpms:read:chargers', icon: LayoutDashboard }],
  },
  {
    title: 'fleet',
    entries: [
      { id: 'chargers', to: '/fleet/chargers', scope: 'cpms:read:chargers', icon: PlugZap },
      { id: 'map', to: '/fleet/map', scope: 'cpms:read:chargers', icon: MapIcon },
      { id: 'locations', to: '/fleet/locations', scope: 'cpms:read:locations', icon: MapPin },
      { id: 'models', to: '/fleet/models', scope: 'cpms:read:catalog', icon: Boxes },
      { id: 'loadManagement', to: '/fleet/load', scope: 'cpms:read:load-sites', icon: Gauge },
      { id: 'bulkJobs', to: '/fleet/bulk-jobs', scope: 'cpms:read:chargers', icon: ListChecks },
      {
        id: 'rejectedConnections',
        to: '/fleet/rejected-connections',
        scope: 'cpms:read:chargers',
        icon: Unplug,
      },
    ],
  },
  {
    title: 'charging',
    entries: [
      { id: 'sessions', to: '/charging/sessions', scope: 'cpms:read:sessions', icon: BatteryCharging },
      {
        id: 'reservations',
        to: '/charging/reservations',
        scope: 'cpms:read:reservations',
        icon: CalendarClock,
      },
      { id: 'review', to: '/charging/review', scope: 'cpms:read:sessions', icon: ScanEye },
    ],
  },
  {
    title: 'money',
    entries: [
      { id: 'tariffs', to: '/money/tariffs', scope: 'cpms:read:tariffs', icon: Tags },
      { id: 'wallets', to: '/money/wallets', scope: 'cpms:read:wallets', icon: Wallet },
      { id: 'invoices', to: '/money/invoices', scope: 'cpms:read:invoices', icon: FileText },
    ],
  },
  {
    title: 'people',
    entries: [
      { id: 'drivers', to: '/people/drivers', scope: 'cpms:read:users', icon: Users },
      { id: 'tokens', to: '/people/tokens', scope: 'cpms:read:id-tokens', icon: Nfc },
      { id: 'operators', to: '/people/operators', scope: 'cpms:read:operators', icon: UserCog },
    ],
  },
  {
    title: 'roaming',
    entries: [
      { id: 'partners', to: '/roaming/partners', scope: 'cpms:read:ocpi-partners', icon: Handshake },
      { id: 'exchanges', to: '/roaming/exchanges', scope: 'cpms:read:ocpi-partners', icon: ArrowLeftRight },
    ],
  },
  {
    title: 'reporting',
    entries: [
      { id: 'analytics', to: '/reporting/analytics', scope: 'cpms:read:analytics', icon: ChartColumn },
      { id: 'exports', to: '/reporting/exports', scope: 'cpms:read:exports', icon: FileDown },
    ],
  },
  {
    title: null,
    entries: [{ id: 'alerts', to: '/alerts', scope: 'cpms:read:alerts', icon: TriangleAlert }],
  },
  {
    title: 'settings',
    entries: [
      { id: 'networks', to: '/settings/network', scope: 'cpms:read:networks', icon: Network },
      { id: 'apiKeys', to: '/settings/api-keys', scope: 'cpms:read:api-keys', icon: KeyRound },
      { id: 'webhooks', to: '/settings/webhooks', scope: 'cpms:read:webhooks', icon: Webhook },
      { id: 'auditLog', to: '/settings/audit-log', scope: 'cpms:read:audit-log', icon: ScrollText },
      {
        id: 'installation',
        to: '/settings/installation',
        scope: 'cpms:read:networks',
        isOfInstallation: true,
        icon: Activity,
      },
    ],
  },
];

/** Returns true when a caller may open a page. */
export const mayOpen = (
  { scope, isOfInstallation }: Pick<Entry, 'scope' | 'isOfInstallation'>,
  { scopes, unrestricted }: Pick<Caller, 'scopes' | 'unrestricted'>,
) => permits(scopes, scope) && (unrestricted || isOfInstallation !== true);
