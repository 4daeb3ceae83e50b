import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryPending } from '../../ui/notice.tsx';
import { TriangleAlert } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TokenDriver, type TokenRow } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { TokenState } from './token-state.tsx';
import styles from './token-panel.module.css';
import { notify } from '../../ui/toast.tsx';
import { ifVersion } from '../people/if-version.ts';

type Token = Schemas['IdToken'];

/** Details of a token next to the list, and its actions. */
export function TokenPanel({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('tokens');
  const { data, error, refetch } = useQuery({
    queryKey: ['tokens', 'one', uuid],
    queryFn: () => api.GET('/cpms/v1/id-tokens/{uuid}', { params: { path: { uuid } } }),
  });
  const [asks, setAsks] = useState<'edit' | 'block' | 'remove' | null>(null);
  const { block, remove } = useTokenChanges();
  if (data !== undefined && asks === 'edit')
    return <TokenDialog token={data} onClose={() => setAsks(null)} />;
  return (
    <Dialog
      title={data === undefined ? '' : t('panel.title', { uid: data.uid })}
      isOpen
      onClose={onClose}
      shape="side"
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={320} />
      ) : (
        <Details
          token={data}
          onAsk={setAsks}
          onUnblock={() => block.mutate({ token: data, blocked: false })}
        />
      )}
      {data !== undefined && asks === 'block' && (
        <ConfirmDialog
          title={t('block.title', { uid: data.uid })}
          action={t('block.action')}
          onConfirm={() => block.mutate({ token: data, blocked: true })}
          onClose={() => setAsks(null)}
        >
          <p>{t('block.detail')}</p>
        </ConfirmDialog>
      )}
      {data !== undefined && asks === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { uid: data.uid })}
          action={t('remove.action')}
          onConfirm={() => remove.mutate(data, { onSuccess: onClose })}
          onClose={() => setAsks(null)}
        >
          <p>{t('remove.detail')}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

function Details({
  token,
  onAsk,
  onUnblock,
}: {
  token: Token;
  onAsk: (action: 'edit' | 'block' | 'remove') => void;
  onUnblock: () => void;
}) {
  const { t } = useTranslation(['tokens', 'people']);
  const formats = useFormats();
  const networks = useNetworks();
  const mayChange = useCan('cpms:write:id-tokens');
  const readsSessions = useCan('cpms:read:sessions');
  const { chargers } = token.pendingChargers;
  return (
    <div className={styles['panel']}>
      <div className={styles['state']}>
        <TokenState status={token.status} />
        <CopyButton text={token.id} label={t('field.id')} />
      </div>
      {chargers > 0 && (
        <p className={styles['pending']}>
          <TriangleAlert aria-hidden size={15} />
          {t('pending', { count: chargers })}
        </p>
      )}
      {token.isDriverBlocked && (
        <p className={styles['pending']}>
          <TriangleAlert aria-hidden size={15} />
          {t('driverBlocked')}
        </p>
      )}
      <Facts
        facts={[
          [t('field.type'), t(`type.${token.tokenType}`)],
          [t('field.driver'), <TokenDriver key="driver" token={token} />],
          [t('field.expires'), token.expiresAt === null ? t('noEnd') : formats.dateTime(token.expiresAt)],
          [t('field.group'), token.groupId ?? absent],
          [t('field.whitelist'), t(`whitelist.${token.whitelist}`)],
          [t('field.visualNumber'), token.visualNumber ?? absent],
          [t('field.issuer'), token.issuer ?? absent],
          [t('field.contract'), token.contractId ?? absent],
          [t('people:network'), networks.find(({ id }) => id === token.networkUuid)?.name ?? absent],
          [t('field.created'), formats.dateTime(token.createdAt)],
          [t('field.changed'), formats.dateTime(token.updatedAt)],
        ]}
      />
      {readsSessions && (
        <Link to="/charging/sessions" search={{ search: token.uid }}>
          {t('panel.sessions')}
        </Link>
      )}
      {mayChange && (
        <DialogActions>
          <Button isDangerous onPress={() => onAsk('remove')}>
            {t('remove.open')}
          </Button>
          {token.blocked ? (
            <Button onPress={onUnblock}>{t('unblock.open')}</Button>
          ) : (
            <Button onPress={() => onAsk('block')}>{t('block.open')}</Button>
          )}
          <Button onPress={() => onAsk('edit')}>{t('edit.open')}</Button>
        </DialogActions>
      )}
    </div>
  );
}

/** Returns the changes of a token that need no form. Afterwards all lists of tokens are read again. */
function useTokenChanges() {
  const { t } = useTranslation('tokens');
  const queries = useQueryClient();
  const settled = {
    onError: (error: Error) => notify('failed', t('failed', { message: error.message })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  };
  const block = useMutation({
    mutationFn: ({ token, blocked }: { token: TokenRow; blocked: boolean }) =>
      api.PATCH('/cpms/v1/id-tokens/{uuid}', {
        params: { path: { uuid: token.id }, header: ifVersion(token) },
        body: { blocked },
      }),
    onSuccess: ({ uid, blocked }) => notify('done', t(blocked ? 'block.done' : 'unblock.done', { uid })),
    ...settled,
  });
  const remove = useMutation({
    mutationFn: (token: TokenRow) =>
      api.DELETE('/cpms/v1/id-tokens/{uuid}', {
        params: { path: { uuid: token.id }, header: ifVersion(token) },
      }),
    onSuccess: (_, { uid }) => notify('done', t('remove.done', { uid })),
    ...settled,
  });
  return { block, remove };
}
