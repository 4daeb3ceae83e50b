import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { bodyOf, draftOf, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import type { Webhook } from './webhook-queries.ts';

/** Edits a webhook as it was when the dialog opened; a change of somebody else meanwhile is refused. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const queries = useQueryClient();
  const [opened] = useState(webhook);
  const { id: uuid, version } = opened;
  const saving = useMutation({
    mutationFn: (draft: WebhookDraft) =>
      dataOf(
        api.PATCH('/cpms/v1/webhooks/{uuid}', {
          params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
          body: bodyOf(draft),
        }),
      ),
    onSuccess: async () => {
      onClose();
      notify('done', t('saved'));
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <Dialog title={t('edit')} isOpen onClose={onClose} shape="wide">
      <WebhookForm
        first={draftOf(opened)}
        networkUuid={opened.networkUuid}
        action={t('common:action.save')}
        error={saving.error}
        isSending={saving.isPending}
        onSubmit={saving.mutate}
        onClose={onClose}
      />
    </Dialog>
  );
}
