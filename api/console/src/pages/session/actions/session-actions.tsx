import { BadgeCheck, CircleStop, Gauge, Pencil } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Actable, canAmend, canApprove, canStop, useSessionAction } from './actable.ts';
import { AmendDialog } from './amend-dialog.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { api, dataOf } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/toast.tsx';
import { ActionError } from './action-error.tsx';
import styles from './actions.module.css';

type Action = 'stop' | 'limits' | 'amend' | 'approve';

/** Actions on a session that its state and the caller's scopes permit. */
export function SessionActions({ session }: { session: Actable }) {
  const { t } = useTranslation('session');
  const [open, setOpen] = useState<Action | null>(null);
  const mayStop = useCan('cpms:command:remote-stop');
  const mayLimit = useCan('cpms:write:sessions');
  const maySettle = useCan('cpms:command:billing');
  const close = () => setOpen(null);
  return (
    <>
      {mayLimit && canStop(session) && (
        <Button onPress={() => setOpen('limits')}>
          <Gauge aria-hidden size={15} />
          {t('action.limits')}
        </Button>
      )}
      {mayStop && canStop(session) && (
        <Button kind="danger" onPress={() => setOpen('stop')}>
          <CircleStop aria-hidden size={15} />
          {t('action.stop')}
        </Button>
      )}
      {maySettle && canAmend(session) && (
        <Button onPress={() => setOpen('amend')}>
          <Pencil aria-hidden size={15} />
          {t('action.amend')}
        </Button>
      )}
      {maySettle && canApprove(session) && (
        <Button kind="primary" onPress={() => setOpen('approve')}>
          <BadgeCheck aria-hidden size={15} />
          {t('action.approve')}
        </Button>
      )}
      {open === 'stop' && <StopDialog session={session} onClose={close} />}
      {open === 'limits' && <LimitsDialog session={session} onClose={close} />}
      {open === 'amend' && <AmendDialog session={session} onClose={close} />}
      {open === 'approve' && <ApproveDialog session={session} onClose={close} />}
    </>
  );
}

/** Stops a running session. The page shows the effect: the session ends when the charger says so. */
function StopDialog({ session, onClose }: { session: Actable; onClose: () => void }) {
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
