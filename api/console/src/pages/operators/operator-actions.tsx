import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Lock } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCaller, useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.tsx';
import { useGrantableRoles } from '../people/custom-roles.ts';
import { ifVersion } from '../people/if-version.ts';
import { OperatorDialog } from './operator-dialog.tsx';
import type { Operator } from './operator-queries.ts';
import { useReason } from '../people/form-error.tsx';

/** Menu of an account: edit, disable, delete. Nothing for an account that the caller may not change. */
export function OperatorActions({ operator }: { operator: Operator }) {
  const { t } = useTranslation('operators');
  const { builtIn, custom } = useGrantableRoles();
  const mayWrite = useCan('cpms:write:operators');
  const [asks, setAsks] = useState<'edit' | 'disable' | 'remove' | 'resetFactor' | null>(null);
  const { setDisabled, remove, resetFactor } = useAccountChanges(operator);
  const { operatorId } = useCaller();
  if (!mayWrite) return null;
  const { role, customRole } = operator;
  const isGrantable =
    role === 'Custom' ? custom.some(({ id }) => id === customRole?.id) : builtIn.includes(role);
  if (!isGrantable) {
    return <Lock size={15} role="img" aria-label={t('aboveYou')} />;
  }
  const { name, issuer, isDisabled, hasSecondFactor } = operator;
  return (
    <>
      <Menu
        label={t('actionsOf', { name })}
        trigger={
          <Button kind="quiet" isIcon aria-label={t('actionsOf', { name })}>
            <Ellipsis aria-hidden size={16} />
          </Button>
        }
        groups={[
          issuer === null ? [{ id: 'edit', text: t('edit.open'), onAction: () => setAsks('edit') }] : [],
          hasSecondFactor && operator.id !== operatorId
            ? [{ id: 'resetFactor', text: t('resetFactor.open'), onAction: () => setAsks('resetFactor') }]
            : [],
          [
            isDisabled
              ? { id: 'enable', text: t('enable.open'), onAction: () => setDisabled.mutate(false) }
              : { id: 'disable', text: t('disable.open'), onAction: () => setAsks('disable') },
            { id: 'remove', text: t('remove.open'), isDangerous: true, onAction: () => setAsks('remove') },
          ],
        ]}
      />
      {asks === 'edit' && <OperatorDialog operator={operator} onClose={() => setAsks(null)} />}
      {asks === 'disable' && (
        <ConfirmDialog
          title={t('disable.title', { name })}
          action={t('disable.action')}
          onConfirm={() => setDisabled.mutate(true)}
          onClose={() => setAsks(null)}
        >
          <p>{t('disable.detail')}</p>
        </ConfirmDialog>
      )}
      {asks === 'resetFactor' && (
        <ConfirmDialog
          title={t('resetFactor.title', { name })}
          action={t('resetFactor.action')}
          onConfirm={() => resetFactor.mutate()}
          onClose={() => setAsks(null)}
        >
          <p>{t('resetFactor.detail')}</p>
        </ConfirmDialog>
      )}
      {asks === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { name })}
          action={t('remove.action')}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsks(null)}
        >
          <p>{t('remove.detail')}</p>
          {issuer !== null && <p>{t('remove.external')}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Returns the changes of an account that need no form. */
function useAccountChanges(operator: Operator) {
  const { t } = useTranslation('operators');
  const queries = useQueryClient();
  const reasonOf = useReason();
  const params = { path: { uuid: operator.id }, header: ifVersion(operator) };
  const settled = {
    onError: (error: Error) => notify('failed', [reasonOf(error), error.message].join(' ').trim()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operators'] }),
  };
  const done = (text: string, revoked: readonly string[]) =>
    notify('done', revoked.length === 0 ? text : `${text} ${t('revoked', { count: revoked.length })}`);
  const setDisabled = useMutation({
    mutationFn: (isDisabled: boolean) =>
      api.PATCH('/cpms/v1/operators/{uuid}', { params, body: { isDisabled } }),
    onSuccess: ({ name, isDisabled, revokedKeys }) =>
      done(t(isDisabled ? 'disable.done' : 'enable.done', { name }), revokedKeys),
    ...settled,
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/operators/{uuid}', { params }),
    onSuccess: ({ revokedKeys }) => done(t('remove.done', { name: operator.name }), revokedKeys),
    ...settled,
  });
  const resetFactor = useMutation({
    mutationFn: () =>
      api.DELETE('/cpms/v1/operators/{uuid}/second-factors', { params: { path: { uuid: operator.id } } }),
    onSuccess: ({ name }) => done(t('resetFactor.done', { name }), []),
    ...settled,
  });
  return { setDisabled, remove, resetFactor };
}
