import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TheyBegin } from './they-begin.tsx';
import { WeBegin } from './we-begin.tsx';
import styles from './roaming.module.css';

const theyBegin = () => <TheyBegin />;
const weBegin = () => <WeBegin />;

/** Wizard of the handshake with a new partner: the partner begins, or we do. */
export function NewPartnerPage() {
  const { t } = useTranslation('roaming');
  const { way } = useSearch({ from: '/signed-in/roaming/partners/new' });
  const navigate = useNavigate();
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <div>
          <Link to="/roaming/partners" className={styles['back']}>
            {t('partners.title')}
          </Link>
          <h1>{t('wizard.title')}</h1>
        </div>
      </header>
      <div className={styles['narrow']}>
        <Card>
          <Tabs
            label={t('wizard.way')}
            selected={way === 'we' ? 'we' : 'they'}
            onSelect={(id) =>
              void navigate({ to: '.', search: (before: object) => ({ ...before, way: id }), replace: true })
            }
            tabs={[
              { id: 'they', title: t('wizard.they'), content: theyBegin },
              { id: 'we', title: t('wizard.we'), content: weBegin },
            ]}
          />
        </Card>
      </div>
    </div>
  );
}
