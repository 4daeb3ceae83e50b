import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormError } from '../../ui/field-errors.tsx';
import { notify } from '../../ui/toast.tsx';
import styles from './api-keys.module.css';
import { useKeyNetworks } from './key-columns.tsx';
import { type ApiKey, descendantsOf, nameOf } from './key-queries.ts';

interface Props {
  apiKey: ApiKey;
  /** All listed keys, among them those that this one created. */
  keys: readonly ApiKey[];
  mayRevoke: boolean;
  onRevoked: () => void;
}

/** One key: what it may do, its limits and use, and its end. */
export function KeyDetails({ apiKey, keys, mayRevoke, onRevoked }: Props) {
  const { t } = useTranslation(['apiKeys', 'common']);
  const formats = useFormats();
  const networksOf = useKeyNetworks();
  const [isAsking, setAsking] = useState(false);
  const revoking = useRevocation(apiKey, onRevoked);
  const { description, permissions, rateLimitPerHour, allowedIPs, createdBy } = apiKey;
  return (
    <div className={styles['details']}>
      {description !== null && <p>{description}</p>}
      <Facts
        facts={[
          [t('column.secret'), `${apiKey.keyPrefix}…${apiKey.last4}`],
          [t('type.label'), t(`type.${apiKey.keyType}`)],
          [t('column.networks'), networksOf(apiKey)],
          [
            t('column.limit'),
            rateLimitPerHour === null
              ? t('noLimit')
              : t('perHour', { number: formats.integer(rateLimitPerHour) }),
          ],
          [t('addresses'), allowedIPs.length === 0 ? t('anyAddress') : allowedIPs.join(', ')],
          [t('column.expires'), apiKey.expiresAt === null ? t('never') : formats.dateTime(apiKey.expiresAt)],
          [
            t('column.lastUsed'),
            apiKey.lastUsedAt === null ? t('never') : formats.dateTime(apiKey.lastUsedAt),
          ],
          [t('uses'), formats.integer(apiKey.usageCount)],
          [t('column.createdBy'), createdBy?.name ?? createdBy?.id ?? absent],
          [t('created'), formats.dateTime(apiKey.createdAt)],
        ]}
      />
      <section>
        <h3>{t('column.scopes')}</h3>
        <p className={styles['scopes']}>
          {permissions.map((scope) => (
            <code key={scope}>{scope}</code>
          ))}
        </p>
      </section>
      <FormError error={revoking.error} shown={[]} />
      {mayRevoke && (
        <div>
          <Button isDangerous isDisabled={revoking.isPending} onPress={() => setAsking(true)}>
            {t('revoke.action')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('revoke.title', { name: nameOf(apiKey) })}
          action={t('revoke.action')}
          onConfirm={() => revoking.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('revoke.text')}</p>
          <Descendants keys={descendantsOf(apiKey, keys)} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function Descendants({ keys }: { keys: readonly ApiKey[] }) {
  const { t } = useTranslation('apiKeys');
  if (keys.length === 0) return null;
  return (
    <>
      <p>{t('revoke.descendants', { count: keys.length })}</p>
      <ul className={styles['descendants']}>
        {keys.map((key) => (
          <li key={key.id}>{nameOf(key)}</li>
        ))}
      </ul>
    </>
  );
}

function useRevocation({ id, apiFamily }: ApiKey, onRevoked: () => void) {
  const { t } = useTranslation('apiKeys');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const params = { path: { id } };
      return apiFamily === 'cpms'
        ? api.DELETE('/cpms/v1/api-keys/{id}', { params })
        : api.DELETE('/cpms/v1/public-api-keys/{id}', { params });
    },
    onSuccess: async ({ alsoRevoked }) => {
      onRevoked();
      notify('done', t('revoke.done', { count: alsoRevoked.length + 1 }));
      await queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
}
