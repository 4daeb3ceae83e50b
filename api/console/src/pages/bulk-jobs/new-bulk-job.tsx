import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCaller } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import styles from './bulk-jobs.module.css';

type Request = Schemas['CreateBulkJobRequest'];

/** Chargers of a bulk job: all that a filter matches, or those named. */
type BulkTarget = Pick<Request, 'filter' | 'chargerUuids'>;

/** Commands that the dialog offers, with their scopes and fields. */
const actions = {
  reboot: { scope: 'cpms:command:reboot', fields: ['type'] },
  'trigger-message': { scope: 'cpms:command:trigger-message', fields: ['requestedMessage'] },
  'change-availability': { scope: 'cpms:command:change-availability', fields: ['availability'] },
  'change-configuration': { scope: 'cpms:command:configuration', fields: ['key', 'value'] },
  'update-firmware': { scope: 'cpms:command:firmware', fields: ['location'] },
} as const;
type Action = keyof typeof actions;

/** Scopes of which one is enough to send a command to many chargers. */
export const bulkScopes: readonly string[] = Object.values(actions).map(({ scope }) => scope);

type Field = (typeof actions)[Action]['fields'][number];

const choices: Partial<Record<Field, readonly string[]>> = {
  type: ['Soft', 'Hard'],
  availability: ['Operative', 'Inoperative'],
  requestedMessage: [
    'BootNotification',
    'Heartbeat',
    'StatusNotification',
    'MeterValues',
    'FirmwareStatusNotification',
    'DiagnosticsStatusNotification',
  ],
};

/** Dialog that sends a command to many chargers; `count` of them are named before anything is sent. */
export function NewBulkJob({
  target,
  count,
  onClose,
}: {
  target: BulkTarget;
  count: number;
  onClose: () => void;
}) {
  const { t } = useTranslation(['bulkJobs', 'common']);
  const formats = useFormats();
  const { scopes } = useCaller();
  const network = useNetworkQuery();
  const navigate = useNavigate();
  const offered = (Object.keys(actions) as Action[]).filter((action) =>
    scopes.includes(actions[action].scope),
  );
  const [action, setAction] = useState<Action | null>(offered[0] ?? null);
  const [values, setValues] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  // A repeat after a lost response makes no second job.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const fields: readonly Field[] = action === null ? [] : actions[action].fields;
  const valueOf = (field: Field) => values[field] ?? choices[field]?.[0] ?? '';

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (action === null) return;
    setSending(true);
    setFailure(null);
    try {
      const parameters = Object.fromEntries(fields.map((field) => [field, valueOf(field)]));
      // Without a dry run the response is a job.
      const { data: job } = await bodies.POST('/cpms/v1/bulk-jobs', {
        params: { query: network, header: { 'idempotency-key': idempotencyKey } },
        body: { ...target, action, parameters, concurrency: 10 },
      });
      if ('id' in job) await navigate({ to: '/fleet/bulk-jobs/$uuid', params: { uuid: job.id } });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog title={t('new.title')} isOpen onClose={onClose}>
      <Form className={styles['form']} onSubmit={(event) => void send(event)}>
        <p className={styles['count']}>{t('new.count', { count, number: formats.integer(count) })}</p>
        <Select
          label={t('columns.action')}
          options={offered.map((id) => ({ id, text: t(`actions.${id}`) }))}
          value={action}
          onChange={setAction}
        />
        {fields.map((field) => {
          const options = choices[field];
          return options === undefined ? (
            <TextField
              key={field}
              label={t(`fields.${field}`)}
              isRequired
              value={valueOf(field)}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          ) : (
            <Select
              key={field}
              label={t(`fields.${field}`)}
              options={options.map((id) => ({ id, text: id }))}
              value={valueOf(field)}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          );
        })}
        {failure !== null && (
          <p role="alert" className={styles['failure']}>
            {failure}
          </p>
        )}
        <DialogActions>
          <Button onPress={onClose}>{t('common:action.cancel')}</Button>
          <Button type="submit" kind="primary" isDisabled={action === null || isSending}>
            {t('new.send', { count, number: formats.integer(count) })}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
