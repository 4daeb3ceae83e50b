import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { signOut } from '../../app/sign-out.ts';
import { Button } from '../../ui/button.tsx';
import { localPath } from '../sign-in/local-path.ts';
import { SignInPanel } from '../sign-in/sign-in-panel.tsx';
import { FactorEnrolment, type FactorKind } from './factor-enrolment.tsx';
import { hasPasskeys } from './passkeys.ts';
import styles from './second-factor.module.css';

/** Enrolment that a network requires before anything else. */
export function EnrolmentPage() {
  const { t } = useTranslation(['secondFactor', 'common']);
  const { returnTo } = useSearch({ from: '/second-factor' });
  const navigate = useNavigate();
  const [kind, setKind] = useState<FactorKind | null>(null);
  const proceed = () => {
    queryClient.clear();
    void navigate({ href: localPath(returnTo), replace: true });
  };
  return (
    <SignInPanel title={t('required.title')}>
      {kind === null ? (
        <div className={styles['step']}>
          <p>{t('required.detail')}</p>
          <Button kind="primary" onPress={() => setKind('totp')}>
            {t('add.totp')}
          </Button>
          {hasPasskeys && <Button onPress={() => setKind('passkey')}>{t('add.passkey')}</Button>}
          <Button kind="quiet" onPress={() => void signOut('here')}>
            {t('common:account.signOut')}
          </Button>
        </div>
      ) : (
        <FactorEnrolment kind={kind} onDone={proceed} />
      )}
    </SignInPanel>
  );
}
