import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { useNetworks } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useNow } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';
import { type Actable, useSessionAction } from './actable.ts';
import { ActionError } from './action-error.tsx';
import { numberOf, textOf } from '../../../texts/numbers.ts';
import styles from './actions.module.css';

interface Limits {
  maxEnergyKwh: number | null;
  maxDurationMinutes: number | null;
  maxCost: number | null;
}

/** Changes the limits at which a running session is stopped. */
export function LimitsDialog({ session, onClose }: { session: Actable; onClose: () => void }) {
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
      dataOf(api.PATCH('/cpms/v1/sessions/{uuid}/limits', { params: { path: { uuid: session.id } }, body })),
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
