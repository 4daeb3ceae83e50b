import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';

/** Adds a configuration key that the charger does not list. It is sent with the other changes. */
export function AddKeyDialog({
  onAdd,
  onClose,
}: {
  onAdd: (key: string, value: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['configuration', 'common']);
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd(key.trim(), value);
    onClose();
  };
  return (
    <Dialog title={t('add.title')} isOpen onClose={onClose}>
      <form onSubmit={add}>
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
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={key.trim() === ''}>
            {t('add.add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
