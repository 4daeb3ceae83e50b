import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas } from '../../api/client.ts';
import { useCaller, useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { DriverDialog } from '../drivers/driver-dialog.tsx';
import { ifVersion } from '../people/if-version.ts';
import { DriverBlock } from './driver-block.tsx';

type Driver = Schemas['Driver'];

/** Export, block, delete, edit. */
export function DriverActions({ driver }: { driver: Driver }) {
  const { t } = useTranslation('drivers');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayChange = useCan('cpms:write:users');
  const { canExportDrivers } = useCaller();
  const [asks, setAsks] = useState<'edit' | 'remove' | null>(null);
  const remove = useMutation({
    mutationFn: () =>
      body(
        api.DELETE('/cpms/v1/users/{uuid}', {
          params: { path: { uuid: driver.id }, header: ifVersion(driver) },
        }),
      ),
    onSuccess: async () => {
      notify('done', t('remove.done'));
      await navigate({ to: '/people/drivers' });
      await queries.invalidateQueries({ queryKey: ['drivers'] });
    },
    onError: ({ message }) => notify('failed', t('failed', { message })),
  });
  return (
    <>
      {canExportDrivers && (
        <Button onPress={() => location.assign(`/cpms/v1/users/${driver.id}/export`)}>
          {t('exportData')}
        </Button>
      )}
      {mayChange && (
        <>
          <DriverBlock driver={driver} />
          <Button onPress={() => setAsks('remove')} isDisabled={remove.isPending}>
            {t('remove.open')}
          </Button>
          <Button onPress={() => setAsks('edit')}>{t('edit.open')}</Button>
        </>
      )}
      {asks === 'edit' && <DriverDialog driver={driver} onClose={() => setAsks(null)} />}
      {asks === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { name: driver.name })}
          action={t('remove.action')}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsks(null)}
        >
          <p>{t('remove.detail')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
