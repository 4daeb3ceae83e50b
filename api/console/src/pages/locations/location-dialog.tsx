import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { Select } from '../../ui/field.tsx';
import { EnergyFields } from './energy-fields.tsx';
import { draftOf, fieldsOf, type LocationDraft, positionOf } from './location-draft.ts';
import { LocationFields } from './location-fields.tsx';
import { changeLocation } from './location-queries.ts';
import { OpeningFields } from './opening-fields.tsx';

/** Time zones by name. Browsers leave out UTC. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((id) => id !== 'UTC')].map((id) => ({
  id,
  text: id,
}));

interface Props {
  /** Null: a new location. */
  location: Schemas['Location'] | null;
  onSaved?: (location: Schemas['Location']) => void;
  onClose: () => void;
}

/** Creates or changes a location. */
export function LocationDialog({ location: current, onSaved, onClose }: Props) {
  const { t } = useTranslation(['locations', 'common']);
  const networks = useNetworks();
  const { networkUuid } = useNetworkQuery();
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [location] = useState(current);
  const [networkId, setNetworkId] = useState(networkUuid ?? networks[0]?.id ?? null);
  const [draft, setDraft] = useState(() =>
    draftOf(
      location,
      networks.find(({ id }) => id === networkId),
    ),
  );
  const change = (part: Partial<LocationDraft>) => setDraft((before) => ({ ...before, ...part }));
  // The zone of a new location follows its position, before that its country, until it is chosen.
  const [isZoneChosen, setZoneChosen] = useState(location !== null);
  const { country } = draft;
  const { latitude, longitude } = positionOf(draft) ?? {};
  useEffect(() => {
    if (isZoneChosen) return;
    let isCurrent = true;
    const derive = async () => {
      const { locationZone } = await import('#shared/domain/fleet/location-zone.ts');
      const timeZone = locationZone({
        country: country ?? '',
        latitude: latitude ?? 0,
        longitude: longitude ?? 0,
      });
      if (isCurrent && timeZone !== null) setDraft((before) => ({ ...before, timeZone }));
    };
    void derive();
    return () => {
      isCurrent = false;
    };
  }, [isZoneChosen, country, latitude, longitude]);
  const fields = fieldsOf(draft);
  const saving = useChange({
    mutationFn: async (values: NonNullable<typeof fields>) => {
      if (location !== null) return changeLocation(location, values);
      const body = { ...values, ...(networkId !== null && { networkUuid: networkId }) };
      return api.POST('/cpms/v1/locations', { body });
    },
    invalidates: ['locations'],
    done: (saved) => t('saved', { name: saved.name }),
    onDone: (saved) => {
      onClose();
      onSaved?.(saved);
    },
  });
  const submit = () => {
    if (fields !== null) saving.mutate(fields);
  };
  return (
    <FormDialog
      title={location === null ? t('createTitle') : t('editTitle', { name: location.name })}
      shape="wide"
      saving={saving}
      isReady={fields !== null}
      onSubmit={submit}
      onClose={onClose}
    >
      {location === null && networks.length > 1 && (
        <Select
          label={t('common:network.label')}
          options={networks.map(({ id, name }) => ({ id, text: name }))}
          value={networkId}
          onChange={setNetworkId}
        />
      )}
      <LocationFields draft={draft} onChange={change} />
      <ComboBox
        label={t('field.zone')}
        options={zones}
        value={draft.timeZone}
        onChange={(timeZone) => {
          if (timeZone === null || timeZone === draft.timeZone) return;
          setZoneChosen(true);
          change({ timeZone });
        }}
      />
      <OpeningFields draft={draft} errorOf={fieldErrors(saving.error)} onChange={change} />
      <EnergyFields energy={draft.energy} onChange={(energy) => change({ energy })} />
      <Checkbox isSelected={draft.isPublished} onChange={(isPublished) => change({ isPublished })}>
        {t('field.isPublished')}
      </Checkbox>
    </FormDialog>
  );
}
