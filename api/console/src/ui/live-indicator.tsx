import { useTranslation } from 'react-i18next';
import type { StreamState } from '../api/event-stream.ts';
import { useFormats } from '../texts/formats.ts';
import styles from './live-indicator.module.css';

/** Says whether the values are live, or since when the stream is lost. */
export function LiveIndicator({ stream }: { stream: StreamState }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const text = stream.isLive
    ? t('live.live')
    : stream.lostAt === null
      ? t('live.connecting')
      : t('live.reconnecting', { time: formats.time(stream.lostAt) });
  return (
    <span role="status" className={styles['indicator']} data-live={stream.isLive}>
      <span aria-hidden className={styles['dot']} />
      {text}
    </span>
  );
}
