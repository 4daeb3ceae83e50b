import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import form from '../../ui/form.module.css';
import { useWebhookEdits } from './use-webhook-edits.ts';
import { WebhookForm } from './webhook-form.tsx';
import type { Webhook } from './webhook-queries.ts';

const labels = {
  url: 'field.url',
  description: 'field.description',
  types: 'field.types',
  chargerId: 'field.charger',
  locationId: 'field.location',
  order: 'field.order',
} as const;

/** Edits a webhook as it was when the dialog opened. A change of another user meanwhile is shown before it is replaced. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const { opened, first, conflict, saving } = useWebhookEdits(webhook, onClose);
  return (
    <Dialog title={t('edit')} isOpen onClose={onClose} shape="wide">
      <WebhookForm
        key={opened.version}
        first={first}
        networkUuid={opened.networkUuid}
        action={t(conflict === null ? 'common:action.save' : 'conflict.save')}
        error={saving.error}
        isSending={saving.isPending}
        onSubmit={saving.mutate}
        onClose={onClose}
      >
        {conflict !== null && (
          <div role="alert" className={form['error']}>
            <p>{t('conflict.text')}</p>
            {conflict.length > 0 && (
              <p>{t('conflict.fields', { fields: conflict.map((name) => t(labels[name])).join(', ') })}</p>
            )}
          </div>
        )}
      </WebhookForm>
    </Dialog>
  );
}
