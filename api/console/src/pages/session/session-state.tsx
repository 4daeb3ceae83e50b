import {
  Ban,
  CalendarClock,
  CircleCheck,
  CirclePause,
  CircleStop,
  Clock,
  Eye,
  Hourglass,
  ReceiptText,
  Zap,
} from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import styles from './session-state.module.css';

type Summary = Pick<Schemas['OperatorSessionSummary'], 'status' | 'isIdle' | 'priceState'>;

const statusLooks = {
  RESERVATION: { icon: CalendarClock, color: '--state-reserved' },
  ACTIVE: { icon: Zap, color: '--state-occupied' },
  STOPPING: { icon: CircleStop, color: '--state-occupied' },
  COMPLETED: { icon: CircleCheck, color: '--state-offline' },
  INVALID: { icon: Ban, color: '--state-faulted' },
  idle: { icon: CirclePause, color: '--state-unavailable' },
} as const;

const priceLooks = {
  OPEN: { icon: Clock, color: '--state-occupied' },
  PENDING: { icon: Hourglass, color: '--state-unavailable' },
  UNPRICED: { icon: Ban, color: '--state-offline' },
  REVIEW: { icon: Eye, color: '--state-unavailable' },
  SETTLED: { icon: ReceiptText, color: '--state-offline' },
} as const;

/** State of a session as icon, colour and word. */
export function SessionState({ session: { status, isIdle } }: { session: Summary }) {
  const { t } = useTranslation('session');
  const state = status === 'ACTIVE' && isIdle ? 'idle' : status;
  const { icon: Icon, color } = statusLooks[state];
  return (
    <span className={styles['state']}>
      <Icon aria-hidden size={15} style={{ color: `var(${color})` }} />
      {t(`status.${state}`)}
    </span>
  );
}

/** State of a session's price as icon, colour and word. */
export function PriceState({ session: { priceState } }: { session: Pick<Summary, 'priceState'> }) {
  const { t } = useTranslation('session');
  const { icon: Icon, color } = priceLooks[priceState];
  return (
    <span className={styles['state']}>
      <Icon aria-hidden size={15} style={{ color: `var(${color})` }} />
      {t(`priceState.${priceState}`)}
    </span>
  );
}
