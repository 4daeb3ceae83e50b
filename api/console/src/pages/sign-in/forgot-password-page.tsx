import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './sign-in-page.module.css';
import { SignInPanel } from './sign-in-panel.tsx';

/** Request of an e-mail to choose a new password. The page answers alike for every address. */
export function ForgotPasswordPage() {
  const { t, i18n } = useTranslation('signIn');
  const [email, setEmail] = useState('');
  const request = useMutation({
    mutationFn: () =>
      api.POST('/cpms/v1/auth/forgot-password', { body: { email: email.trim(), language: i18n.language } }),
  });
  return (
    <SignInPanel title={t('reset.forgotTitle')}>
      {request.isSuccess ? (
        <p role="status">{t('reset.requested', { email: email.trim() })}</p>
      ) : (
        <Form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            request.mutate();
          }}
        >
          <p>{t('reset.forgotHint')}</p>
          <TextField
            label={t('email')}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
            maxLength={254}
          />
          {request.error !== null && (
            <p role="alert" className={styles['failure']}>
              {request.error.message}
            </p>
          )}
          <Button kind="primary" type="submit" isDisabled={request.isPending}>
            {t('reset.request')}
          </Button>
        </Form>
      )}
      <div className={styles['others']}>
        <Link to="/sign-in">{t('reset.back')}</Link>
      </div>
    </SignInPanel>
  );
}
