import { bound } from '../../ui/bound.ts';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ComboBox } from '../../ui/combo-box.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCountries } from './countries.ts';
import { type LocationDraft, positionOf } from './location-draft.ts';
import styles from './locations.module.css';

const LocationMap = lazy(async () => ({ default: (await import('./location-map.tsx')).LocationMap }));

export interface FieldsProps {
  draft: LocationDraft;
  onChange: (part: Partial<LocationDraft>) => void;
}

/** Name, address and position of a location. A press on the map sets the position. */
export function LocationFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation('locations');
  const countries = useCountries();
  const isTyped = draft.latitude.trim() !== '' && draft.longitude.trim() !== '';
  const isWrong = isTyped && positionOf(draft) === null;
  return (
    <>
      <div className={form['pair']}>
        <TextField label={t('field.name')} {...bound(draft, onChange, 'name')} isRequired maxLength={255} />
        <TextField
          label={t('field.address')}
          {...bound(draft, onChange, 'address')}
          isRequired
          maxLength={255}
        />
      </div>
      <div className={form['pair']}>
        <TextField label={t('field.postalCode')} {...bound(draft, onChange, 'postalCode')} maxLength={10} />
        <TextField label={t('field.city')} {...bound(draft, onChange, 'city')} isRequired maxLength={45} />
        <TextField label={t('field.state')} {...bound(draft, onChange, 'state')} maxLength={20} />
        <ComboBox label={t('field.country')} options={countries} {...bound(draft, onChange, 'country')} />
      </div>
      <div className={form['pair']}>
        <TextField
          label={t('field.latitude')}
          {...bound(draft, onChange, 'latitude')}
          inputMode="decimal"
          isRequired
          isInvalid={isWrong}
          errorMessage={t('field.positionError')}
        />
        <TextField
          label={t('field.longitude')}
          {...bound(draft, onChange, 'longitude')}
          inputMode="decimal"
          isRequired
          isInvalid={isWrong}
        />
      </div>
      <p className={form['hint']}>{t('field.mapHint')}</p>
      <div className={styles['map']}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <LocationMap
            position={positionOf(draft)}
            onPick={({ latitude, longitude }) =>
              onChange({ latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) })
            }
          />
        </Suspense>
      </div>
    </>
  );
}
