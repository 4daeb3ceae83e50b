import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { textOrNull } from '../../texts/entered-text.ts';
import { TextField } from '../../ui/field.tsx';
import { SaveDialog } from './save-dialog.tsx';

interface Props {
  /** Null: a new one. */
  manufacturer: Schemas['Manufacturer'] | null;
  onClose: () => void;
}

/** Creates or changes a manufacturer. */
export function ManufacturerDialog({ manufacturer, onClose }: Props) {
  const { t } = useTranslation('models');
  const [name, setName] = useState(manufacturer?.name ?? '');
  const [website, setWebsite] = useState(manufacturer?.website ?? '');
  const [email, setEmail] = useState(manufacturer?.supportEmail ?? '');
  const [phone, setPhone] = useState(manufacturer?.supportPhone ?? '');
  const save = () => {
    const body = {
      name: name.trim(),
      website: textOrNull(website),
      supportEmail: textOrNull(email),
      supportPhone: textOrNull(phone),
    };
    return manufacturer === null
      ? api.POST('/cpms/v1/manufacturers', { body })
      : api.PATCH('/cpms/v1/manufacturers/{id}', {
          params: { path: { id: manufacturer.id }, header: { 'if-match': `"${manufacturer.version}"` } },
          body,
        });
  };
  return (
    <SaveDialog<unknown>
      title={manufacturer === null ? t('createManufacturer') : t('editTitle', { name: manufacturer.name })}
      name={name}
      isReady={name.trim() !== ''}
      save={save}
      onClose={onClose}
    >
      <TextField label={t('name')} value={name} onChange={setName} isRequired maxLength={100} />
      <TextField label={t('website')} value={website} onChange={setWebsite} type="url" maxLength={500} />
      <TextField label={t('supportEmail')} value={email} onChange={setEmail} type="email" maxLength={254} />
      <TextField label={t('supportPhone')} value={phone} onChange={setPhone} type="tel" maxLength={32} />
    </SaveDialog>
  );
}
