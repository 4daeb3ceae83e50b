import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { SecretDialog } from './secret-dialog.tsx';
import type { Webhook } from './webhook-queries.ts';

/** Replaces the secret of a webhook and shows the new one once. */
export function RotateDialog({ webhook: { id: uuid }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const queries = useQueryClient();
  const [hours, setHours] = useState('24');
  const rotating = useMutation({
    mutationFn: () =>
      api.POST('/cpms/v1/webhooks/{uuid}/rotate-secret', {
        params: { path: { uuid } },
        body: { overlapHours: Number(hours) },
      }),
    // The result holds the secret.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks', uuid] }),
  });
  if (rotating.data !== undefined) {
    return <SecretDialog title={t('rotate.done')} secret={rotating.data.secret} onClose={onClose} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotating.mutate();
  };
  // Closing while the secret is replaced would lose the new one.
  const close = () => !rotating.isPending && onClose();
  return (
    <Dialog title={t('rotate.action')} isOpen isDismissable={!rotating.isPending} onClose={close}>
      <form onSubmit={submit} className={form['form']}>
        <p>{t('rotate.text')}</p>
        <TextField
          label={t('rotate.hours')}
          inputMode="numeric"
          value={hours}
          onChange={(text) => setHours(text.replace(/\D/g, ''))}
          isRequired
          {...fieldErrors(rotating.error)('overlapHours')}
        />
        <FormError error={rotating.error} shown={['overlapHours']} />
        <DialogActions>
          <Button isDisabled={rotating.isPending} onPress={close}>
            {t('common:action.cancel')}
          </Button>
          <Button kind="primary" type="submit" isDisabled={rotating.isPending}>
            {t('rotate.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
