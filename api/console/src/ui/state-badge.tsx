import { type ChargerState, stateByStatus } from '#shared/domain/fleet/charger-state.ts';
import {
  type IconComponent,
  Ban,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Clock,
  CloudOff,
  Zap,
} from './icons/icons.ts';
import { useTranslation } from 'react-i18next';
import styles from './state-badge.module.css';

/** Icons of the states of chargers and connectors, which have a colour and a word each as well. */
const icons: Record<ChargerState, IconComponent> = {
  available: CircleCheck,
  occupied: Zap,
  reserved: Clock,
  unavailable: Ban,
  faulted: CircleAlert,
  offline: CloudOff,
  unknown: CircleHelp,
};

/** Returns the state of an OCPP status. A charger without a connection is offline, whatever it reported. */
export function stateOf(status: string | null | undefined, isOnline = true): ChargerState {
  if (!isOnline) return 'offline';
  const word = (status ?? '').toLowerCase();
  return word === 'offline' ? word : (stateByStatus[word] ?? 'unknown');
}

/** State as icon, colour and word. `word` replaces the word, for example with the exact OCPP status. */
export function StateBadge({ state, word }: { state: ChargerState; word?: string | undefined }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <span className={styles['badge']}>
      <Icon aria-hidden size={15} style={{ color: `var(--state-${state})` }} />
      {word ?? t(`state.${state}`)}
    </span>
  );
}
