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
          value={draft.id}
          onChange={(id) => onChange({ id })}
          isRequired
          maxLength={36}
          {...errorOf(`${field}.id`)}
        />
        <TextField
          label={t('reference')}
          value={draft.physicalReference}
          onChange={(physicalReference) => onChange({ physicalReference })}
          maxLength={12}
          {...errorOf(`${field}.physicalReference`)}
        />
        <Select
          label={t('direction.label')}
          options={directionChoices.map((id) => ({ id, text: t(`direction.${id}`) }))}
          value={draft.direction}
          onChange={(direction) => onChange({ direction })}
        />
      </div>
      <CheckboxGroup
        label={t('vehicle.label')}
        options={vehicleTypes.map((id) => ({ id, text: t(`vehicle.${id}`) }))}
        value={draft.vehicleTypes}
        errorMessage={errorOf(`${field}.vehicleTypes`).errorMessage}
        onChange={(chosen) => onChange({ vehicleTypes: chosen })}
      />
      <CheckboxGroup
        label={t('rule.label')}
        options={rules.map((id) => ({ id, text: t(`rule.${id}`) }))}
        value={draft.rules}
        onChange={(chosen) => onChange({ rules: chosen })}
      />
      <CheckboxGroup
        label={t('feature.label')}
        options={features.map((id) => ({ id, text: t(`feature.${id}`) }))}
        value={draft.features}
        onChange={(chosen) => onChange({ features: chosen })}
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
          value={draft.standards}
          onChange={(standards) => onChange({ standards })}
          {...errorOf(`${field}.standards`)}
        />
        <TextField
          label={t('apds')}
          value={draft.apdsReference}
          onChange={(apdsReference) => onChange({ apdsReference })}
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
