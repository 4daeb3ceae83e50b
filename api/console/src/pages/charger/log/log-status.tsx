import { ArrowUp, Pause, Play } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { StreamState } from '../../../api/event-stream.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { LiveIndicator } from '../../../ui/live-indicator.tsx';
import type { LogFilter } from './log-search.ts';
import styles from './log.module.css';

interface Props {
  stream: StreamState;
  range: LogFilter['range'];
  onLive: () => void;
  follows: boolean;
  isHeld: boolean;
  waiting: number;
  onFollow: (follows: boolean) => void;
  onNewest: () => void;
}

/** Shows whether the log is live, and what waits while it is paused. */
export function LogStatus({ stream, range, onLive, follows, isHeld, waiting, onFollow, onNewest }: Props) {
  const { t } = useTranslation('log');
  const formats = useFormats();
  if (range !== null) {
    return (
      <div className={styles['status']}>
        <span>
          {t('range', {
            from: formats.dateTime(range.from),
            to: formats.dateTime(range.to),
          })}
        </span>
        <Button onPress={onLive}>{t('showLive')}</Button>
      </div>
    );
  }
  return (
    <div className={styles['status']}>
      <span className={styles['waiting']} data-shown={isHeld && waiting > 0}>
        <Button kind="primary" onPress={onNewest} isDisabled={waiting === 0}>
          <ArrowUp aria-hidden size={15} />
          {t('waiting', { count: waiting })}
        </Button>
      </span>
      <LiveIndicator stream={stream} />
      <Button kind="quiet" onPress={() => (follows ? onFollow(false) : onNewest())}>
        {follows ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
        {t(follows ? 'pause' : 'follow')}
      </Button>
    </div>
  );
}
