import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from '../../ui/icons/icons.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { QueryPending } from '../../ui/notice.tsx';
import { exportQuery } from './exports-queries.ts';
import styles from './exports.module.css';

type Details = Schemas['ExportDetails'];

interface Props {
  uuid: string;
  mayWrite: boolean;
  onClose: () => void;
}

/** One export next to the list: its progress, and the parts to download. */
export function ExportPanel({ uuid, mayWrite, onClose }: Props) {
  const { t } = useTranslation('exports');
  const { data, error, refetch } = useQuery(exportQuery(uuid));
  const [isRemoving, setRemoving] = useState(false);
  if (data !== undefined && isRemoving)
    return <RemoveDialog details={data} onRemoved={onClose} onClose={() => setRemoving(false)} />;
  const title = data === undefined ? t('title') : t('details', { dataset: t(`dataset.${data.dataset}`) });
  return (
    <Dialog title={title} isOpen shape="side" onClose={onClose}>
      {data === undefined && <QueryPending query={{ error, refetch }} height={240} />}
      {data !== undefined && <Parts details={data} />}
      {data !== undefined && mayWrite && (
        <DialogActions>
          <Button onPress={() => setRemoving(true)}>{t('remove.open')}</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

function Parts({ details }: { details: Details }) {
  const { t } = useTranslation('exports');
  const formats = useFormats();
  const { id, state, partsStored, partsTotal, parts } = details;
  const facts: [string, ReactNode][] = [
    [t('columns.state'), t(`state.${state}`)],
    [t('columns.format'), t(`format.${details.format}`)],
    [
      t('columns.range'),
      t('range', { from: formats.dateTime(details.from), to: formats.dateTime(details.to) }),
    ],
    [t('columns.by'), t(`by.${details.by}`)],
    [
      t('columns.progress'),
      partsTotal === 0 ? absent : t('progress', { stored: partsStored, total: partsTotal }),
    ],
    [t('columns.rows'), formats.integer(details.rows)],
    [t('columns.size'), formats.bytes(details.sizeBytes)],
    [t('expires'), formats.dateTime(details.expiresAt)],
  ];
  return (
    <div className={styles['panel']}>
      {details.failure !== null && (
        <p role="alert" className={styles['failure']}>
          {details.failure}
        </p>
      )}
      <Facts facts={facts} />
      <section>
        <h3>{t('parts')}</h3>
        {parts.length === 0 ? (
          <p>{t('noParts')}</p>
        ) : (
          <ul className={styles['parts']}>
            {parts.map(({ number, from, to, rows, sizeBytes }) => (
              <li key={number}>
                <a href={`/cpms/v1/exports/${id}/parts/${number}`} download>
                  <Download aria-hidden size={15} /> {t('download', { number })}
                </a>
                <span>
                  {t('range', { from: formats.date(from), to: formats.date(to) })} · {formats.integer(rows)} ·{' '}
                  {formats.bytes(sizeBytes)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function RemoveDialog({
  details: { id, dataset, from, to },
  onRemoved,
  onClose,
}: {
  details: Details;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('exports');
  const formats = useFormats();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/exports/{uuid}', { params: { path: { uuid: id } } }),
    onSuccess: async () => {
      notify('done', t('remove.done'));
      onRemoved();
      queries.removeQueries({ queryKey: ['exports', 'detail', id] });
      await queries.invalidateQueries({ queryKey: ['exports', 'list'] });
    },
    onError: (error) => notify('failed', error.message),
  });
  const range = t('range', { from: formats.date(from), to: formats.date(to) });
  return (
    <ConfirmDialog
      title={t('remove.title', { dataset: t(`dataset.${dataset}`), range })}
      action={t('remove.action')}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p>{t('remove.detail')}</p>
    </ConfirmDialog>
  );
}
