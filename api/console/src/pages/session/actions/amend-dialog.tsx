import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { useNetworks } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { notify } from '../../../ui/toast.tsx';
import { type Actable, hasCode, unchanged, useOpened, useSessionAction } from './actable.ts';
import { ActionError } from './action-error.tsx';
import { AmendMoney } from './amend-money.tsx';
import { type AmendFields, changesOf, fieldsOf, invalidFields } from './amendment.ts';
import { numberOf } from '../../../texts/numbers.ts';
import styles from './actions.module.css';

/** Corrects energy, end or price of a session. Values above the plausible maximum need a second confirmation. */
export function AmendDialog({ session: shown, onClose }: { session: Actable; onClose: () => void }) {
  const session = useOpened(shown);
  const { t } = useTranslation(['session', 'common']);
  const network = useNetworks().find(({ id }) => id === session.networkUuid);
  const { timeZone } = useFormats(network?.timeZone);
  const [fields, setFields] = useState(() => fieldsOf(session, timeZone));
  const [reason, setReason] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const changes = changesOf(fields, session, timeZone);
  const invalid = invalidFields(fields, session, timeZone);
  const hasChanges = Object.keys(changes).length > 0;
  const amend = useSessionAction(
    session,
    () =>
      dataOf(
        api.POST('/cpms/v1/sessions/{uuid}/amend', {
          params: { path: { uuid: session.id }, header: unchanged(session) },
          body: {
            reason: reason.trim(),
            ...changes,
            ...(isConfirmed ? { confirmAbovePlausible: true } : {}),
          },
        }),
      ),
    () => {
      notify('done', t('amend.done'));
      onClose();
    },
  );
  const set = (changed: Partial<AmendFields>) => {
    setFields({ ...fields, ...changed });
    // Other values need another confirmation.
    setConfirmed(false);
    amend.reset();
  };
  const isAbove = hasCode(amend.error, 'ABOVE_PLAUSIBLE');
  const currency = session.cost?.currency ?? network?.currency ?? '';
  const grossAfter = fields.hasOwnPrice ? (numberOf(fields.gross) ?? 0) : null;
  return (
    <Dialog isOpen onClose={onClose} title={t('amend.title')}>
      <div className={styles['form']}>
        <p>{t('amend.intro')}</p>
        <div className={styles['pair']}>
          <TextField
            label={t('amend.energy')}
            inputMode="decimal"
            value={fields.energy}
            onChange={(energy) => set({ energy })}
            isInvalid={invalid.includes('energy')}
            description={invalid.includes('energy') ? t('amend.invalid') : undefined}
          />
          <TextField
            label={t('amend.end', { zone: timeZone })}
            type="datetime-local"
            value={fields.end}
            onChange={(end) => set({ end })}
            isInvalid={invalid.includes('end')}
            description={invalid.includes('end') ? t('amend.endInvalid') : undefined}
          />
        </div>
        <Checkbox isSelected={fields.hasOwnPrice} onChange={(hasOwnPrice) => set({ hasOwnPrice })}>
          {t('amend.ownPrice')}
        </Checkbox>
        {fields.hasOwnPrice && (
          <div className={styles['pair']}>
            <TextField
              label={t('amend.net', { currency })}
              inputMode="decimal"
              value={fields.net}
              onChange={(net) => set({ net })}
              isInvalid={invalid.includes('net')}
            />
            <TextField
              label={t('amend.gross', { currency })}
              inputMode="decimal"
              value={fields.gross}
              onChange={(gross) => set({ gross })}
              isInvalid={invalid.includes('gross')}
            />
          </div>
        )}
        <TextField
          label={t('action.reason')}
          description={t('action.reasonHint')}
          value={reason}
          onChange={setReason}
          maxLength={500}
        />
        {hasChanges && <AmendMoney session={session} grossAfter={grossAfter} />}
        <p className={styles['muted']}>{hasChanges ? t('amend.locked') : t('amend.nothing')}</p>
        <ActionError error={amend.error} />
        {(isAbove || isConfirmed) && (
          <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
            {t('action.confirm')}
          </Checkbox>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button
          kind="primary"
          isDisabled={
            !hasChanges ||
            invalid.length > 0 ||
            reason.trim() === '' ||
            amend.isPending ||
            (isAbove && !isConfirmed)
          }
          onPress={() => amend.mutate(undefined)}
        >
          {t('amend.send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
