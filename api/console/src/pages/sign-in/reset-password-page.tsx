import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, ApiError } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './sign-in-page.module.css';
import { SignInPanel } from './sign-in-panel.tsx';

/**
 * Choice of a new password with the token of an e-mail, from the fragment of the address or entered. The token leaves the
 * address at once, so that no history keeps it.
 */
export function ResetPasswordPage() {
  const { t } = useTranslation('signIn');
  const [linked] = useState(() => location.hash.slice(1));
  const [entered, setEntered] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const reset = useMutation({
    mutationFn: () =>
      api.POST('/cpms/v1/auth/reset-password', {
        body: { token: linked === '' ? entered.trim() : linked, password },
      }),
  });
  return (
    <SignInPanel title={t('reset.title')}>
      {reset.isSuccess ? (
        <p role="status">{t('reset.done')}</p>
      ) : (
        <Form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            reset.mutate();
          }}
        >
          {linked === '' && (
            <TextField
              label={t('reset.code')}
              autoComplete="off"
              value={entered}
              onChange={setEntered}
              isRequired
            />
          )}
          <TextField
            label={t('reset.password')}
            description={t('reset.passwordHint')}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            isRequired
            minLength={12}
            maxLength={128}
          />
          {reset.error !== null && (
            <p role="alert" className={styles['failure']}>
              {reset.error instanceof ApiError && reset.error.code === 'MAIL_TOKEN_INVALID'
                ? t('reset.expired')
                : reset.error.message}
            </p>
          )}
          <Button kind="primary" type="submit" isDisabled={reset.isPending}>
            {t('reset.action')}
          </Button>
        </Form>
      )}
      <div className={styles['others']}>
        {reset.isError && <Link to="/forgot-password">{t('reset.again')}</Link>}
        <Link to="/sign-in">{t(reset.isSuccess ? 'signIn' : 'reset.back')}</Link>
      </div>
    </SignInPanel>
  );
}
