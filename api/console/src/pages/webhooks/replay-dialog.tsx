import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { usePageZone } from '../../texts/page-zone.ts';
import { inputOf, instantOf } from '../../texts/zoned-time.ts';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Webhook } from './webhook-queries.ts';

const hourMs = 3_600_000;

/** Sends all events of a webhook from a time on again. */
export function ReplayDialog({ webhook: { id: uuid }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const timeZone = usePageZone();
  const queries = useQueryClient();
  const [from, setFrom] = useState(() => inputOf(Date.now() - hourMs, timeZone));
  const replaying = useMutation({
    mutationFn: (time: string) =>
      api.POST('/cpms/v1/webhooks/{uuid}/replay', { params: { path: { uuid } }, body: { from: time } }),
    onSuccess: async () => {
      onClose();
      notify('done', t('replay.done'));
      await queries.invalidateQueries({ queryKey: ['webhooks', uuid] });
    },
  });
  const submit = () => {
    const time = instantOf(from, timeZone);
    if (time !== undefined) replaying.mutate(time);
  };
  return (
    <FormDialog
      title={t('replay.title')}
      action={t('replay.action')}
      saving={replaying}
      shown={['from']}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('replay.text')}</p>
      <TextField
        label={t('replay.from')}
        type="datetime-local"
        value={from}
        onChange={setFrom}
        isRequired
        {...fieldErrors(replaying.error)('from')}
      />
    </FormDialog>
  );
}
