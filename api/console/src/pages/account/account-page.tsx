import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { api, type Schemas } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice, QueryPending } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { SecondFactors } from '../second-factor/second-factors.tsx';
import styles from './account.module.css';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { Monitor, SquareTerminal } from '../../ui/icons/icons.ts';
import { signOut } from '../../app/sign-out.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { RelativeTime } from '../../ui/time.tsx';

/** The signed-in account: its identity, sessions and password. */
export function AccountPage() {
  const { t } = useTranslation(['account', 'people']);
  const networks = useNetworks();
  const session = useQuery({
    queryKey: ['auth', 'session'],
    queryFn: () => api.GET('/cpms/v1/auth/session'),
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
              [t('role'), data.customRoleName ?? t(`people:role.${data.role}`)],
              [
                t('networks'),
                data.unrestricted ? t('allNetworks') : networks.map(({ name }) => name).join(', '),
              ],
            ]}
          />
        )}
      </Card>
      <Sessions />
      {data?.session.method === 'password' && <SecondFactors />}
      {data?.session.method === 'password' && <PasswordForm />}
    </div>
  );
}

const empty = { currentPassword: '', newPassword: '', repeated: '' };
const shownFields = ['currentPassword', 'newPassword'];

/** Changes the password of an account of this installation. */
function PasswordForm() {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const { currentPassword, newPassword, repeated } = draft;
  const changing = useMutation({
    mutationFn: () => api.POST('/cpms/v1/auth/change-password', { body: { currentPassword, newPassword } }),
    // Its function holds the passwords.
    gcTime: 0,
    onSuccess: async () => {
      setDraft(empty);
      notify('done', t('password.done'));
      await queries.invalidateQueries({ queryKey: ['auth'] });
    },
  });
  const errorOf = fieldErrors(changing.error);
  const isDifferent = repeated !== '' && repeated !== newPassword;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (repeated === newPassword) changing.mutate();
  };
  return (
    <Card title={t('password.title')}>
      <form onSubmit={submit} className={`${form['form']} ${styles['password']}`}>
        <TextField
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(text) => setDraft({ ...draft, currentPassword: text })}
          isRequired
          {...errorOf('currentPassword')}
        />
        <TextField
          label={t('password.next')}
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onChange={(text) => setDraft({ ...draft, newPassword: text })}
          description={t('password.hint')}
          isRequired
          {...errorOf('newPassword')}
        />
        <TextField
          label={t('password.repeat')}
          type="password"
          autoComplete="new-password"
          value={repeated}
          onChange={(text) => setDraft({ ...draft, repeated: text })}
          isRequired
          isInvalid={isDifferent}
          errorMessage={t('password.different')}
        />
        <FormError error={changing.error} shown={shownFields} />
        <div>
          <Button kind="primary" type="submit" isDisabled={changing.isPending || isDifferent}>
            {t('password.title')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

type Session = Schemas['LoginSession'];

/** Sessions of the account, each of which can be ended. */
function Sessions() {
  const { t } = useTranslation(['account', 'common']);
  const queryKey = ['auth', 'sessions'];
  const list = useQuery({
    queryKey,
    queryFn: () => api.GET('/cpms/v1/auth/sessions'),
  });
  const { data, error, refetch } = list;
  const ending = useChange({
    mutationFn: (id: string) => api.DELETE('/cpms/v1/auth/sessions/{id}', { params: { path: { id } } }),
    invalidates: queryKey,
    done: () => t('ended'),
    onError: notifyFailure,
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
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={96} />
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
