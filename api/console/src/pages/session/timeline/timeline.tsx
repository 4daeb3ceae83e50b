import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Session, timelineQuery } from '../session-queries.ts';
import { TimelineEntry } from './timeline-entry.tsx';
import styles from './timeline.module.css';

/** Events of a session, in order. A new day begins with its date. */
export function Timeline({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { data, error, refetch } = useQuery(timelineQuery(session));
  return (
    <Card title={t('timeline.title')}>
      {data === undefined && error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={360} />}
      {data?.isPartial === true && <p className={styles['note']}>{t('timeline.partial')}</p>}
      <ol className={styles['entries']}>
        {data?.entries.map((entry, index) => {
          const before = data.entries[index - 1];
          const day = formats.date(entry.time);
          const isNewDay = before === undefined || formats.date(before.time) !== day;
          return (
            <TimelineEntry
              key={`${entry.time} ${entry.type} ${entry.link?.id ?? index}`}
              session={session}
              entry={entry}
              day={isNewDay ? day : null}
            />
          );
        })}
      </ol>
      {data?.isTruncated === true && <p className={styles['note']}>{t('timeline.truncated')}</p>}
    </Card>
  );
}
