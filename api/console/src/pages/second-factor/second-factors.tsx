import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { KeyRound, Smartphone } from '../../ui/icons/icons.ts';
import { QueryPending } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { FactorEnrolment, type FactorKind } from './factor-enrolment.tsx';
import { hasPasskeys } from './passkeys.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';

type Factor = Schemas['SecondFactor'];

const queryKey = ['auth', 'second-factors'];

/** Second factors and recovery codes of the account. */
export function SecondFactors() {
  const { t } = useTranslation('secondFactor');
  const [adding, setAdding] = useState<FactorKind | null>(null);
  const list = useQuery({ queryKey, queryFn: () => api.GET('/cpms/v1/auth/second-factors') });
  const { data, error, refetch } = list;
  return (
    <Card
      title={t('title')}
      actions={
        <>
          <Button onPress={() => setAdding('totp')}>{t('add.totp')}</Button>
          {hasPasskeys && <Button onPress={() => setAdding('passkey')}>{t('add.passkey')}</Button>}
        </>
      }
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={96} />
      ) : (
        <>
          <p className={styles['hint']}>{t(hintOf(data))}</p>
          <ul className={styles['factors']} aria-label={t('title')}>
            {data.factors.map((factor) => (
              <FactorItem key={factor.id} factor={factor} isLast={data.factors.length === 1} />
            ))}
            {data.factors.length > 0 && <CodesItem left={data.recoveryCodes} />}
          </ul>
        </>
      )}
      {adding !== null && (
        <Dialog
          title={t(`kind.${adding}`)}
          isOpen
          // A press outside would lose the recovery codes.
          isDismissable={false}
          onClose={() => setAdding(null)}
        >
          <FactorEnrolment
            kind={adding}
            onDone={() => {
              setAdding(null);
              notify('done', t('added'));
            }}
          />
        </Dialog>
      )}
    </Card>
  );
}

function hintOf({ factors, isRequired }: Schemas['SecondFactors']) {
  if (factors.length === 0) return 'none';
  return isRequired ? 'isRequired' : 'hint';
}

function FactorItem({
  factor: { id, kind, name, createdAt, lastUsedAt },
  isLast,
}: {
  factor: Factor;
  isLast: boolean;
}) {
  const { t } = useTranslation('secondFactor');
  const formats = useFormats();
  const [isRemoving, setRemoving] = useState(false);
  const Icon = kind === 'totp' ? Smartphone : KeyRound;
  return (
    <li className={styles['factor']}>
      <div>
        <p className={styles['name']}>
          <Icon aria-hidden size={15} />
          {name}
        </p>
        <p className={styles['detail']}>
          {t(`kind.${kind}`)} · {t('since', { time: formats.dateTime(createdAt) })}
          {lastUsedAt !== null && (
            <>
              {' · '}
              {t('used')} <RelativeTime value={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button onPress={() => setRemoving(true)} aria-label={t('remove.named', { name })}>
        {t('remove.open')}
      </Button>
      {isRemoving && (
        <PasswordDialog
          title={t('remove.title', { name })}
          text={t(isLast ? 'remove.last' : 'remove.detail')}
          action={t('remove.action')}
          send={(password) =>
            api.POST('/cpms/v1/auth/second-factors/{uuid}/remove', {
              params: { path: { uuid: id } },
              body: { password },
            })
          }
          onDone={() => {
            setRemoving(false);
            notify('done', t('remove.done', { name }));
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

/** Number of recovery codes left, and their renewal. */
function CodesItem({ left }: { left: number }) {
  const { t } = useTranslation('secondFactor');
  const [shown, setShown] = useState<'password' | readonly string[] | null>(null);
  return (
    <li className={styles['factor']}>
      <div>
        <p className={styles['name']}>{t('recovery.title')}</p>
        <p className={styles['detail']}>{t('recovery.left', { count: left })}</p>
      </div>
      <Button onPress={() => setShown('password')}>{t('recovery.renew')}</Button>
      {shown === 'password' && (
        <PasswordDialog
          title={t('recovery.renewTitle')}
          text={t('recovery.renewDetail')}
          action={t('recovery.renewAction')}
          send={(password) => api.POST('/cpms/v1/auth/recovery-codes', { body: { password } })}
          onDone={({ recoveryCodes }) => setShown(recoveryCodes)}
          onClose={() => setShown(null)}
        />
      )}
      {shown !== null && shown !== 'password' && (
        <Dialog title={t('recovery.title')} isOpen isDismissable={false} onClose={() => setShown(null)}>
          <RecoveryCodes codes={shown} onStored={() => setShown(null)} />
        </Dialog>
      )}
    </li>
  );
}

/** Change of the account that needs its password again. */
function PasswordDialog<Result>({
  title,
  text,
  action,
  send,
  onDone,
  onClose,
}: {
  title: string;
  text: string;
  action: string;
  send: (password: string) => Promise<Result>;
  onDone: (result: Result) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('secondFactor');
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const saving = useMutation({
    mutationFn: () => send(password),
    // Its function holds the password.
    gcTime: 0,
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey });
      onDone(result);
    },
  });
  return (
    <FormDialog
      title={title}
      action={action}
      saving={saving}
      shown={['password']}
      isReady={password !== ''}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <p>{text}</p>
      <TextField
        label={t('password')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        maxLength={128}
        {...fieldErrors(saving.error)('password')}
      />
    </FormDialog>
  );
}
