import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/toast.tsx';

interface Props {
  modelId: string;
  image: Schemas['FirmwareImage'];
  onClose: () => void;
}

/** Deletes a firmware image after a confirmation. */
export function DeleteImageDialog({ modelId, image: { id, version: name }, onClose }: Props) {
  const { t } = useTranslation('models');
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => dataOf(api.DELETE('/cpms/v1/firmware-images/{id}', { params: { path: { id } } })),
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
