import { Form } from '../../../ui/form.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageZone } from '../../../texts/page-zone.ts';
import { inputOf, instantOf } from '../../../texts/zoned-time.ts';
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
  const timeZone = usePageZone();
  const [from, setFrom] = useState(inputOf(shown.from * 1000, timeZone));
  const [to, setTo] = useState(inputOf(shown.to * 1000, timeZone));
  const isOrdered = from < to;
  const submit = () => {
    const [start, end] = [instantOf(from, timeZone), instantOf(to, timeZone)];
    if (!isOrdered || start === undefined || end === undefined) return;
    onChoose(new Date(start), new Date(end));
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
        description={isOrdered ? undefined : t('rangeOrder')}
      />
    </Form>
  );
}
