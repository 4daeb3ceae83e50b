import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, ApiError, type Schemas } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { hasPasskeys, signWithPasskey } from '../second-factor/passkeys.ts';
import styles from './sign-in-page.module.css';
import { SignInPanel } from './sign-in-panel.tsx';

type Challenge = Schemas['LoginChallenge'];
type Method = Challenge['methods'][number];
type Answer =
  paths['/cpms/v1/auth/sessions/second-factor']['post']['requestBody']['content']['application/json'];

/** Second step of the sign-in, after the password: a code, a passkey or a recovery code. */
export function SecondFactorStep({
  challenge: { challenge, methods, passkey },
  onSignedIn,
  onRestart,
}: {
  challenge: Challenge;
  onSignedIn: () => void;
  onRestart: () => void;
}) {
  const { t } = useTranslation('secondFactor');
  const usable = methods.filter((each) => each !== 'passkey' || hasPasskeys);
  const [method, setMethod] = useState<Method | undefined>(
    usable.includes('passkey') ? 'passkey' : usable[0],
  );
  const [text, setText] = useState('');
  const answering = useMutation({
    mutationFn: async (answer: () => Answer | Promise<Answer>) =>
      api.POST('/cpms/v1/auth/sessions/second-factor', { body: await answer() }),
    // Its function holds the code.
    gcTime: 0,
    onSuccess: onSignedIn,
  });
  const choose = (next: Method) => {
    answering.reset();
    setText('');
    setMethod(next);
  };
  const answer = (): Answer | Promise<Answer> => {
    if (method === 'totp') return { challenge, code: text };
    if (method === 'recovery-code') return { challenge, recoveryCode: text.trim() };
    return signWithPasskey(passkey ?? {}).then((signed) => ({ challenge, passkey: signed }) as Answer);
  };
  const hasEnded = answering.error instanceof ApiError && answering.error.code === 'LOGIN_CHALLENGE_INVALID';
  return (
    <SignInPanel title={t('step.title')}>
      <Form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          answering.mutate(answer);
        }}
      >
        {method === 'totp' && (
          <TextField
            key="totp"
            label={t('code')}
            description={t('step.codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={text}
            onChange={(typed) => setText(typed.replaceAll(/\D/g, ''))}
            isRequired
            maxLength={6}
          />
        )}
        {method === 'recovery-code' && (
          <TextField
            key="recovery"
            label={t('step.recoveryCode')}
            description={t('step.recoveryHint')}
            autoComplete="off"
            value={text}
            onChange={setText}
            isRequired
            maxLength={32}
          />
        )}
        {method === 'passkey' && <p>{t('step.passkeyHint')}</p>}
        {answering.error !== null && (
          <p role="alert" className={styles['failure']}>
            {hasEnded ? t('step.ended') : failureOf(answering.error, t('passkeyFailed'))}
          </p>
        )}
        {!hasEnded && method !== undefined && (
          <Button kind="primary" type="submit" isDisabled={answering.isPending}>
            {t(method === 'passkey' ? 'step.usePasskey' : 'step.action')}
          </Button>
        )}
      </Form>
      <div className={styles['others']}>
        {usable
          .filter((each) => each !== method)
          .map((each) => (
            <Button key={each} kind="quiet" onPress={() => choose(each)}>
              {t(`step.with.${each}`)}
            </Button>
          ))}
        <Button kind="quiet" onPress={onRestart}>
          {t('step.back')}
        </Button>
      </div>
    </SignInPanel>
  );
}

/** Returns the text of a failure. Browsers report what a user cancelled in words of their own. */
function failureOf(error: Error, ofBrowser: string): string {
  return error instanceof ApiError ? error.message : ofBrowser;
}
