import { useTranslation } from 'react-i18next';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Select } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { RowList } from '../../../ui/row-list.tsx';
import type { ParkingPlace } from '../../locations/parking-draft.ts';
import { type ParkingDraft, positionChoices, unstated } from './evse-draft.ts';
import type { EvsePartProps } from './evse-fields.tsx';

const maxParking = 50;

/** Parking places of the location that can be used while charging at an EVSE. */
export function EvseParking({
  draft: { parking },
  places,
  errorOf,
  onChange,
}: EvsePartProps & { places: readonly ParkingPlace[] }) {
  const { t } = useTranslation('evseForm');
  const ids = [...new Set([...places.map(({ id }) => id), ...parking.map(({ parkingId }) => parkingId)])];
  const options = ids.filter((id) => id !== null).map((id) => ({ id, text: id }));
  const error = errorOf('parking').errorMessage;
  return (
    <>
      <RowList<ParkingDraft>
        label={t('evse.parking')}
        description={options.length === 0 ? t('evse.noPlaces') : undefined}
        rows={parking}
        max={options.length === 0 ? 0 : maxParking}
        add={t('evse.addParking')}
        remove={(index) => t('evse.removeParking', { number: index + 1 })}
        create={() => ({
          parkingId: ids.find((id) => parking.every(({ parkingId }) => parkingId !== id)) ?? null,
          evsePosition: unstated,
        })}
        onChange={(next) => onChange({ parking: next })}
      >
        {({ parkingId, evsePosition }, change) => (
          <>
            <ComboBox
              label={t('evse.place')}
              options={options}
              value={parkingId}
              onChange={(id) => change({ parkingId: id })}
            />
            <Select
              label={t('evse.position.label')}
              options={positionChoices.map((id) => ({ id, text: t(`evse.position.${id}`) }))}
              value={evsePosition}
              onChange={(position) => change({ evsePosition: position })}
            />
          </>
        )}
      </RowList>
      {error !== undefined && <p className={form['error']}>{error}</p>}
    </>
  );
}
