import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useSendOnce } from '../../api/request-key.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { FormError } from '../people/form-error.tsx';
import { ifVersion } from '../people/if-version.ts';
import { NetworkSelect } from '../people/network-select.tsx';

type Driver = Schemas['Driver'];

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** Form of a driver, new (null) or changed. */
export function DriverDialog({
  driver: shown,
  onDone,
  onClose,
}: {
  driver: Driver | null;
  onDone?: (driver: Driver) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['drivers', 'common']);
  // The version that the fields began with: the server refuses them when there is a later one.
  const [driver] = useState(shown);
  const queries = useQueryClient();
  const networks = useNetworks();
  const { networkUuid = networks[0]?.id ?? null } = useNetworkQuery();
  const [network, setNetwork] = useState(networkUuid);
  const [name, setName] = useState(driver?.name ?? '');
  const [email, setEmail] = useState(driver?.email ?? '');
  const [phone, setPhone] = useState(driver?.phone ?? '');
  const [language, setLanguage] = useState(driver?.language ?? '');
  const [externalId, setExternalId] = useState(driver?.externalId ?? '');
  const once = useSendOnce([network, name, email, phone, language, externalId]);
  const saving = useMutation({
    mutationFn: () => {
      const fields = {
        name: name.trim(),
        email: email.trim(),
        phone: orNull(phone),
        language: orNull(language),
        externalId: orNull(externalId),
      };
      if (driver === null) {
        const body = { ...fields, ...(network === null ? {} : { networkUuid: network }) };
        return once((header) => api.POST('/cpms/v1/users', { params: { header }, body }));
      }
      return api.PATCH('/cpms/v1/users/{uuid}', {
        params: { path: { uuid: driver.id }, header: ifVersion(driver) },
        body: fields,
      });
    },
    onSuccess: async (saved) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['drivers'] }),
        queries.invalidateQueries({ queryKey: ['driver', saved.id] }),
        queries.invalidateQueries({ queryKey: ['tokens'] }),
      ]);
      notify('done', t(driver === null ? 'new.done' : 'edit.done', { name: saved.name }));
      onClose();
      onDone?.(saved);
    },
  });
  return (
    <FormDialog
      title={driver === null ? t('new.title') : t('edit.title', { name: driver.name })}
      autoComplete="off"
      action={t(driver === null ? 'new.action' : 'common:action.save')}
      saving={saving}
      failure={<FormError error={saving.error} />}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {driver === null && <NetworkSelect value={network} onChange={setNetwork} />}
      <TextField label={t('field.name')} value={name} onChange={setName} isRequired maxLength={100} />
      <TextField
        label={t('field.email')}
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        maxLength={254}
      />
      <div className={form['pair']}>
        <TextField label={t('field.phone')} type="tel" value={phone} onChange={setPhone} maxLength={32} />
        <TextField
          label={t('field.externalId')}
          description={t('field.externalIdHint')}
          value={externalId}
          onChange={setExternalId}
          maxLength={100}
        />
      </div>
      <TextField
        label={t('field.language')}
        description={t('field.languageHint')}
        value={language}
        onChange={setLanguage}
        maxLength={35}
        pattern="[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
      />
    </FormDialog>
  );
}
