import { PemField } from '../../ui/pem-field.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { notify } from '../../ui/toast.tsx';
import { Expiry } from '../charger/certificates/expiry.tsx';
import { commonNameOf } from '../charger/certificates/names.ts';
import type { Network } from './network-fields.ts';
import { trustedQuery } from './network-queries.ts';
import styles from './networks.module.css';
import { FormDialog } from '../../ui/form.tsx';
import { fieldErrors } from '../../ui/field-errors.tsx';

/** Certificate authorities whose contract certificates the network accepts (Plug and Charge). */
export function TrustedCertificates({ network, mayWrite }: { network: Network; mayWrite: boolean }) {
  const { t } = useTranslation('networks');
  const queries = useQueryClient();
  const trusted = useQuery(trustedQuery(network.id));
  const { data, error, refetch } = trusted;
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<{ id: string; name: string } | null>(null);
  const removing = useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/cpms/v1/networks/{uuid}/trusted-certificates/{id}', {
        params: { path: { uuid: network.id, id } },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: trustedQuery(network.id).queryKey }),
    onError: (failure) => notify('failed', failure.message),
  });
  return (
    <Card
      title={t('trusted.title')}
      actions={
        mayWrite && (
          <Button onPress={() => setAdding(true)}>
            <Plus aria-hidden size={15} />
            {t('trusted.add')}
          </Button>
        )
      }
    >
      <p className={styles['hint']}>{t('trusted.hint')}</p>
      <StaleNotice query={trusted} />
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={40} />
      ) : data.length === 0 ? (
        <Empty title={t('trusted.empty')} />
      ) : (
        <ul className={styles['certificates']}>
          {data.map(({ id, subject, validTo, fingerprint256 }) => {
            const name = commonNameOf(subject) ?? subject;
            return (
              <li key={id}>
                <span className={styles['certificate']}>
                  <strong>{name}</strong>
                  <code>{fingerprint256}</code>
                </span>
                <Expiry validTo={validTo} />
                {mayWrite && (
                  <Button
                    kind="quiet"
                    aria-label={t('trusted.removeTitle', { name })}
                    onPress={() => setAsked({ id, name })}
                  >
                    {t('trusted.remove')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isAdding && <TrustDialog network={network} onClose={() => setAdding(false)} />}
      {asked !== null && (
        <ConfirmDialog
          title={t('trusted.removeTitle', { name: asked.name })}
          action={t('trusted.remove')}
          onConfirm={() => removing.mutate(asked.id)}
          onClose={() => setAsked(null)}
        >
          <p>{t('trusted.removeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** Adds a certificate authority that a network trusts. */
function TrustDialog({ network, onClose }: { network: Network; onClose: () => void }) {
  const { t } = useTranslation(['networks', 'common']);
  const queries = useQueryClient();
  const [pem, setPem] = useState('');
  const adding = useMutation({
    mutationFn: () =>
      api.POST('/cpms/v1/networks/{uuid}/trusted-certificates', {
        params: { path: { uuid: network.id } },
        body: { certificate: pem.trim() },
      }),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: trustedQuery(network.id).queryKey });
    },
  });
  return (
    <FormDialog
      title={t('trusted.add')}
      action={t('trusted.add')}
      saving={adding}
      shown={['certificate']}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <PemField
        texts={{ file: t('trusted.file'), choose: t('trusted.choose'), pem: t('trusted.pem') }}
        value={pem}
        onChange={setPem}
        {...fieldErrors(adding.error)('certificate')}
      />
    </FormDialog>
  );
}
