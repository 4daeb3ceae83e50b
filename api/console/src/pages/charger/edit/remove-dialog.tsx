import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/toast.tsx';

/** Decommissions a charger and leads to the list. */
export function RemoveDialog({ charger, onClose }: { charger: Schemas['Charger']; onClose: () => void }) {
  const { t } = useTranslation('chargerForm');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      await api.DELETE('/cpms/v1/chargers/{uuid}', { params: { path: { uuid: charger.id } } });
    } catch (error) {
      notify('failed', error instanceof Error ? error.message : String(error));
      return;
    }
    notify('done', t('remove.done', { charger: charger.uid }));
    await navigate({ to: '/fleet/chargers' });
    queries.removeQueries({ queryKey: ['charger', charger.id] });
    await queries.invalidateQueries({ queryKey: ['chargers'] });
  };
  return (
    <ConfirmDialog
      title={t('remove.title', { charger: charger.uid })}
      action={t('remove.action')}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t('remove.text')}</p>
    </ConfirmDialog>
  );
}
