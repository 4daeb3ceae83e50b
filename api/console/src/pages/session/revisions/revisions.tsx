import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { ChangedValues } from '../../../ui/changed-values.tsx';
import { useNetworkZone } from '../../../app/network-zone.ts';
import type { Session } from '../session-queries.ts';
import { changesOf } from './changed-values.ts';
import styles from './revisions.module.css';

/** Changes of a session, newest first: who changed which value from what to what, and why. */
export function Revisions({ session }: { session: Session }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats(useNetworkZone(session.networkUuid));
  const changes = useMemo(() => changesOf(t, formats, session), [t, formats, session]);
  return (
    <Card title={t('revisions.title')}>
      <ol className={styles['changes']}>
        {changes.map(({ revision, values }) => (
          <li key={revision.version}>
            <p className={styles['who']}>
              <strong>{revision.replacedBy ?? t('revisions.byCharger')}</strong>{' '}
              <time dateTime={revision.replacedAt}>{formats.dateTime(revision.replacedAt)}</time>
            </p>
            {revision.reason !== null && <p>{t('revisions.reason', { reason: revision.reason })}</p>}
            {values.length === 0 ? (
              <p className={styles['same']}>{t('revisions.same')}</p>
            ) : (
              <ChangedValues values={values} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
