import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { instantOf, localInput } from '../../texts/local-time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import type { Webhook } from './webhook-queries.ts';

const hourMs = 3_600_000;

/** Sends all events of a webhook from a time on again. */
export function ReplayDialog({ webhook: { id: uuid }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const formats = useFormats();
  const queries = useQueryClient();
  const [from, setFrom] = useState(() => localInput(Date.now() - hourMs));
  const replaying = useMutation({
    mutationFn: (time: string) =>
      dataOf(
        api.POST('/cpms/v1/webhooks/{uuid}/replay', { params: { path: { uuid } }, body: { from: time } }),
      ),
    onSuccess: async () => {
      onClose();
      notify('done', t('replay.done'));
      await queries.invalidateQueries({ queryKey: ['webhooks', uuid] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const time = instantOf(from);
    if (time !== undefined) replaying.mutate(time);
  };
  return (
    <Dialog title={t('replay.title')} isOpen onClose={onClose}>
      <form onSubmit={submit} className={form['form']}>
        <p>{t('replay.text')}</p>
        <TextField
          label={`${t('replay.from')} (${formats.timeZone})`}
          type="datetime-local"
          value={from}
          onChange={setFrom}
          isRequired
          {...fieldErrors(replaying.error)('from')}
        />
        <FormError error={replaying.error} shown={['from']} />
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={replaying.isPending}>
            {t('replay.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
