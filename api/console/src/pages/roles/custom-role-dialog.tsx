import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { customRoleScopes, type Role, scopesOfRole } from '#shared/domain/access/roles.ts';
import { api, type Schemas } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { permits, useCaller, useNetworks } from '../../app/caller.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import type { CustomRole } from '../people/custom-roles.ts';
import { FormError } from '../people/form-error.tsx';
import { ifVersion } from '../people/if-version.ts';
import { ScopeChoice } from '../people/scope-choice.tsx';
import { scopeKinds } from '../people/scope-kinds.ts';

const installation = 'installation';

/** Form of a custom role, new (null) or changed, with the scopes of the caller. */
export function CustomRoleDialog({
  customRole,
  onClose,
}: {
  customRole: CustomRole | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(['operators', 'people', 'common']);
  // The version that the fields began with: the server refuses them when there is a later one.
  const [role] = useState(customRole);
  const queries = useQueryClient();
  const { scopes: own, unrestricted } = useCaller();
  const networks = useNetworks();
  const [name, setName] = useState(role?.name ?? '');
  const [network, setNetwork] = useState(networks[0]?.id ?? installation);
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(role?.scopes));
  const once = useSendOnce([name, network, [...scopes]]);
  const saving = useMutation({
    mutationFn: () => {
      // The choice offers scopes of custom roles only.
      const fields = {
        name: name.trim(),
        scopes: [...scopes] as Schemas['CreateCustomRoleRequest']['scopes'],
      };
      if (role !== null) return change(role, fields);
      const body = { ...fields, networkUuid: network === installation ? null : network };
      return once((header) => api.POST('/cpms/v1/custom-roles', { params: { header }, body }));
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['custom-roles'] });
      notify('done', t(role === null ? 'new.done' : 'edit.done', { name: saved.name }));
      onClose();
    },
  });
  const offered = customRoleScopes.filter((scope) => permits(own, scope));
  const groups = scopeKinds.map(({ id, prefix }) => ({
    id,
    title: t(`roles.${id}`),
    scopes: offered.filter((scope) => scope.startsWith(prefix)),
  }));
  return (
    <FormDialog
      title={role === null ? t('custom.new.title') : t('edit.title', { name: role.name })}
      shape="wide"
      action={t(role === null ? 'custom.new.action' : 'common:action.save')}
      saving={saving}
      failure={<FormError error={saving.error} />}
      isReady={scopes.size > 0}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField label={t('field.name')} value={name} onChange={setName} isRequired maxLength={100} />
      {role === null ? (
        <div className={form['pair']}>
          <Select
            label={t('custom.network')}
            options={[
              ...networks.map(({ id, name }) => ({ id, text: name })),
              ...(unrestricted ? [{ id: installation, text: t('allNetworks') }] : []),
            ]}
            value={network}
            onChange={setNetwork}
          />
          <Template
            onChoose={(template) =>
              setScopes(new Set(offered.filter((scope) => permits(scopesOfRole(template), scope))))
            }
          />
        </div>
      ) : (
        role.operators > 0 && (
          <p className={form['hint']}>{t('custom.changeHint', { count: role.operators })}</p>
        )
      )}
      <ScopeChoice
        groups={groups.filter((group) => group.scopes.length > 0)}
        chosen={scopes}
        onChange={setScopes}
      />
    </FormDialog>
  );
}

const templates = ['Manager', 'Technician', 'Support', 'Finance', 'Viewer'] as const satisfies Role[];

/** Choice of the built-in role that a new role begins with. */
function Template({ onChoose }: { onChoose: (template: Role) => void }) {
  const { t } = useTranslation(['operators', 'people']);
  const [chosen, setChosen] = useState<Role | null>(null);
  return (
    <Select<Role>
      label={t('custom.template')}
      placeholder={t('custom.noTemplate')}
      options={templates.map((id) => ({ id, text: t(`people:role.${id}`) }))}
      value={chosen}
      onChange={(template) => {
        setChosen(template);
        onChoose(template);
      }}
    />
  );
}

function change(role: CustomRole, body: Schemas['UpdateCustomRoleRequest']): Promise<CustomRole> {
  const params = { path: { uuid: role.id }, header: ifVersion(role) };
  return api.PATCH('/cpms/v1/custom-roles/{uuid}', { params, body });
}
