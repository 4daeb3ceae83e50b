import { bound } from '../../../ui/bound.ts';
import { useTranslation } from 'react-i18next';
import type { ErrorOf } from '../../../ui/field-errors.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { type EvseDraft, statedStatuses, unstated } from './evse-draft.ts';

/** Part of the form of an EVSE. */
export interface EvsePartProps {
  draft: EvseDraft;
  errorOf: ErrorOf;
  onChange: (part: Partial<EvseDraft>) => void;
}

/** Status, identifier, texts and position of an EVSE. */
export function EvseFields({ draft, errorOf, onChange }: EvsePartProps) {
  const { t } = useTranslation('evseForm');
  // A partner with write access sets statuses that an operator cannot choose.
  const statuses = [...new Set([...statedStatuses, draft.statedStatus])];
  return (
    <>
      <div className={form['pair']}>
        <Select
          label={t('evse.statedStatus')}
          description={t('evse.statedStatusHint')}
          options={statuses.map((id) => ({
            id,
            text: id === unstated ? t('evse.reported') : t(`status.${id}`),
          }))}
          {...bound(draft, onChange, 'statedStatus')}
          errorMessage={errorOf('statedStatus').errorMessage}
        />
        <TextField
          label={t('evse.id')}
          description={t('evse.idHint')}
          {...bound(draft, onChange, 'evseId')}
          maxLength={48}
          {...errorOf('evseId')}
        />
      </div>
      <div className={form['pair']}>
        <TextField
          label={t('evse.reference')}
          description={t('evse.ofCharger')}
          {...bound(draft, onChange, 'physicalReference')}
          maxLength={16}
          {...errorOf('physicalReference')}
        />
        <TextField
          label={t('evse.floor')}
          description={t('evse.ofCharger')}
          {...bound(draft, onChange, 'floorLevel')}
          maxLength={4}
          {...errorOf('floorLevel')}
        />
      </div>
      <div className={form['pair']}>
        <TextField
          label={t('evse.latitude')}
          description={t('evse.ofLocation')}
          inputMode="decimal"
          {...bound(draft, onChange, 'latitude')}
          {...errorOf('coordinates.latitude')}
        />
        <TextField
          label={t('evse.longitude')}
          description={t('evse.ofLocation')}
          inputMode="decimal"
          {...bound(draft, onChange, 'longitude')}
          {...errorOf('coordinates.longitude')}
        />
      </div>
    </>
  );
}
