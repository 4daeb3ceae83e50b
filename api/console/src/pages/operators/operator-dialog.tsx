import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { FormError } from '../people/form-error.tsx';
import { type CustomRole, useGrantableRoles } from '../people/custom-roles.ts';
import { ifVersion } from '../people/if-version.ts';
import { scopeKinds } from '../people/scope-kinds.ts';
import { useScopeWord } from '../people/scope-words.ts';
import type { Operator } from './operator-queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import styles from './shown-password.module.css';
import { Checkbox } from '../../ui/checkbox.tsx';
import form from '../../ui/form.module.css';

interface Saved {
  name: string;
  /** Password that the server generated, which it returns this once. */
  password: string | null;
}

/** Form of an account, new (null) or changed. Roles and networks that the caller may not grant are not offered. */
export function OperatorDialog({
  operator: shown,
  onClose,
}: {
  operator: Operator | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(['operators', 'people', 'common']);
  // The version that the fields began with: the server refuses them when there is a later one.
  const [operator] = useState(shown);
  const queries = useQueryClient();
  const { builtIn, custom } = useGrantableRoles();
  const networks = useNetworks();
  const [name, setName] = useState(operator?.name ?? '');
  const [email, setEmail] = useState(operator?.email ?? '');
  const [role, setRole] = useState(operator?.customRole?.id ?? operator?.role ?? builtIn.at(-1) ?? null);
  const [reach, setReach] = useState<Reach>({
    isUnrestricted: operator?.unrestricted ?? false,
    networks: operator?.networkUuids ?? (networks.length === 1 ? networks.map(({ id }) => id) : []),
  });
  const describe = useDescription();
  const builtInRole = builtIn.find((id) => id === role);
  const [password, setPassword] = useState('');
  const [made, setMade] = useState<Saved | null>(null);
  const once = useSendOnce([name, email, role, reach, password]);
  const saving = useMutation({
    mutationFn: (): Promise<Saved> => {
      const fields = {
        name: name.trim(),
        email: email.trim(),
        ...(builtInRole === undefined ? { customRoleId: role ?? '' } : { role: builtInRole }),
        ...reachBody(reach),
        ...(password === '' ? {} : { password }),
      };
      return operator === null ? once((header) => create(fields, header)) : change(operator, fields);
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['operators'] });
      notify('done', t(operator === null ? 'new.done' : 'edit.done', { name: saved.name }));
      if (saved.password === null) onClose();
      else setMade(saved);
    },
  });
  if (made?.password != null)
    return <ShownPassword name={made.name} password={made.password} onClose={onClose} />;
  const isComplete = role !== null && (reach.isUnrestricted || reach.networks.length > 0);
  return (
    <FormDialog
      title={operator === null ? t('new.title') : t('edit.title', { name: operator.name })}
      autoComplete="off"
      action={t(operator === null ? 'new.action' : 'common:action.save')}
      saving={saving}
      failure={<FormError error={saving.error} />}
      isReady={isComplete}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField label={t('field.name')} value={name} onChange={setName} isRequired maxLength={100} />
      <TextField
        label={t('field.email')}
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        maxLength={254}
      />
      <Select
        label={t('field.role')}
        options={[
          ...builtIn.map((id) => ({ id, text: t(`people:role.${id}`) })),
          ...custom.map(({ id, name }) => ({ id, text: name })),
        ]}
        value={role}
        description={
          builtInRole === undefined
            ? describe(custom.find(({ id }) => id === role))
            : t(`role.${builtInRole}`)
        }
        onChange={setRole}
      />
      <ReachChoice reach={reach} onChange={setReach} />
      {operator === null && (
        <TextField
          label={t('field.password')}
          description={t('field.passwordHint')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          minLength={12}
          maxLength={128}
        />
      )}
    </FormDialog>
  );
}

type Fields = Schemas['CreateOperatorRequest'];

/** Returns the permissions of a custom role in words. */
function useDescription(): (role: CustomRole | undefined) => string | undefined {
  const { t } = useTranslation('operators');
  const wordOf = useScopeWord();
  return (role) => {
    if (role === undefined) return undefined;
    return scopeKinds
      .map(({ id, prefix }) => [id, role.scopes.filter((scope) => scope.startsWith(prefix))] as const)
      .filter(([, scopes]) => scopes.length > 0)
      .map(([id, scopes]) => `${t(`roles.${id}`)}: ${scopes.map(wordOf).join(', ')}`)
      .join('. ');
  };
}

const create = (body: Fields, header: { 'idempotency-key': string }): Promise<Saved> =>
  api.POST('/cpms/v1/operators', { params: { header }, body });

async function change(operator: Operator, body: Fields): Promise<Saved> {
  const params = { path: { uuid: operator.id }, header: ifVersion(operator) };
  const { name } = await api.PATCH('/cpms/v1/operators/{uuid}', { params, body });
  return { name, password: null };
}

/** Generated password of a new account, which is shown this once. */
function ShownPassword({ name, password, onClose }: { name: string; password: string; onClose: () => void }) {
  const { t } = useTranslation(['operators', 'common']);
  return (
    <Dialog title={t('password.title', { name })} isOpen onClose={onClose}>
      <p>{t('password.detail')}</p>
      <p className={styles['password']}>
        <code>{password}</code>
        <CopyButton text={password} label={t('password.copy')} />
      </p>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t('common:action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Networks of an account. */
interface Reach {
  isUnrestricted: boolean;
  networks: readonly string[];
}

/** Returns the fields of the API for the networks of an account. */
function reachBody({ isUnrestricted, networks }: Reach) {
  return isUnrestricted ? { unrestricted: true } : { unrestricted: false, networkUuids: [...networks] };
}

/** Choice of the networks of an account, among the caller's networks. */
function ReachChoice({ reach, onChange }: { reach: Reach; onChange: (reach: Reach) => void }) {
  const { t } = useTranslation('operators');
  const { unrestricted } = useCaller();
  const networks = useNetworks();
  const id = useId();
  const choose = (network: string, isSelected: boolean) =>
    onChange({
      ...reach,
      networks: isSelected ? [...reach.networks, network] : reach.networks.filter((each) => each !== network),
    });
  return (
    <div role="group" aria-labelledby={id} className={styles['choice']}>
      <span id={id} className={styles['label']}>
        {t('field.networks')}
      </span>
      {unrestricted && (
        <Checkbox
          isSelected={reach.isUnrestricted}
          onChange={(isUnrestricted) => onChange({ ...reach, isUnrestricted })}
        >
          {t('allNetworksHint')}
        </Checkbox>
      )}
      {!reach.isUnrestricted && (
        <div className={styles['networks']}>
          {networks.map((network) => (
            <Checkbox
              key={network.id}
              isSelected={reach.networks.includes(network.id)}
              onChange={(isSelected) => choose(network.id, isSelected)}
            >
              {network.name}
            </Checkbox>
          ))}
        </div>
      )}
      {!reach.isUnrestricted && reach.networks.length === 0 && (
        <p className={form['hint']}>{t('noNetwork')}</p>
      )}
    </div>
  );
}
