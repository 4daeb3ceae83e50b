import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Ellipsis, Plus } from '../../ui/icons/icons.ts';
import { Menu } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.tsx';
import { type CustomRole, useCustomRoles, useGrantableRoles } from '../people/custom-roles.ts';
import { useReason } from '../people/form-error.tsx';
import { ifVersion } from '../people/if-version.ts';
import { useScopeWord } from '../people/scope-words.ts';
import { CustomRoleDialog } from './custom-role-dialog.tsx';
import { scopeKinds } from '../people/scope-kinds.ts';
import styles from './roles-page.module.css';

/** Custom roles and their changes. Nothing for callers that cannot read them. */
export function CustomRoles() {
  const { t } = useTranslation('operators');
  const roles = useCustomRoles();
  const { builtIn } = useGrantableRoles();
  const [isCreating, setCreating] = useState(false);
  if (roles === undefined) return null;
  return (
    <section className={styles['section']}>
      <header className={styles['heading']}>
        <h2>{t('custom.title')}</h2>
        {builtIn.length > 0 && (
          <Button onPress={() => setCreating(true)}>
            <Plus aria-hidden size={15} />
            {t('custom.new.open')}
          </Button>
        )}
      </header>
      {roles.length === 0 ? (
        <p className={styles['intro']}>{t('custom.empty')}</p>
      ) : (
        <ul className={styles['customCards']} aria-label={t('custom.title')}>
          {roles.map((role) => (
            <RoleCard key={role.id} role={role} />
          ))}
        </ul>
      )}
      {isCreating && <CustomRoleDialog customRole={null} onClose={() => setCreating(false)} />}
    </section>
  );
}

function RoleCard({ role }: { role: CustomRole }) {
  const { t } = useTranslation('operators');
  const networks = useNetworks();
  const wordOf = useScopeWord();
  const network = networks.find(({ id }) => id === role.networkUuid);
  return (
    <li className={styles['card']}>
      <div className={styles['heading']}>
        <h3>{role.name}</h3>
        <RoleActions role={role} />
      </div>
      <dl className={styles['permissions']}>
        {scopeKinds.map((kind) => {
          const scopes = role.scopes.filter((scope) => scope.startsWith(kind.prefix));
          if (scopes.length === 0) return null;
          return (
            <div key={kind.id}>
              <dt>{t(`roles.${kind.id}`)}</dt>
              <dd>{scopes.map((scope) => wordOf(scope) ?? scope).join(', ')}</dd>
            </div>
          );
        })}
      </dl>
      <p className={styles['grant']}>
        {role.networkUuid === null ? t('allNetworks') : (network?.name ?? role.networkUuid)}
        {' · '}
        <Link to="/people/operators" search={{ role: 'Custom' }}>
          {t('custom.operators', { count: role.operators })}
        </Link>
      </p>
    </li>
  );
}

/** Menu of a custom role. Nothing for a role that the caller cannot change. */
function RoleActions({ role }: { role: CustomRole }) {
  const { t } = useTranslation('operators');
  const { unrestricted } = useCaller();
  const { custom } = useGrantableRoles();
  const [asks, setAsks] = useState<'edit' | 'remove' | null>(null);
  const removing = useRemoval(role);
  const mayChange = custom.some(({ id }) => id === role.id) && (unrestricted || role.networkUuid !== null);
  if (!mayChange) return null;
  const label = t('actionsOf', { name: role.name });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <Button kind="quiet" isIcon aria-label={label}>
            <Ellipsis aria-hidden size={16} />
          </Button>
        }
        groups={[
          [{ id: 'edit', text: t('edit.open'), onAction: () => setAsks('edit') }],
          [{ id: 'remove', text: t('remove.open'), isDangerous: true, onAction: () => setAsks('remove') }],
        ]}
      />
      {asks === 'edit' && <CustomRoleDialog customRole={role} onClose={() => setAsks(null)} />}
      {asks === 'remove' && (
        <ConfirmDialog
          title={t('custom.remove.title', { name: role.name })}
          action={t('custom.remove.action')}
          onConfirm={() => removing.mutate()}
          onClose={() => setAsks(null)}
        >
          <p>{t('custom.remove.detail')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function useRemoval(role: CustomRole) {
  const { t } = useTranslation('operators');
  const queries = useQueryClient();
  const reasonOf = useReason();
  const params = { path: { uuid: role.id }, header: ifVersion(role) };
  return useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/custom-roles/{uuid}', { params }),
    onSuccess: () => notify('done', t('custom.remove.done', { name: role.name })),
    onError: (error: Error) => notify('failed', [reasonOf(error), error.message].join(' ').trim()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['custom-roles'] }),
  });
}
