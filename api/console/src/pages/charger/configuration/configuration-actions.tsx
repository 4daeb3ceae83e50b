import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus, RefreshCw } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { notify } from '../../../ui/toast.tsx';
import type { Source } from './configuration-editor.tsx';
import { deviceModelQuery, requestReport } from './configuration-queries.ts';
import { addKey, editValue, forgetOutcomes } from './edits.ts';
import { readValues } from './send-edits.ts';
import type { Setting } from './setting.ts';
import styles from './configuration.module.css';
import { FormDialog } from '../../../ui/form.tsx';
import { TextField } from '../../../ui/field.tsx';

interface Props {
  charger: Schemas['Charger'];
  /** Settings that pass the filter. */
  settings: readonly Setting[];
  source: Source;
  canEdit: boolean;
  onRefresh: () => void;
}

/** Reads values from the charger again, requests a report, adds a key. */
export function ConfigurationActions({ charger, settings, source, canEdit, onRefresh }: Props) {
  const { t } = useTranslation('configuration');
  const formats = useFormats();
  const canReport = useCan('cpms:command:ocpp');
  const [isAdding, setAdding] = useState(false);
  const reading = useMutation({
    mutationFn: () => readValues(charger.id, settings),
    onError: (error) => notify('failed', error.message),
  });
  const report = useReport(charger.id);
  const isKeys = source.kind === 'keys';
  const refresh = () => {
    forgetOutcomes(charger.id);
    if (isKeys) onRefresh();
    else reading.mutate();
  };
  return (
    <>
      {source.readAt > 0 && (
        <span className={styles['readAt']}>
          {t(source.kind === 'model' ? 'reportedAt' : 'readAt', { time: formats.dateTime(source.readAt) })}
        </span>
      )}
      {isKeys && canEdit && (
        <Button onPress={() => setAdding(true)}>
          <Plus aria-hidden size={15} />
          {t('add.open')}
        </Button>
      )}
      {!isKeys && canReport && (
        <Button
          onPress={() => report.mutate()}
          isDisabled={!charger.isConnected || report.isPending || report.isWaiting}
        >
          {t(report.isWaiting ? 'report.waiting' : 'report.request')}
        </Button>
      )}
      {(isKeys || canEdit) && (
        <Button
          onPress={refresh}
          isDisabled={!charger.isConnected || source.isReading || reading.isPending || settings.length === 0}
        >
          <RefreshCw aria-hidden size={15} />
          {t(source.isReading || reading.isPending ? 'reading' : 'refresh')}
        </Button>
      )}
      {isAdding && (
        <AddKeyDialog
          onClose={() => setAdding(false)}
          onAdd={(key, value) => {
            addKey(charger.id, key);
            editValue(charger.id, key, value, null);
          }}
        />
      )}
    </>
  );
}

/** Times in ms after which the parts of a report are looked for. */
const looks = [1000, 3000, 6000, 12_000];

function useReport(chargerId: string) {
  const { t } = useTranslation('configuration');
  const queries = useQueryClient();
  const [isWaiting, setWaiting] = useState(false);
  const mutation = useMutation({
    mutationFn: () => requestReport(chargerId),
    onError: (error) => notify('failed', error.message),
    onSuccess: ({ accepted, message }) => {
      if (!accepted) {
        notify('failed', message);
        return;
      }
      notify('done', t('report.accepted'));
      setWaiting(true);
      for (const delay of looks) {
        setTimeout(() => {
          void queries.invalidateQueries({ queryKey: deviceModelQuery(chargerId).queryKey });
          if (delay === looks.at(-1)) setWaiting(false);
        }, delay);
      }
    },
  });
  return { ...mutation, isWaiting };
}

/** Adds a configuration key that the charger does not list. It is sent with the other changes. */
function AddKeyDialog({
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
