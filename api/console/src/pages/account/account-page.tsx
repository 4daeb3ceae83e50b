import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import styles from './account.module.css';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

/** The signed-in account: its identity, sessions and password. */
export function AccountPage() {
  const { t } = useTranslation(['account', 'people']);
  const networks = useNetworks();
  const session = useQuery({
    queryKey: ['auth', 'session'],
    queryFn: () => dataOf(api.GET('/cpms/v1/auth/session')),
  });
  const { data, error, refetch } = session;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      <StaleNotice query={session} />
      <Card>
        {data === undefined ? (
          <Skeleton height={48} />
        ) : (
          <Facts
            facts={[
              [t('identity'), data.email ?? t('key', { name: data.name ?? '' })],
              [t('role'), t(`people:role.${data.role}`)],
              [
                t('networks'),
                data.unrestricted ? t('allNetworks') : networks.map(({ name }) => name).join(', '),
              ],
            ]}
          />
        )}
      </Card>
      <Sessions />
      {data?.session.method === 'password' && <PasswordForm />}
    </div>
  );
}
