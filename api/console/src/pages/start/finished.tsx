import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import styles from './start.module.css';

interface Props {
  charger: Schemas['Charger'];
  session: Pick<Schemas['Session'], 'id' | 'status'>;
}

/** End of the way: the session, and where to go on. */
export function Finished({ charger, session }: Props) {
  const { t } = useTranslation('start');
  return (
    <Card title={t(session.status === 'ACTIVE' ? 'finished.running' : 'finished.ended')}>
      <p className={styles['done']}>
        <Link to="/charging/sessions/$uuid" params={{ uuid: session.id }}>
          {t('finished.session')}
        </Link>
        <Link to="/fleet/chargers/$uuid" params={{ uuid: charger.id }}>
          {t('finished.charger', { charger: charger.uid })}
        </Link>
        <Link to="/start" search={{ charger: 'new' }}>
          {t('finished.another')}
        </Link>
        <Link to="/">{t('finished.overview')}</Link>
      </p>
    </Card>
  );
}
