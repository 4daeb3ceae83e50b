import { bound } from '../../ui/bound.ts';
import { vehicleTypes } from '#shared/domain/fleet/parking.ts';
import { useTranslation } from 'react-i18next';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import type { ErrorOf } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ImageFields } from './image-fields.tsx';
import { features, measures, directionChoices, type PlaceDraft, rules } from './parking-draft.ts';

interface Props {
  draft: PlaceDraft;
  /** Field of the request that holds the place. */
  field: string;
  errorOf: ErrorOf;
  onChange: (part: Partial<PlaceDraft>) => void;
}

/** Fields of a parking place. */
export function ParkingFields({ draft, field, errorOf, onChange }: Props) {
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
