import { Form } from '../../../ui/form.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { localInput } from '../../../texts/local-time.ts';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { Dialog } from '../../../ui/dialog.tsx';
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
  const submit = () => {
    if (!isOrdered) return;
    onChoose(new Date(from), new Date(to));
    onClose();
  };
  return (
    <Form action={t('common:action.apply')} isReady={isOrdered} onSubmit={submit} onClose={onClose}>
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
    </Form>
  );
}
