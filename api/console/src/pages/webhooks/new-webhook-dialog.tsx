import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { bodyOf, emptyDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Creates a webhook and shows its secret once. */
export function NewWebhookDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (uuid: string) => void;
}) {
  const { t } = useTranslation('webhooks');
  const queries = useQueryClient();
  const networks = useNetworks();
  const { networkUuid: shown } = useNetworkQuery();
  const [networkUuid, setNetwork] = useState(shown ?? networks[0]?.id);
  const creating = useMutation({
    mutationFn: (draft: WebhookDraft) =>
      dataOf(api.POST('/cpms/v1/webhooks', { body: { ...bodyOf(draft), networkUuid } })),
    // The result holds the secret.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const created = creating.data;
  if (created !== undefined) {
    const close = () => {
      onClose();
      onCreated(created.id);
    };
    return <SecretDialog title={t('created')} secret={created.secret} onClose={close} />;
  }
  // Closing while the webhook is created would lose its secret.
  const close = () => !creating.isPending && onClose();
  return (
    <Dialog title={t('create')} isOpen isDismissable={!creating.isPending} onClose={close} shape="wide">
      <WebhookForm
        first={emptyDraft}
        networkUuid={networkUuid}
        action={t('create')}
        error={creating.error}
        isSending={creating.isPending}
        onSubmit={creating.mutate}
        onClose={close}
      >
        {networks.length > 1 && (
          <Select
            label={t('field.network')}
            options={networks.map(({ id, name }) => ({ id, text: name }))}
            value={networkUuid ?? null}
            onChange={setNetwork}
          />
        )}
      </WebhookForm>
    </Dialog>
  );
}
