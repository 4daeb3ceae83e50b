import { Ban, CircleAlert, CircleCheck, CircleHelp, Clock, CloudOff, Zap } from './icons/icons.ts';
import { useTranslation } from 'react-i18next';
import styles from './state-badge.module.css';

/** States of chargers and connectors, with one colour, icon and word each. */
export const states = [
  'available',
  'occupied',
  'reserved',
  'unavailable',
  'faulted',
  'offline',
  'unknown',
] as const;
export type State = (typeof states)[number];

const icons = {
  available: CircleCheck,
  occupied: Zap,
  reserved: Clock,
  unavailable: Ban,
  faulted: CircleAlert,
  offline: CloudOff,
  unknown: CircleHelp,
};

/** States of OCPP statuses (1.6 §7.7, 2.0.1 ConnectorStatusEnumType). */
const statesOfStatuses: Record<string, State> = {
  available: 'available',
  preparing: 'occupied',
  occupied: 'occupied',
  charging: 'occupied',
  suspendedev: 'occupied',
  suspendedevse: 'occupied',
  finishing: 'occupied',
  reserved: 'reserved',
  unavailable: 'unavailable',
  faulted: 'faulted',
  offline: 'offline',
};

/** Returns the state of an OCPP status. A charger without a connection is offline, whatever it reported. */
export function stateOf(status: string | null | undefined, isOnline = true): State {
  if (!isOnline) return 'offline';
  return statesOfStatuses[(status ?? '').toLowerCase()] ?? 'unknown';
}

/** State as icon, colour and word. `word` replaces the word, for example with the exact OCPP status. */
export function StateBadge({ state, word }: { state: State; word?: string | undefined }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <span className={styles['badge']}>
      <Icon aria-hidden size={15} style={{ color: `var(--state-${state})` }} />
      {word ?? t(`state.${state}`)}
    </span>
  );
}
