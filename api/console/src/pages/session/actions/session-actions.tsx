import { CircleStop, Gauge } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useNetworks } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Actable, canStop, useSessionAction } from './actable.ts';
import { AmendDialog } from './amend-dialog.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { api } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/toast.tsx';
import { ActionError } from './action-error.tsx';
import { SettleButtons } from './settle-buttons.tsx';
import styles from './actions.module.css';
import { TextField } from '../../../ui/field.tsx';
import { useNow } from '../../../ui/time.tsx';
import { numberOf, textOf } from '../../../texts/numbers.ts';

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
        <Button isDangerous onPress={() => setOpen('stop')}>
          <CircleStop aria-hidden size={15} />
          {t('action.stop')}
        </Button>
      )}
      {maySettle && (
        <SettleButtons
          session={session}
          onAmend={() => setOpen('amend')}
          onApprove={() => setOpen('approve')}
        />
      )}
      {open === 'stop' && <StopDialog session={session} onClose={close} />}
      {open === 'limits' && <LimitsDialog session={session} onClose={close} />}
      {open === 'amend' && <AmendDialog session={session} onClose={close} />}
      {open === 'approve' && <ApproveDialog session={session} onClose={close} />}
    </>
  );
}

/** Stops a running session. The page shows the effect: the session ends when the charger reports it. */
function StopDialog({ session, onClose }: { session: Actable; onClose: () => void }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { cost } = session;
  const stop = useSessionAction(
    session,
    () => api.POST('/cpms/v1/sessions/{uuid}/stop', { params: { path: { uuid: session.id } } }),
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
        <Button kind="primary" isDangerous isDisabled={stop.isPending} onPress={() => stop.mutate(undefined)}>
          {t('stop.send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface Limits {
  maxEnergyKwh: number | null;
  maxDurationMinutes: number | null;
  maxCost: number | null;
}

/** Changes the limits at which a running session is stopped. */
function LimitsDialog({ session, onClose }: { session: Actable; onClose: () => void }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { cost, limits } = session;
  const network = useNetworks().find(({ id }) => id === session.networkUuid);
  const currency = cost?.currency ?? network?.currency ?? '';
  const [energy, setEnergy] = useState(textOf(limits.maxEnergyKwh));
  const [minutes, setMinutes] = useState(textOf(limits.maxDurationMinutes));
  const [amount, setAmount] = useState(textOf(limits.maxCost));
  const change = useSessionAction(
    session,
    (body: Limits) =>
      api.PATCH('/cpms/v1/sessions/{uuid}/limits', { params: { path: { uuid: session.id } }, body }),
    () => {
      notify('done', t('limits.done'));
      onClose();
    },
  );
  const [maxEnergyKwh, maxDurationMinutes, maxCost] = [energy, minutes, amount].map(numberOf);
  const areValid = [maxEnergyKwh, maxDurationMinutes, maxCost].every(isLimit);
  const now = (value: string) => t('limits.now', { value });
  const seconds = (useNow() - Date.parse(session.startedAt)) / 1000;
  const submit = () => {
    if (maxEnergyKwh === undefined || maxDurationMinutes === undefined || maxCost === undefined) return;
    change.mutate({ maxEnergyKwh, maxDurationMinutes, maxCost });
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('limits.title')}>
      <div className={styles['form']}>
        <p>{t('limits.intro')}</p>
        <TextField
          label={t('limits.energy')}
          inputMode="decimal"
          value={energy}
          onChange={setEnergy}
          description={now(formats.energy(session.energyKwh))}
          isInvalid={!isLimit(maxEnergyKwh)}
        />
        <TextField
          label={t('limits.minutes')}
          inputMode="decimal"
          value={minutes}
          onChange={setMinutes}
          description={now(formats.duration(seconds))}
          isInvalid={!isLimit(maxDurationMinutes)}
        />
        <TextField
          label={t('limits.cost', { currency })}
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
          description={cost === null ? undefined : now(formats.money(cost.totalInclVat, currency))}
          isInvalid={!isLimit(maxCost)}
        />
        <p className={styles['money']}>
          {cost === null
            ? t('limits.moneyNone')
            : t('limits.money', { cost: formats.money(cost.totalInclVat, currency) })}
        </p>
        {!areValid && <p role="alert">{t('limits.invalid')}</p>}
        <ActionError error={change.error} />
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button kind="primary" isDisabled={!areValid || change.isPending} onPress={submit}>
          {t('common:action.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** An empty field is no limit. */
const isLimit = (value: number | null | undefined) => value === null || (value !== undefined && value > 0);
