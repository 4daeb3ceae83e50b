import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiError } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { DriverChoice } from '../../ui/driver-choice.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { driverWalletQuery, walletsKey } from './wallets-queries.ts';

/** Opens the wallet of a driver, and shows it. */
export function OpenWallet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['wallets', 'common']);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [userId, setUserId] = useState<string>();
  // The wallet that a driver has already.
  const [existing, setExisting] = useState<string | null>(null);
  const once = useSendOnce(userId);
  const open = useMutation({
    mutationFn: (driver: string) =>
      once((header) => api.POST('/cpms/v1/wallets', { params: { header }, body: { userId: driver } })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: walletsKey });
      notify('done', t('open.done'));
      onClose();
      void navigate({ to: '/money/wallets/$uuid', params: { uuid: id } });
    },
    onError: async (error, driver) => {
      if (!(error instanceof ApiError) || error.code !== 'WALLET_EXISTS') return;
      setExisting((await queries.fetchQuery({ ...driverWalletQuery(driver), staleTime: 0 }))?.id ?? null);
    },
  });
  const choose = (id: string | undefined) => {
    setUserId(id);
    setExisting(null);
    open.reset();
  };
  const exists = open.error instanceof ApiError && open.error.code === 'WALLET_EXISTS';
  return (
    <Dialog isOpen onClose={onClose} title={t('open.title')}>
      <div className={form['form']}>
        <p>{t('open.intro')}</p>
        <DriverChoice
          label={t('open.driver')}
          placeholder={t('open.choose')}
          value={userId}
          onChange={choose}
        />
        {open.error !== null && (
          <p role="alert" className={form['error']}>
            {exists ? t('open.exists') : open.error.message}{' '}
            {existing !== null && (
              <Link to="/money/wallets/$uuid" params={{ uuid: existing }}>
                {t('open.show')}
              </Link>
            )}
          </p>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button
          kind="primary"
          isDisabled={userId === undefined || open.isPending}
          onPress={() => userId !== undefined && open.mutate(userId)}
        >
          {t('open.send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
