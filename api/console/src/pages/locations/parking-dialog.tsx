import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { notify } from '../../ui/toast.tsx';
import { changeLocation } from './location-queries.ts';
import { type ParkingPlace, type PlaceDraft, placeDraftOf, placeOf } from './parking-draft.ts';
import { ParkingFields } from './parking-fields.tsx';

interface Props {
  location: Schemas['Location'];
  /** Index of the place in the location. Null: a new place. */
  index: number | null;
  onClose: () => void;
}

/** Adds, changes or removes a parking place of a location. */
export function ParkingDialog({ location: current, index, onClose }: Props) {
  const { t } = useTranslation(['parking', 'common']);
  const queries = useQueryClient();
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [location] = useState(current);
  const places = location.parkingPlaces;
  const place = index === null ? null : (places[index] ?? null);
  const at = index ?? places.length;
  const [draft, setDraft] = useState(() => placeDraftOf(place));
  const saving = useMutation({
    mutationFn: (parkingPlaces: ParkingPlace[]) => changeLocation(location, { parkingPlaces }),
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['locations'] });
      notify('done', t('saved', { name: saved.name }));
      onClose();
    },
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
            kind="danger"
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
