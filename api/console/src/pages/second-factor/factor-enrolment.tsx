import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, ApiError, type Schemas } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import { createPasskey } from './passkeys.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

export type FactorKind = Schemas['SecondFactor']['kind'];
type NewFactor = Schemas['NewSecondFactor'];
type Proof =
  paths['/cpms/v1/auth/second-factors/{uuid}/confirm']['post']['requestBody']['content']['application/json'];

/** Step of an enrolment. `begin` authenticates again; `app` waits for the first code; `codes` shows recovery codes once. */
type Step =
  | { kind: 'begin' }
  | { kind: 'app'; id: string; totp: NonNullable<NewFactor['totp']> }
  | { kind: 'codes'; codes: readonly string[] };

/** Enrolment of a second factor: password, first code or signature, recovery codes of the first factor. */
export function FactorEnrolment({ kind, onDone }: { kind: FactorKind; onDone: () => void }) {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'begin' });
  const confirm = async (uuid: string, proof: Proof) => {
    const params = { path: { uuid } };
    const { recoveryCodes } = await api.POST('/cpms/v1/auth/second-factors/{uuid}/confirm', {
      params,
      body: proof,
    });
    await queries.invalidateQueries({ queryKey: ['auth'] });
    if (recoveryCodes === null) onDone();
    else setStep({ kind: 'codes', codes: recoveryCodes });
  };
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onStored={onDone} />;
  if (step.kind === 'app') {
    return <AppStep totp={step.totp} onCode={(code) => confirm(step.id, { code })} />;
  }
  return (
    <BeginStep
      kind={kind}
      onBegun={async ({ id, totp, passkey }) => {
        if (totp !== null) setStep({ kind: 'app', id, totp });
        else await confirm(id, { passkey: await createPasskey(passkey ?? {}) } as Proof);
      }}
    />
  );
}

/** Name of the factor and the password of the account. */
function BeginStep({ kind, onBegun }: { kind: FactorKind; onBegun: (factor: NewFactor) => Promise<void> }) {
  const { t } = useTranslation(['secondFactor', 'common']);
  const [name, setName] = useState(t(`kind.${kind}`));
  const [password, setPassword] = useState('');
  const beginning = useMutation({
    mutationFn: async () =>
      onBegun(
        await api.POST('/cpms/v1/auth/second-factors', { body: { kind, name: name.trim(), password } }),
      ),
    // Its function holds the password.
    gcTime: 0,
  });
  const { error } = beginning;
  const errorOf = fieldErrors(error);
  return (
    <Form
      className={styles['step']}
      onSubmit={(event) => {
        event.preventDefault();
        beginning.mutate();
      }}
    >
      <p>{t(`begin.${kind}`)}</p>
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        isRequired
        maxLength={60}
        {...errorOf('name')}
      />
      <TextField
        label={t('password')}
        description={t('passwordHint')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        maxLength={128}
        {...errorOf('password')}
      />
      {error instanceof ApiError ? (
        <FormError error={error} shown={['name', 'password']} />
      ) : (
        // Browsers report in words of their own that the user cancelled.
        error !== null && (
          <p role="alert" className={styles['failure']}>
            {t('passkeyFailed')}
          </p>
        )
      )}
      <Button kind="primary" type="submit" isDisabled={beginning.isPending}>
        {t('continue')}
      </Button>
    </Form>
  );
}

/** QR code for an authenticator app, and its first code. */
function AppStep({
  totp: { uri, secret },
  onCode,
}: {
  totp: NonNullable<NewFactor['totp']>;
  onCode: (code: string) => Promise<void>;
}) {
  const { t } = useTranslation('secondFactor');
  const [code, setCode] = useState('');
  const confirming = useMutation({ mutationFn: () => onCode(code) });
  return (
    <Form
      className={styles['step']}
      onSubmit={(event) => {
        event.preventDefault();
        confirming.mutate();
      }}
    >
      <p>{t('app.scan')}</p>
      <div className={styles['app']}>
        <Suspense>
          <QrCode text={uri} label={t('app.qr')} />
        </Suspense>
        <div className={styles['secret']}>
          <span className={styles['detail']}>{t('app.orType')}</span>
          <code>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
          <div>
            <CopyButton text={secret} label={t('app.copy')} isIcon={false} />
          </div>
        </div>
      </div>
      <TextField
        label={t('code')}
        description={t('app.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(typed) => setCode(typed.replaceAll(/\D/g, ''))}
        isRequired
        maxLength={6}
        {...(confirming.error !== null && {
          isInvalid: true,
          errorMessage: t('app.wrongCode'),
          validationBehavior: 'aria' as const,
        })}
      />
      <Button kind="primary" type="submit" isDisabled={confirming.isPending || code.length < 6}>
        {t('app.confirm')}
      </Button>
    </Form>
  );
}
