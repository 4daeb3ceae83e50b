import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiError } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { numberOf } from '../../texts/numbers.ts';
import { type Wallet, walletKey, walletQuery, walletsKey } from '../wallets/wallets-queries.ts';

export type AdjustmentKind = 'credit' | 'debit';

const maxAmount = 1_000_000;

interface Props {
  kind: AdjustmentKind;
  wallet: Wallet;
  onClose: () => void;
}

/** Credits or debits a wallet, with a reason. */
export function AdjustDialog({ kind, wallet, onClose }: Props) {
  const { t } = useTranslation(['wallets', 'common']);
  const formats = useFormats();
  const queries = useQueryClient();
  const [amountText, setAmountText] = useState('');
  const [reason, setReason] = useState('');
  const once = useSendOnce([amountText, reason]);
  const money = (value: number) => formats.money(value, wallet.currency);
  const amount = numberOf(amountText);
  const isAmount = typeof amount === 'number' && amount > 0 && amount <= maxAmount;
  const adjust = useMutation({
    mutationFn: (body: { amount: number; reason: string }) =>
      once((header) => {
        const request = { params: { path: { uuid: wallet.id }, header }, body };
        return kind === 'credit'
          ? api.POST('/cpms/v1/wallets/{uuid}/credit', request)
          : api.POST('/cpms/v1/wallets/{uuid}/debit', request);
      }),
    onSuccess: (after, { amount: moved }) => {
      queries.setQueryData(walletQuery(wallet.id).queryKey, after);
      void queries.invalidateQueries({ queryKey: walletKey(wallet.id) });
      void queries.invalidateQueries({ queryKey: walletsKey });
      notify('done', t(kind === 'credit' ? 'adjust.credited' : 'adjust.debited', { amount: money(moved) }));
      onClose();
    },
    onError: () => {
      void queries.invalidateQueries({ queryKey: walletKey(wallet.id) });
    },
  });
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    adjust.reset();
  };
  const isValid = isAmount && reason.trim() !== '';
  const submit = () => {
    if (isAmount && isValid && !adjust.isPending) adjust.mutate({ amount, reason: reason.trim() });
  };
  const isInsufficient = adjust.error instanceof ApiError && adjust.error.code === 'INSUFFICIENT_BALANCE';
  const after = wallet.balance + (kind === 'credit' ? 1 : -1) * (isAmount ? amount : 0);
  return (
    <Dialog isOpen onClose={onClose} title={t(`adjust.${kind}Title`, { name: wallet.userName })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={form['form']}>
          <TextField
            label={t('adjust.amount', { currency: wallet.currency })}
            inputMode="decimal"
            value={amountText}
            onChange={edit(setAmountText)}
            isInvalid={amountText.trim() !== '' && !isAmount}
            errorMessage={t('adjust.invalid')}
            description={
              kind === 'debit' ? t('adjust.atMost', { available: money(wallet.available) }) : undefined
            }
          />
          <TextField
            label={t('adjust.reason')}
            maxLength={500}
            value={reason}
            onChange={edit(setReason)}
            description={t('adjust.reasonHint')}
          />
          {kind === 'credit' && wallet.owed > 0 && <p>{t('adjust.settles', { owed: money(wallet.owed) })}</p>}
          {isAmount && (kind === 'credit' || amount <= wallet.available) && (
            <p className={form['hint']}>
              {t('adjust.after', { after: money(after), before: money(wallet.balance) })}
            </p>
          )}
          {adjust.error !== null && (
            <p role="alert" className={form['error']}>
              {isInsufficient
                ? t('adjust.insufficient', { available: money(wallet.available) })
                : adjust.error.message}
            </p>
          )}
        </div>
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={!isValid || adjust.isPending}>
            {isAmount
              ? t(kind === 'credit' ? 'adjust.creditSend' : 'adjust.debitSend', { amount: money(amount) })
              : t(`adjust.${kind}`)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
