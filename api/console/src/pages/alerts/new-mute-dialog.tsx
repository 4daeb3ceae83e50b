import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { type AlertKind, alertKinds } from '#shared/domain/fleet/alert.ts';
import { useState } from 'react';
import { usePageZone } from '../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { inputOf, instantOf } from '../../texts/zoned-time.ts';
import { ChargerChoice, LocationChoice } from '../../ui/fleet-choice.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';

const all = 'all';
const hoursMs = 4 * 3_600_000;

/** Holds the notifications of a charger, a location or a kind back until a time. */
export function NewMuteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common']);
  const timeZone = usePageZone();
  const { networkUuid } = useNetworkQuery();
  const mayReadLocations = useCan('cpms:read:locations');
  const [charger, setCharger] = useState<string | undefined>();
  const [location, setLocation] = useState<string | undefined>();
  const [kind, setKind] = useState<AlertKind | typeof all>(all);
  const [until, setUntil] = useState(() => inputOf(Date.now() + hoursMs, timeZone));
  const [reason, setReason] = useState('');
  const muting = useChange({
    mutationFn: () =>
      api.POST('/cpms/v1/alert-mutes', {
        body: {
          until: instantOf(until, timeZone) ?? '',
          chargerId: charger,
          locationId: location,
          ...(kind === all ? {} : { kind }),
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          ...(networkUuid === undefined || charger !== undefined || location !== undefined
            ? {}
            : { networkId: networkUuid }),
        },
      }),
    invalidates: ['alert-mutes'],
    done: () => t('mutes.done'),
    onDone: onClose,
  });
  const isEmpty = charger === undefined && location === undefined && kind === all;
  return (
    <FormDialog
      title={t('mutes.title')}
      action={t('mutes.action')}
      saving={muting}
      isReady={!isEmpty}
      onSubmit={() => muting.mutate()}
      onClose={onClose}
    >
      <p className={form['hint']}>{t('mutes.hint')}</p>
      <ChargerChoice
        label={t('columns.charger')}
        placeholder={t('mutes.all')}
        value={charger}
        onChange={setCharger}
      />
      {mayReadLocations && (
        <LocationChoice
          label={t('columns.location')}
          placeholder={t('mutes.all')}
          value={location}
          onChange={setLocation}
        />
      )}
      <Select
        label={t('columns.kind')}
        options={[
          { id: all, text: t('mutes.all') },
          ...alertKinds.map((id) => ({ id, text: t(`kind.${id}`) })),
        ]}
        value={kind}
        onChange={setKind}
      />
      <TextField
        label={t('columns.until')}
        type="datetime-local"
        isRequired
        value={until}
        onChange={setUntil}
      />
      <TextField label={t('columns.reason')} maxLength={500} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
