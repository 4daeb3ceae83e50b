import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { notify } from '../../../ui/toast.tsx';
import { ReviewNotice } from '../review-notice.tsx';
import { type Actable, unchanged, useOpened, useSessionAction } from './actable.ts';
import { ActionError } from './action-error.tsx';
import styles from './actions.module.css';

/** Approves the price of a session in review as the charger reported it. */
export function ApproveDialog({ session: shown, onClose }: { session: Actable; onClose: () => void }) {
  const session = useOpened(shown);
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const { cost, review } = session;
  const stated = review?.partnerStatement ?? null;
  const [reason, setReason] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const [isAccepted, setAccepted] = useState(false);
  const approve = useSessionAction(
    session,
    () =>
      api.POST('/cpms/v1/sessions/{uuid}/approve', {
        params: { path: { uuid: session.id }, header: unchanged(session) },
        body: {
          reason: reason.trim(),
          ...(isConfirmed ? { confirmAbovePlausible: true } : {}),
          ...(stated === null ? {} : { partnerStatement: isAccepted ? 'ACCEPT' : 'REJECT' }),
        },
      }),
    () => {
      notify('done', t('approve.done'));
      onClose();
    },
  );
  const amount = cost === null ? null : formats.money(cost.totalInclVat, cost.currency);
  const needsConfirmation = review?.needsConfirmation ?? false;
  const statedValues = stated && [
    stated.energyKwh === null ? null : formats.energy(stated.energyKwh),
    stated.endedAt === null ? null : formats.dateTime(stated.endedAt),
    stated.currency,
    stated.status,
  ];
  return (
    <Dialog isOpen onClose={onClose} title={t('approve.title')} shape="wide">
      <div className={styles['form']}>
        <ReviewNotice session={session} />
        {statedValues && (
          <>
            <p>
              {t('approve.stated', { values: statedValues.filter((value) => value !== null).join(', ') })}
            </p>
            <Checkbox isSelected={isAccepted} onChange={setAccepted}>
              {t('approve.accept')}
            </Checkbox>
          </>
        )}
        <p className={styles['money']}>
          {isAccepted && t('approve.moneyStated')}
          {!isAccepted && (amount === null ? t('approve.moneyNone') : t('approve.money', { cost: amount }))}
        </p>
        <TextField
          label={t('action.reason')}
          description={t('action.reasonHint')}
          value={reason}
          onChange={setReason}
          maxLength={500}
        />
        {needsConfirmation && (
          <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
            {t('action.confirm')}
          </Checkbox>
        )}
        <ActionError error={approve.error} />
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button
          kind="primary"
          isDisabled={
            reason.trim() === '' || (needsConfirmation && !isAccepted && !isConfirmed) || approve.isPending
          }
          onPress={() => approve.mutate(undefined)}
        >
          {amount === null || isAccepted ? t('approve.sendNone') : t('approve.send', { cost: amount })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
