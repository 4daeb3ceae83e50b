import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { ifVersion } from '../people/if-version.ts';

/** Blocks a driver after a question, or releases a blocked one. */
export function DriverBlock({ driver }: { driver: Schemas['Driver'] }) {
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
