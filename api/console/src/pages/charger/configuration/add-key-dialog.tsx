import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../ui/form.tsx';
import { TextField } from '../../../ui/field.tsx';

/** Adds a configuration key that the charger does not list. It is sent with the other changes. */
export function AddKeyDialog({
  onAdd,
  onClose,
}: {
  onAdd: (key: string, value: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('configuration');
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const add = () => {
    onAdd(key.trim(), value);
    onClose();
  };
  return (
    <FormDialog
      title={t('add.title')}
      action={t('add.add')}
      isReady={key.trim() !== ''}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField
        label={t('add.key')}
        value={key}
        onChange={setKey}
        isRequired
        maxLength={50}
        autoComplete="off"
        description={t('add.hint')}
      />
      <TextField label={t('add.value')} value={value} onChange={setValue} maxLength={500} />
    </FormDialog>
  );
}
