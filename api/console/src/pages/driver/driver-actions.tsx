import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, dataOf, type Schemas } from '../../api/client.ts';
import { useCan, useScopes } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { DriverDialog } from '../drivers/driver-dialog.tsx';
import { ifVersion } from '../people/if-version.ts';

type Driver = Schemas['Driver'];

/** Returns the tokens of a driver that can charge now, at most 100. */
const readUsable = (userId: string) =>
  dataOf(api.GET('/cpms/v1/id-tokens', { params: { query: { userId, valid: true, pageSize: 100 } } }));

/** Scopes of the parts of a driver's data: an export needs all of them. */
const exportScopes = [
  'cpms:read:users',
  'cpms:read:id-tokens',
  'cpms:read:sessions',
  'cpms:read:wallets',
  'cpms:read:invoices',
  'cpms:read:reservations',
  'cpms:read:api-keys',
  'cpms:read:audit-log',
];

/** Export, edit, block the tokens, delete. */
export function DriverActions({ driver }: { driver: Driver }) {
  const { t } = useTranslation('drivers');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayChange = useCan('cpms:write:users');
  const mayExport = exportScopes.every(useScopes());
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
      {mayExport && (
        <Button onPress={() => location.assign(`/cpms/v1/users/${driver.id}/export`)}>
          {t('exportData')}
        </Button>
      )}
      <BlockTokens driver={driver} />
      {mayChange && (
        <>
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

/** Blocks all tokens of a driver, so that the driver cannot charge. */
function BlockTokens({ driver: { id, name } }: { driver: Driver }) {
  const { t } = useTranslation('drivers');
  const queries = useQueryClient();
  const mayBlock = useCan('cpms:write:id-tokens');
  const readsTokens = useCan('cpms:read:id-tokens');
  const isOffered = mayBlock && readsTokens;
  const [isAsking, setAsking] = useState(false);
  const { data: usable = [] } = useQuery({
    queryKey: ['tokens', 'driver', id, 'usable'],
    queryFn: () => readUsable(id),
    enabled: isOffered,
  });
  const block = useMutation({
    mutationFn: async () => {
      // Read again until none is left: a page has not all of them, and others may have been added meanwhile.
      const blocked = new Set<string>();
      for (;;) {
        const left = (await readUsable(id)).filter((token) => !blocked.has(token.id));
        if (left.length === 0) return blocked.size;
        for (const token of left) {
          const params = { path: { uuid: token.id } };
          await body(api.PATCH('/cpms/v1/id-tokens/{uuid}', { params, body: { blocked: true } }));
          blocked.add(token.id);
        }
      }
    },
    onSuccess: (count) => notify('done', t('block.done', { count })),
    onError: ({ message }) => notify('failed', t('failed', { message })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  if (!isOffered || usable.length === 0) return null;
  return (
    <>
      <Button onPress={() => setAsking(true)} isDisabled={block.isPending}>
        {t('block.open')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('block.title', { name })}
          action={t('block.action')}
          onConfirm={() => block.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('block.detail', { count: usable.length })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
