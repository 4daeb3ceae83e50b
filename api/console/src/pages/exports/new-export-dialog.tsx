import { exportFormats, exportRanges } from '#shared/domain/reporting/export.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from '../../ui/icons/icons.ts';
import { type FormEvent, useState } from 'react';
import { usePageZone } from '../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { useScopes } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { inputOf, instantOf } from '../../texts/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { type Dataset, dataScopes, type Export } from './exports-queries.ts';

const weekMs = 7 * 86_400_000;
/** Days that the API streams at once. */
const maxStreamDays = 31;

/** Returns whether the API streams a range at once. Without an end, the range lasts until now. */
const isStreamable = ({ from, to }: { from: string; to?: string }) =>
  (to === undefined ? Date.now() : Date.parse(to)) - Date.parse(from) <= maxStreamDays * 86_400_000;

interface Props {
  /** False: the caller may only download at once. */
  mayWrite: boolean;
  onCreated: (id: string) => void;
  onClose: () => void;
}

/** Chooses data and a range: as files that a worker makes, or as one download. */
export function NewExportDialog({ mayWrite, onCreated, onClose }: Props) {
  const { t } = useTranslation(['exports', 'common']);
  const timeZone = usePageZone();
  const can = useScopes();
  const { networkUuid } = useNetworkQuery();
  const queries = useQueryClient();
  const offered = (Object.keys(dataScopes) as Dataset[]).filter((id) => can(dataScopes[id]));
  const [dataset, setDataset] = useState<Dataset | null>(offered[0] ?? null);
  const [format, setFormat] = useState<Export['format']>('csv');
  const [by, setBy] = useState<Export['by']>('occurred');
  const [from, setFrom] = useState(() => inputOf(Date.now() - weekMs, timeZone));
  const [to, setTo] = useState('');
  const end = instantOf(to, timeZone);
  const range = {
    format,
    by,
    from: instantOf(from, timeZone) ?? '',
    ...(end === undefined ? {} : { to: end }),
    ...(networkUuid === undefined ? {} : { networkId: networkUuid }),
  };
  const once = useSendOnce([dataset, range]);
  const creating = useMutation({
    mutationFn: (chosen: Dataset) =>
      once((header) =>
        api.POST('/cpms/v1/exports', { params: { header }, body: { dataset: chosen, ...range } }),
      ),
    onSuccess: async ({ id }) => {
      notify('done', t('dialog.created'));
      onClose();
      onCreated(id);
      await queries.invalidateQueries({ queryKey: ['exports', 'list'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dataset !== null && mayWrite) creating.mutate(dataset);
  };
  return (
    <Dialog title={t('dialog.title')} isOpen onClose={onClose}>
      <form onSubmit={submit} className={form['form']}>
        <Select
          label={t('columns.dataset')}
          options={offered.map((id) => ({ id, text: t(`dataset.${id}`) }))}
          value={dataset}
          onChange={setDataset}
        />
        <div className={form['pair']}>
          <Select
            label={t('columns.format')}
            options={exportFormats.map((id) => ({ id, text: t(`format.${id}`) }))}
            value={format}
            onChange={setFormat}
          />
          <Select
            label={t('columns.by')}
            options={exportRanges.map((id) => ({ id, text: t(`by.${id}`) }))}
            value={by}
            onChange={setBy}
          />
        </div>
        <div className={form['pair']}>
          <TextField
            label={t('dialog.from')}
            type="datetime-local"
            isRequired
            value={from}
            onChange={setFrom}
          />
          <TextField label={t('dialog.to')} type="datetime-local" value={to} onChange={setTo} />
        </div>
        <p className={form['hint']}>{t('dialog.directHint', { days: maxStreamDays })}</p>
        {creating.error !== null && (
          <p role="alert" className={form['error']}>
            {creating.error.message}
          </p>
        )}
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          {dataset !== null && range.from !== '' && isStreamable(range) && (
            <a href={`/cpms/v1/exports/${dataset}?${new URLSearchParams(range)}`} download>
              <Download aria-hidden size={15} /> {t('dialog.direct')}
            </a>
          )}
          {mayWrite && (
            <Button kind="primary" type="submit" isDisabled={dataset === null || creating.isPending}>
              {t('dialog.create')}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}
