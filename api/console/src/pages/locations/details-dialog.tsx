import { useChange } from '../../app/use-change.ts';
import { bound } from '../../ui/bound.ts';
import { FormDialog } from '../../ui/form.tsx';
import { facilities } from '#shared/domain/fleet/location.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import { type ErrorOf, fieldErrors } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import {
  type BusinessDraft,
  companies,
  type Company,
  type DetailsDraft,
  detailsChange,
  detailsDraftOf,
  parkingChoices,
} from './details-draft.ts';
import { DirectionFields } from './direction-fields.tsx';
import { ImageFields } from './image-fields.tsx';
import { changeLocation } from './location-queries.ts';

interface Props {
  location: Schemas['Location'];
  onClose: () => void;
}

/** Changes the details of a location for drivers. */
export function DetailsDialog({ location: current, onClose }: Props) {
  const { t } = useTranslation(['locationDetails', 'locations', 'common']);
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [location] = useState(current);
  const [before] = useState(() => detailsDraftOf(location));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<DetailsDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = detailsChange(before, draft);
  const saving = useChange({
    mutationFn: () => changeLocation(location, changes),
    invalidates: ['locations'],
    done: (saved) => t('locations:saved', { name: saved.name }),
    onDone: onClose,
  });
  const errorOf = fieldErrors(saving.error);
  return (
    <FormDialog
      title={t('editTitle', { name: location.name })}
      shape="wide"
      noValidate
      saving={saving}
      isReady={Object.keys(changes).length > 0}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <DirectionFields
        directions={draft.directions}
        errorOf={errorOf}
        onChange={(directions) => change({ directions })}
      />
      <Select
        label={t('parkingType.label')}
        options={parkingChoices.map((id) => ({ id, text: t(`parkingType.${id}`) }))}
        {...bound(draft, change, 'parkingType')}
      />
      <CheckboxGroup
        label={t('facility.label')}
        options={facilities.map((id) => ({ id, text: t(`facility.${id}`) }))}
        {...bound(draft, change, 'facilities')}
      />
      {companies.map((company) => (
        <CompanyFields
          key={company}
          company={company}
          draft={draft[company]}
          errorOf={errorOf}
          onChange={(part) => change({ [company]: { ...draft[company], ...part } })}
        />
      ))}
      <ImageFields
        field="images"
        images={draft.images}
        errorOf={errorOf}
        onChange={(images) => change({ images })}
      />
    </FormDialog>
  );
}

/** Name, website and logo of a company of the location. */
function CompanyFields({
  company,
  draft: { name, website, logo },
  errorOf,
  onChange,
}: {
  company: Company;
  draft: BusinessDraft;
  errorOf: ErrorOf;
  onChange: (part: Partial<BusinessDraft>) => void;
}) {
  const { t } = useTranslation('locationDetails');
  return (
    <div className={form['pair']}>
      <TextField
        label={t(`company.${company}`)}
        value={name}
        onChange={(next) => onChange({ name: next })}
        maxLength={100}
        {...errorOf(`${company}.name`)}
      />
      <TextField
        label={t('company.website', { company: t(`company.${company}`) })}
        type="url"
        placeholder="https://"
        value={website}
        onChange={(next) => onChange({ website: next })}
        maxLength={255}
        {...errorOf(`${company}.website`)}
      />
      <TextField
        label={t('company.logo', { company: t(`company.${company}`) })}
        type="url"
        placeholder="https://"
        value={logo}
        onChange={(next) => onChange({ logo: next })}
        maxLength={255}
        {...errorOf(`${company}.logo`)}
      />
    </div>
  );
}
