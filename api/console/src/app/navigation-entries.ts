import type { LinkProps } from '@tanstack/react-router';
import { BatteryCharging, type LucideIcon, PlugZap, ScanEye } from 'lucide-react';
import type { en } from '../texts/en/index.ts';

type Title = keyof (typeof en)['common']['navigation'];

interface Entry {
  id: Title;
  to: LinkProps['to'];
  /** Scope without which the page has nothing to show. */
  scope: string;
  icon: LucideIcon;
}

/** Pages of the navigation, by domain. */
export const navigation: { title: Title; entries: Entry[] }[] = [
  {
    title: 'fleet',
    entries: [{ id: 'chargers', to: '/fleet/chargers', scope: 'cpms:read:chargers', icon: PlugZap }],
  { title: 'fleet', entries: [{ id: 'chargers', to: '/', scope: 'cpms:read:chargers', icon: PlugZap }] },
  {
    title: 'charging',
    entries: [
      { id: 'sessions', to: '/charging/sessions', scope: 'cpms:read:sessions', icon: BatteryCharging },
      { id: 'review', to: '/charging/review', scope: 'cpms:read:sessions', icon: ScanEye },
    ],
  },
];
