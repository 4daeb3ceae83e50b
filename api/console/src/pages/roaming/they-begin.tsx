import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, LoaderCircle } from '../../ui/icons/icons.ts';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import form from '../../ui/form.module.css';
import { PartnerFields, useNewPartner } from './partner-fields.tsx';
import { partnerQuery } from './roaming-queries.ts';
import styles from './roaming.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Data with which a partner registers. */
interface Invitation {
  id: string;
  registrationToken: string;
  ourVersionsUrl: string;
}

/** The partner begins: it gets our versions URL and a token, and the page waits until it has registered. */
export function TheyBegin() {
  const { t } = useTranslation('roaming');
  const queries = useQueryClient();
  const partner = useNewPartner();
  const creating = useMutation({
    mutationFn: partner.create,
    // The result holds a token.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['ocpi-partners'] }),
  });
  if (creating.data !== undefined) return <Invited invitation={creating.data} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form onSubmit={submit} className={form['form']}>
      <p>{t('wizard.theyHint')}</p>
      <PartnerFields {...partner} />
      {creating.error !== null && (
        <p role="alert" className={form['error']}>
          {creating.error.message}
        </p>
      )}
      <div>
        <Button kind="primary" type="submit" isDisabled={!partner.isComplete || creating.isPending}>
          {t('wizard.createToken')}
        </Button>
      </div>
    </form>
  );
}

/** Shows the data of an invitation once, and waits for the partner. */
export function Invited({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('roaming');
  const { data } = useQuery(partnerQuery(invitation.id, 2000));
  const isRegistered = data?.registration === 'REGISTERED';
  const Icon = isRegistered ? CircleCheck : LoaderCircle;
  return (
    <div className={form['form']}>
      <p>{t('wizard.giveThem')}</p>
      <CopyLine label={t('wizard.ourVersionsUrl')} text={invitation.ourVersionsUrl} />
      <CopyLine label={t('wizard.registrationToken')} text={invitation.registrationToken} />
      <p className={styles['warning']}>{t('wizard.shownOnce')}</p>
      <p role="status" className={styles['waiting']} data-done={isRegistered}>
        <Icon aria-hidden size={18} />
        {t(isRegistered ? 'wizard.registered' : 'wizard.waiting', { version: data?.ocpiVersion ?? '' })}
      </p>
      <p>
        <Link to="/roaming/partners/$uuid" params={{ uuid: invitation.id }}>
          {t('wizard.openPartner')}
        </Link>
      </p>
    </div>
  );
}

/** Text to hand over, with a button that copies it. */
function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles['copyLine']}>
      <span className={styles['muted']}>{label}</span>
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
