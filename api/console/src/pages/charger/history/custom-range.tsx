import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { localInput } from '../../../texts/local-time.ts';
import { Button } from '../../../ui/button.tsx';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';

interface Props {
  isOpen: boolean;
  shown: TimeRange;
  onClose: () => void;
  onChoose: (from: Date, to: Date) => void;
}

/** Dialog of a range between two times. */
export function CustomRange({ isOpen, shown, onClose, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('range.custom')} isOpen={isOpen} onClose={onClose}>
      <RangeForm shown={shown} onClose={onClose} onChoose={onChoose} />
    </Dialog>
  );
}

function RangeForm({ shown, onClose, onChoose }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const [from, setFrom] = useState(localInput(shown.from * 1000));
  const [to, setTo] = useState(localInput(shown.to * 1000));
  const isOrdered = from < to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isOrdered) return;
    onChoose(new Date(from), new Date(to));
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label={t('common:range.from')}
        type="datetime-local"
        value={from}
        onChange={setFrom}
        isRequired
      />
      <TextField
        label={t('common:range.to')}
        type="datetime-local"
        value={to}
        onChange={setTo}
        isRequired
        description={isOrdered ? t('common:range.zone', { zone: formats.timeZone }) : t('rangeOrder')}
      />
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button kind="primary" type="submit" isDisabled={!isOrdered}>
          {t('common:action.apply')}
        </Button>
      </DialogActions>
    </form>
  );
}
