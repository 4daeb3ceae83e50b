import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Network } from './network-fields.ts';

/** Deletes a network that has no chargers and no drivers. */
export function DeleteNetwork({ network, onDeleted }: { network: Network; onDeleted: () => void }) {
  const { t } = useTranslation('networks');
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id: uuid, name, version } = network;
  const deleting = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/cpms/v1/networks/{uuid}', {
          params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
        }),
      ),
    onSuccess: async () => {
      onDeleted();
      notify('done', t('delete.done', { name }));
      await queries.invalidateQueries({ queryKey: ['networks'] });
    },
    onError: (error) => notify('failed', error.message),
  });
  return (
    <div>
      <Button kind="danger" isDisabled={deleting.isPending} onPress={() => setAsking(true)}>
        {t('delete.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('delete.title', { name })}
          action={t('delete.action')}
          onConfirm={() => deleting.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
