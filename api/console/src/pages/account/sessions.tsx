import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, SquareTerminal } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { signOut } from '../../app/sign-out.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import styles from './account.module.css';

type Session = Schemas['LoginSession'];

/** Sessions of the account, each of which can be ended. */
export function Sessions() {
  const { t } = useTranslation(['account', 'common']);
  const queries = useQueryClient();
  const queryKey = ['auth', 'sessions'];
  const list = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/cpms/v1/auth/sessions')),
  });
  const { data, error, refetch } = list;
  const ending = useMutation({
    mutationFn: (id: string) =>
      dataOf(api.DELETE('/cpms/v1/auth/sessions/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      notify('done', t('ended'));
      await queries.invalidateQueries({ queryKey });
    },
    onError: (failure) => notify('failed', failure.message),
  });
  return (
    <Card
      title={t('sessions')}
      actions={
        <Button onPress={() => void signOut('everywhere')}>{t('common:account.signOutEverywhere')}</Button>
      }
    >
      <p className={styles['hint']}>{t('sessionsHint')}</p>
      <StaleNotice query={list} />
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <ul className={styles['sessions']}>
          {data.map((session) => (
            <SessionItem
              key={session.id}
              session={session}
              isEnding={ending.isPending}
              onEnd={() => (session.isCurrent ? void signOut('here') : ending.mutate(session.id))}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function SessionItem({
  session: { kind, isCurrent, userAgent, ipAddress, createdAt, lastUsedAt, expiresAt },
  isEnding,
  onEnd,
}: {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { t } = useTranslation('account');
  const formats = useFormats();
  const Icon = kind === 'browser' ? Monitor : SquareTerminal;
  return (
    <li className={styles['session']}>
      <div className={styles['what']}>
        <p className={styles['name']}>
          <Icon aria-hidden size={15} />
          {t(isCurrent ? 'current' : kind)}
        </p>
        {userAgent !== null && <p className={styles['agent']}>{userAgent}</p>}
        <Facts
          facts={[
            [t('address'), ipAddress ?? absent],
            [t('signedIn'), formats.dateTime(createdAt)],
            [t('lastUsed'), <RelativeTime key="used" value={lastUsedAt} />],
            [t('expires'), formats.dateTime(expiresAt)],
          ]}
        />
      </div>
      <Button isDisabled={isEnding} onPress={onEnd}>
        {t('end')}
      </Button>
    </li>
  );
}
