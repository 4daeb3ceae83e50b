import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiError } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { type Webhook, webhookQuery } from './webhook-queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import form from '../../ui/form.module.css';
import { WebhookForm } from './webhook-form.tsx';
import { bodyOf, draftOf, type DraftField, differences, type WebhookDraft } from './webhook-draft.ts';

const labels = {
  url: 'field.url',
  description: 'field.description',
  types: 'field.types',
  chargerId: 'field.charger',
  locationId: 'field.location',
  order: 'field.order',
} as const;

/** Edits a webhook as it was when the dialog opened. A change of another user meanwhile is shown before it is replaced. */
function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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

/** Actions on a webhook: test, edit, enable, replay, new secret, end. */
export function WebhookActions({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const [open, setOpen] = useState<'edit' | 'rotate' | 'replay' | 'delete' | null>(null);
  const { testing, enabling, deleting } = useWebhookActions(webhook, onDeleted);
  const close = () => setOpen(null);
  return (
    <>
      <Button isDisabled={testing.isPending} onPress={() => testing.mutate()}>
        <Send aria-hidden size={15} />
        {t('test.action')}
      </Button>
      <Button onPress={() => setOpen('edit')}>{t('edit')}</Button>
      <Menu
        label={t('common:action.more')}
        trigger={<Button>{t('common:action.more')}</Button>}
        groups={[
          [
            {
              id: 'enable',
              text: t(webhook.isEnabled ? 'disable' : 'enable'),
              onAction: () => enabling.mutate(!webhook.isEnabled),
            },
            { id: 'replay', text: t('replay.title'), onAction: () => setOpen('replay') },
            { id: 'rotate', text: t('rotate.action'), onAction: () => setOpen('rotate') },
          ],
          [{ id: 'delete', text: t('delete.action'), isDangerous: true, onAction: () => setOpen('delete') }],
        ]}
      />
      {open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('delete.title', { url: webhook.url })}
          action={t('delete.action')}
          onConfirm={() => deleting.mutate()}
          onClose={close}
        >
          <p>{t('delete.text')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const onError = (error: Error) => notify('failed', error.message);

function useWebhookActions({ id: uuid, version }: Webhook, onDeleted: () => void) {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  const queries = useQueryClient();
  const params = { path: { uuid } };
  const unchanged = { ...params, header: { 'if-match': `"${version}"` } };
  const renew = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const testing = useMutation({
    mutationFn: () => api.POST('/cpms/v1/webhooks/{uuid}/test', { params }),
    onSuccess: async ({ outcome, httpStatus, durationMs, error }) => {
      const answer = httpStatus === null ? (error ?? '') : `HTTP ${httpStatus}`;
      notify(
        outcome === 'delivered' ? 'done' : 'failed',
        t(outcome === 'delivered' ? 'test.delivered' : 'test.failed', {
          answer,
          time: formats.latency(durationMs),
        }),
      );
      await renew();
    },
    onError,
  });
  const enabling = useMutation({
    mutationFn: (isEnabled: boolean) =>
      api.PATCH('/cpms/v1/webhooks/{uuid}', { params: unchanged, body: { isEnabled } }),
    onSuccess: renew,
    onError,
  });
  const deleting = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/webhooks/{uuid}', { params: unchanged }),
    onSuccess: async () => {
      onDeleted();
      await renew();
    },
    onError,
  });
  return { testing, enabling, deleting };
}

/** Saving of an edited webhook, which refuses to overwrite a change of another user. */
function useWebhookEdits(webhook: Webhook, onSaved: () => void) {
  const { t } = useTranslation('webhooks');
  const queries = useQueryClient();
  const [opened, setOpened] = useState(webhook);
  const [first, setFirst] = useState(() => draftOf(webhook));
  // Fields that both changed; null: no other user changed the webhook.
  const [conflict, setConflict] = useState<DraftField[] | null>(null);
  const { id: uuid, version } = opened;
  const saving = useMutation({
    mutationFn: (draft: WebhookDraft) =>
      api.PATCH('/cpms/v1/webhooks/{uuid}', {
        params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
        body: bodyOf(draft),
      }),
    onSuccess: async () => {
      onSaved();
      notify('done', t('saved'));
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
    onError: async (error, draft) => {
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return;
      const now = await queries.fetchQuery({ ...webhookQuery(uuid), staleTime: 0 });
      const [before, theirs] = [draftOf(opened), draftOf(now)];
      const mine = differences(draft, before);
      const changed = differences(theirs, before);
      setOpened(now);
      setFirst({ ...theirs, ...Object.fromEntries(mine.map((name) => [name, draft[name]])) });
      setConflict(mine.filter((name) => changed.includes(name)));
      saving.reset();
    },
  });
  return { opened, first, conflict, saving };
}
