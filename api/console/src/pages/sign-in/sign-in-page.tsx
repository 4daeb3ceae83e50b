import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, ApiError, bodies, type Schemas } from '../../api/client.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { localPath } from './local-path.ts';
import { SecondFactorStep } from './second-factor-step.tsx';
import styles from './sign-in-page.module.css';
import { SignInPanel } from './sign-in-panel.tsx';

type Way = 'password' | 'apiKey';

/** Sign-in with a password, an API key, or an identity provider. Credentials are sent once and kept nowhere. */
export function SignInPage() {
  const { t } = useTranslation('signIn');
  const { returnTo, error } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [way, setWay] = useState<Way>('password');
  const [failure, setFailure] = useState<string | null>(
    error === undefined ? null : t('oidcFailed', { code: error }),
  );
  const [isSending, setSending] = useState(false);
  const [challenge, setChallenge] = useState<Schemas['LoginChallenge'] | null>(null);
  const methods = useQuery({
    queryKey: ['auth-methods'],
    queryFn: () => api.GET('/cpms/v1/auth/methods'),
  });

  const proceed = async () => {
    queryClient.clear();
    await navigate({ href: localPath(returnTo), replace: true });
  };

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const credentials =
      way === 'password'
        ? { email: sent['email'] ?? '', password: sent['password'] ?? '' }
        : { apiKey: (sent['apiKey'] ?? '').trim() };
    setSending(true);
    setFailure(null);
    try {
      const { data } = await bodies.POST('/cpms/v1/auth/sessions', { body: credentials });
      if ('challenge' in data) setChallenge(data);
      else await proceed();
    } catch (caught) {
      setFailure(caught instanceof ApiError ? caught.message : String(caught));
    } finally {
      setSending(false);
    }
  };

  if (challenge !== null) {
    return (
      <SecondFactorStep
        challenge={challenge}
        onSignedIn={() => void proceed()}
        onRestart={() => setChallenge(null)}
      />
    );
  }
  return (
    <SignInPanel title={t('title')}>
      <Form onSubmit={(event) => void signIn(event)} className={styles['form']}>
        {way === 'password' ? (
          <>
            <TextField label={t('email')} name="email" type="email" autoComplete="username" isRequired />
            <TextField
              label={t('password')}
              name="password"
              type="password"
              autoComplete="current-password"
              isRequired
            />
          </>
        ) : (
          <TextField
            label={t('apiKey')}
            description={t('apiKeyHint')}
            name="apiKey"
            type="password"
            autoComplete="off"
            isRequired
          />
        )}
        {failure !== null && (
          <p role="alert" className={styles['failure']}>
            {failure}
          </p>
        )}
        <Button kind="primary" type="submit" isDisabled={isSending}>
          {t(isSending ? 'sending' : 'signIn')}
        </Button>
      </Form>
      <div className={styles['others']}>
        {way === 'password' && <Link to="/forgot-password">{t('reset.forgot')}</Link>}
        <Button kind="quiet" onPress={() => setWay(way === 'password' ? 'apiKey' : 'password')}>
          {t(way === 'password' ? 'withKey' : 'withPassword')}
        </Button>
        {methods.data?.oidc !== null && methods.data?.oidc !== undefined && (
          <Provider oidc={methods.data.oidc} path={localPath(returnTo)} />
        )}
      </div>
    </SignInPanel>
  );
}

/** Link to the sign-in at the identity provider, which returns to one origin: elsewhere, to the console there. */
function Provider({
  oidc: { name, consoleUrl },
  path,
}: {
  oidc: NonNullable<Schemas['SignInMethods']['oidc']>;
  path: string;
}) {
  const { t } = useTranslation('signIn');
  if (new URL(consoleUrl).origin !== location.origin) {
    return (
      <p>
        {t('openAt', { name })} <a href={`${consoleUrl}${path}`}>{consoleUrl}</a>
      </p>
    );
  }
  return (
    <a href={`/cpms/v1/auth/oidc/start?returnTo=${encodeURIComponent(`/console${path}`)}`}>
      {t('withProvider', { name })}
    </a>
  );
}
