import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { PartnerFields, useNewPartner } from './partner-fields.tsx';
import { registrationCommands } from './roaming-queries.ts';
import { failedStepOf, StepList } from './step-list.tsx';
import styles from './roaming.module.css';

/** We begin: the operator enters the partner's versions URL and token, and sees the result of each step. */
export function WeBegin() {
  const { t } = useTranslation('roaming');
  const queries = useQueryClient();
  const partner = useNewPartner();
  const [createdId, setCreatedId] = useState<string | null>(null);
  const running = useMutation({
    mutationFn: async (access: Access) => {
      const id = createdId ?? (await partner.create()).id;
      setCreatedId(id);
      return registrationCommands.handshake(id, access);
    },
    // The variables hold a token.
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: ['ocpi-partners'] }),
  });
  return (
    <div className={form['form']}>
      <p>{t('wizard.weHint')}</p>
      <AccessForm
        fields={createdId === null && <PartnerFields {...partner} />}
        isComplete={createdId !== null || partner.isComplete}
        running={running}
      />
      {createdId !== null && (
        <p>
          <Link to="/roaming/partners/$uuid" params={{ uuid: createdId }}>
            {t('wizard.openPartner')}
          </Link>
        </p>
      )}
    </div>
  );
}

/** Versions URL and token of a partner. */
export interface Access {
  versionsUrl: string;
  token: string;
}

/** Run of a handshake, with its result. */
interface Running {
  mutate: (access: Access) => void;
  data: Schemas['OcpiHandshake'] | undefined;
  error: Error | null;
  isPending: boolean;
}

/** Form of a handshake that we begin, with its steps once it ran. */
export function AccessForm({
  fields,
  isComplete,
  running,
}: {
  /** Fields before those of the access. */
  fields?: ReactNode;
  isComplete: boolean;
  running: Running;
}) {
  const { t } = useTranslation('roaming');
  const [access, setAccess] = useState<Access>({ versionsUrl: '', token: '' });
  const { data, error, isPending } = running;
  const failedStep = failedStepOf(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    running.mutate({ versionsUrl: access.versionsUrl.trim(), token: access.token.trim() });
  };
  return (
    <form onSubmit={submit} className={form['form']}>
      {fields}
      {data === undefined && (
        <>
          <TextField
            label={t('wizard.versionsUrl')}
            placeholder="https://emsp.example/ocpi/versions"
            type="url"
            value={access.versionsUrl}
            onChange={(versionsUrl) => setAccess((before) => ({ ...before, versionsUrl }))}
            isRequired
            maxLength={500}
          />
          <TextField
            label={t('wizard.tokenA')}
            description={t('wizard.tokenAHint')}
            autoComplete="off"
            value={access.token}
            onChange={(token) => setAccess((before) => ({ ...before, token }))}
            isRequired
            maxLength={64}
          />
        </>
      )}
      {(isPending || data !== undefined || failedStep !== null) && (
        <StepList
          isRunning={isPending}
          done={data?.steps ?? null}
          failedStep={failedStep}
          error={error?.message ?? null}
        />
      )}
      {error !== null && failedStep === null && (
        <p role="alert" className={form['error']}>
          {error.message}
        </p>
      )}
      {data === undefined ? (
        <div>
          <Button
            kind="primary"
            type="submit"
            isDisabled={!isComplete || access.versionsUrl === '' || access.token === '' || isPending}
          >
            {t(isPending ? 'wizard.running' : error === null ? 'wizard.run' : 'wizard.runAgain')}
          </Button>
        </div>
      ) : (
        <p role="status" className={styles['waiting']} data-done>
          {t('wizard.registered', { version: data.ocpiVersion ?? '' })}
        </p>
      )}
    </form>
  );
}
