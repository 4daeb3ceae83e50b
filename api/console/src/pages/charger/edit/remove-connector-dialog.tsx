import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { notifyFailure, useChange } from '../../../app/use-change.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Removes a connector without a running session. */
export function RemoveConnectorDialog({
  charger,
  connector: { id, number },
  onClose,
}: {
  charger: Schemas['Charger'];
  connector: Schemas['ChargerConnector'];
  onClose: () => void;
}) {
  const { t } = useTranslation('evseForm');
  const removing = useChange({
    mutationFn: () => api.DELETE('/cpms/v1/connectors/{uuid}', { params: { path: { uuid: id } } }),
    invalidates: ['charger', charger.id],
    done: () => t('remove.done', { number }),
    onError: notifyFailure,
  });
  return (
    <ConfirmDialog
      title={t('remove.title', { number, charger: charger.uid })}
      action={t('remove.action')}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      <p>{t('remove.text')}</p>
    </ConfirmDialog>
  );
}
