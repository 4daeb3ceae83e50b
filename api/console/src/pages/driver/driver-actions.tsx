import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas, dataOf } from '../../api/client.ts';
import { useCaller, useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { DriverDialog } from '../drivers/driver-dialog.tsx';
import { ifVersion } from '../people/if-version.ts';

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
          <Button isDangerous onPress={() => setAsks('remove')} isDisabled={remove.isPending}>
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

/** Blocks a driver after a question, or releases a blocked one. */
function DriverBlock({ driver }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (isBlocked: boolean) =>
      dataOf(
        api.PATCH('/cpms/v1/users/{uuid}', {
          params: { path: { uuid: driver.id }, header: ifVersion(driver) },
          body: { isBlocked },
        }),
      ),
    onSuccess: ({ name, isBlocked }) =>
      notify('done', t(isBlocked ? 'block.done' : 'unblock.done', { name })),
    onError: ({ message }) => notify('failed', t('failed', { message })),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['drivers'] }),
        queries.invalidateQueries({ queryKey: ['driver', driver.id] }),
        queries.invalidateQueries({ queryKey: ['tokens'] }),
      ]),
  });
  if (driver.isBlocked) {
    return (
      <Button onPress={() => change.mutate(false)} isDisabled={change.isPending}>
        {t('unblock.open')}
      </Button>
    );
  }
  return (
    <>
      <Button onPress={() => setAsking(true)} isDisabled={change.isPending}>
        {t('block.open')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('block.title', { name: driver.name })}
          action={t('block.action')}
          onConfirm={() => change.mutate(true)}
          onClose={() => setAsking(false)}
        >
          <p>{t('block.detail')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
