import { useChange } from '../../app/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { fieldErrors, type ErrorOf } from '../../ui/field-errors.tsx';
import { changeLocation } from './location-queries.ts';
import {
  type ParkingPlace,
  type PlaceDraft,
  placeDraftOf,
  placeOf,
  features,
  measures,
  directionChoices,
  rules,
} from './parking-draft.ts';
import { bound } from '../../ui/bound.ts';
import { vehicleTypes } from '#shared/domain/fleet/parking.ts';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ImageFields } from './image-fields.tsx';

interface Props {
  location: Schemas['Location'];
  /** Index of the place in the location. Null: a new place. */
  index: number | null;
  onClose: () => void;
}

/** Adds, changes or removes a parking place of a location. */
export function ParkingDialog({ location: current, index, onClose }: Props) {
  const { t } = useTranslation(['parking', 'common']);
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [location] = useState(current);
  const places = location.parkingPlaces;
  const place = index === null ? null : (places[index] ?? null);
  const at = index ?? places.length;
  const [draft, setDraft] = useState(() => placeDraftOf(place));
  const saving = useChange({
    mutationFn: (parkingPlaces: ParkingPlace[]) => changeLocation(location, { parkingPlaces }),
    invalidates: ['locations'],
    done: (saved) => t('saved', { name: saved.name }),
    onDone: onClose,
  });
  const submit = () => {
    const changed = placeOf(draft, place);
    saving.mutate(place === null ? [...places, changed] : places.with(at, changed));
  };
  return (
    <FormDialog
      title={place === null ? t('addTitle') : t('editTitle', { id: place.id })}
      shape="wide"
      noValidate
      saving={saving}
      isReady={draft.id.trim() !== ''}
      buttons={
        place !== null && (
          <Button
            isDangerous
            isDisabled={saving.isPending}
            onPress={() => saving.mutate(places.filter((_, position) => position !== at))}
          >
            {t('remove')}
          </Button>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <ParkingFields
        draft={draft}
        field={`parkingPlaces.${at}`}
        errorOf={fieldErrors(saving.error)}
        onChange={(part: Partial<PlaceDraft>) => setDraft((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  );
}

interface ParkingFieldsProps {
  draft: PlaceDraft;
  /** Field of the request that holds the place. */
  field: string;
  errorOf: ErrorOf;
  onChange: (part: Partial<PlaceDraft>) => void;
}

/** Fields of a parking place. */
function ParkingFields({ draft, field, errorOf, onChange }: ParkingFieldsProps) {
  const { t } = useTranslation('parking');
  return (
    <>
      <div className={form['pair']}>
        <TextField
          label={t('id')}
          description={t('idHint')}
          {...bound(draft, onChange, 'id')}
          isRequired
          maxLength={36}
          {...errorOf(`${field}.id`)}
        />
        <TextField
          label={t('reference')}
          {...bound(draft, onChange, 'physicalReference')}
          maxLength={12}
          {...errorOf(`${field}.physicalReference`)}
        />
        <Select
          label={t('direction.label')}
          options={directionChoices.map((id) => ({ id, text: t(`direction.${id}`) }))}
          {...bound(draft, onChange, 'direction')}
        />
      </div>
      <CheckboxGroup
        label={t('vehicle.label')}
        options={vehicleTypes.map((id) => ({ id, text: t(`vehicle.${id}`) }))}
        {...bound(draft, onChange, 'vehicleTypes')}
        errorMessage={errorOf(`${field}.vehicleTypes`).errorMessage}
      />
      <CheckboxGroup
        label={t('rule.label')}
        options={rules.map((id) => ({ id, text: t(`rule.${id}`) }))}
        {...bound(draft, onChange, 'rules')}
      />
      <CheckboxGroup
        label={t('feature.label')}
        options={features.map((id) => ({ id, text: t(`feature.${id}`) }))}
        {...bound(draft, onChange, 'features')}
      />
      <div className={form['pair']}>
        {measures.map((measure) => (
          <TextField
            key={measure}
            label={t(`measure.${measure}`)}
            inputMode="decimal"
            value={draft[measure]}
            onChange={(text) => onChange({ [measure]: text })}
            {...errorOf(`${field}.${measure}`)}
          />
        ))}
      </div>
      <div className={form['pair']}>
        <TextField
          label={t('standards')}
          description={t('standardsHint')}
          {...bound(draft, onChange, 'standards')}
          {...errorOf(`${field}.standards`)}
        />
        <TextField
          label={t('apds')}
          {...bound(draft, onChange, 'apdsReference')}
          maxLength={255}
          {...errorOf(`${field}.apdsReference`)}
        />
      </div>
      <ImageFields
        field={`${field}.images`}
        images={draft.images}
        errorOf={errorOf}
        onChange={(images) => onChange({ images })}
      />
    </>
  );
}
