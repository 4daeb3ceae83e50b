import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/toast.tsx';
import { type Actable, useSessionAction } from './actable.ts';
import { ActionError } from './action-error.tsx';
import styles from './actions.module.css';

/** Stops a running session. The page shows the effect: the session ends when the charger says so. */
export function StopDialog({ session, onClose }: { session: Actable; onClose: () => void }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { cost } = session;
  const stop = useSessionAction(
    session,
    () => dataOf(api.POST('/cpms/v1/sessions/{uuid}/stop', { params: { path: { uuid: session.id } } })),
    ({ accepted, message }) => {
      notify(accepted ? 'done' : 'failed', accepted ? t('stop.accepted') : t('stop.refused', { message }));
      onClose();
    },
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('stop.title', { charger: session.chargerUid, number: session.connectorNumber })}
    >
      <div className={styles['form']}>
        <p>{t('stop.driver')}</p>
        <p className={styles['money']}>
          {cost === null
            ? t('stop.moneyNone')
            : t('stop.money', { cost: formats.money(cost.totalInclVat, cost.currency) })}
        </p>
        {stop.isPending && <p role="status">{t('stop.sent')}</p>}
        <ActionError error={stop.error} />
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button kind="danger" isDisabled={stop.isPending} onPress={() => stop.mutate(undefined)}>
          {t('stop.send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
