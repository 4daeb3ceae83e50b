import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { useChange } from '../../../app/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { inputOf, instantOf } from '../../../texts/zoned-time.ts';
import { Select, TextField } from '../../../ui/field.tsx';
import { useConnectorOptions } from '../connector-options.ts';

const any = 'any';
const hourMs = 3_600_000;

/** Reserves a connector of the charger for a token. */
export function NewReservationDialog({
  charger,
  onClose,
}: {
  charger: Schemas['Charger'];
  onClose: () => void;
}) {
  const { t } = useTranslation(['reservations', 'common']);
  const timeZone = usePageZone();
  const connectors = useConnectorOptions(charger);
  const [connector, setConnector] = useState(String(charger.connectors[0]?.number ?? any));
  const [token, setToken] = useState('');
  const [group, setGroup] = useState('');
  const [expires, setExpires] = useState(() => inputOf(Date.now() + hourMs, timeZone));
  const creating = useChange({
    mutationFn: () =>
      api.POST('/cpms/v1/reservations', {
        body: {
          chargerId: charger.id,
          idTag: token.trim(),
          expiresAt: instantOf(expires, timeZone) ?? '',
          ...(connector === any ? {} : { connectorNumber: Number(connector) }),
          ...(group.trim() === '' ? {} : { groupId: group.trim() }),
        },
      }),
    invalidates: ['reservations'],
    done: ({ reservationId }) => t('new.done', { number: reservationId }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('new.title', { charger: charger.uid })}
      action={t(creating.isPending ? 'new.sending' : 'new.action')}
      saving={creating}
      onSubmit={() => creating.mutate()}
      onClose={onClose}
    >
      <Select
        label={t('columns.connector')}
        options={[{ id: any, text: t('anyConnector') }, ...connectors]}
        value={connector}
        onChange={setConnector}
      />
      <TextField
        label={t('columns.token')}
        value={token}
        onChange={setToken}
        isRequired
        maxLength={longestIdTokenLimit}
        autoComplete="off"
      />
      <TextField label={t('new.group')} value={group} onChange={setGroup} maxLength={36} />
      <TextField
        label={t('columns.expires')}
        type="datetime-local"
        value={expires}
        onChange={setExpires}
        isRequired
      />
    </FormDialog>
  );
}
