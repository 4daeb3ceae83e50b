import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { imagesQuery } from './firmware-queries.ts';
import { UploadDialog } from './upload-dialog.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/toast.tsx';

type Image = Schemas['FirmwareImage'];

/** Firmware images of the charger's model, newest release first. */
export function Images({
  modelId,
  running,
  onUpdate,
  canDelete = false,
}: {
  modelId: string;
  running: string | null;
  /** Null: the charger cannot be updated now. */
  onUpdate: ((imageId: string) => void) | null;
  /** True offers to delete images, to callers with the right. */
  canDelete?: boolean;
}) {
  const { t } = useTranslation('firmware');
  const canWrite = useCan('cpms:write:catalog');
  const images = useQuery(imagesQuery(modelId, 'Complete'));
  const [isUploading, setUploading] = useState(false);
  const [deleted, setDeleted] = useState<Image | null>(null);
  const columns = useColumns(running, onUpdate, canDelete && canWrite ? setDeleted : null);
  return (
    <Card
      hasPadding={false}
      title={t('images.title')}
      actions={canWrite && <Button onPress={() => setUploading(true)}>{t('upload.open')}</Button>}
    >
      {images.isPending && <Skeleton height={160} />}
      {images.error !== null && <ErrorNotice error={images.error} retry={() => void images.refetch()} />}
      {images.data?.length === 0 && <Empty title={t('images.empty')} />}
      {images.data !== undefined && images.data.length > 0 && (
        <DataTable
          label={t('images.title')}
          columns={columns}
          count={images.data.length}
          rowAt={(index) => images.data[index]}
          keyOf={({ id }) => id}
          height={320}
        />
      )}
      {deleted !== null && (
        <DeleteImageDialog modelId={modelId} image={deleted} onClose={() => setDeleted(null)} />
      )}
      {isUploading && <UploadDialog modelId={modelId} onClose={() => setUploading(false)} />}
    </Card>
  );
}

function useColumns(
  running: string | null,
  onUpdate: ((imageId: string) => void) | null,
  onDelete: ((image: Image) => void) | null,
) {
  const { t } = useTranslation(['firmware', 'models']);
  const formats = useFormats();
  return useMemo(
    (): Column<Image>[] =>
      columnsOf(
        {
          version: {
            width: 150,
            grow: true,
            cell: ({ version, isLatest }) =>
              [
                version,
                isLatest ? t('images.latest') : null,
                version === running ? t('images.running') : null,
              ]
                .filter((part) => part !== null)
                .join(' · '),
          },
          file: { width: 180, grow: true, cell: ({ fileName }) => fileName },
          size: {
            width: 110,
            isNumber: true,
            cell: ({ fileSizeBytes }) =>
              fileSizeBytes === null ? absent : `${formats.number(fileSizeBytes / 1_048_576, 1)} MiB`,
          },
          ocpp: { width: 110, cell: ({ ocppVersionSupport }) => ocppVersionSupport },
          released: { width: 140, cell: ({ releasedAt }) => formats.date(releasedAt) },
          notes: { width: 180, grow: true, cell: ({ releaseNotes }) => releaseNotes ?? absent },
          actions: {
            width: 130,
            cell: (image) => (
              <>
                {onUpdate !== null && (
                  <Button
                    kind="quiet"
                    aria-label={t('images.updateTo', { version: image.version })}
                    onPress={() => onUpdate(image.id)}
                  >
                    {t('images.update')}
                  </Button>
                )}
                {onDelete !== null && (
                  <Button
                    kind="quiet"
                    aria-label={`${t('models:remove.action')}: ${image.version}`}
                    onPress={() => onDelete(image)}
                  >
                    {t('models:remove.open')}
                  </Button>
                )}
              </>
            ),
          },
        },
        (id) => (id === 'ocpp' ? 'OCPP' : t(`images.${id}`)),
      ),
    [t, formats, running, onUpdate, onDelete],
  );
}

interface Props {
  modelId: string;
  image: Schemas['FirmwareImage'];
  onClose: () => void;
}

/** Deletes a firmware image after a confirmation. */
function DeleteImageDialog({ modelId, image: { id, version: name }, onClose }: Props) {
  const { t } = useTranslation('models');
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/firmware-images/{id}', { params: { path: { id } } }),
    onSuccess: () => notify('done', t('remove.done', { name })),
    onError: (error) => notify('failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['firmware', 'images', modelId] }),
  });
  return (
    <ConfirmDialog
      title={t('remove.title', { name })}
      action={t('remove.action')}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>{t('remove.image')}</p>
    </ConfirmDialog>
  );
}
