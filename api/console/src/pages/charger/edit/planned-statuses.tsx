import { evseStatuses } from '#shared/domain/fleet/ocpi-evse.ts';
import { useTranslation } from 'react-i18next';
import { Select, TextField } from '../../../ui/field.tsx';
import { RowList } from '../../../ui/row-list.tsx';
import type { PlannedDraft } from './evse-draft.ts';
import type { EvsePartProps } from './evse-fields.tsx';

const maxPeriods = 100;

/** Planned statuses of an EVSE, such as maintenance, in the time zone of its location. */
export function PlannedStatuses({
  draft: { planned },
  timeZone,
  errorOf,
  onChange,
}: EvsePartProps & { timeZone: string }) {
  const { t } = useTranslation(['evseForm', 'locations']);
  return (
    <RowList<PlannedDraft>
      label={t('planned.label')}
      description={planned.length > 0 ? t('locations:exception.zone', { zone: timeZone }) : undefined}
      rows={planned}
      max={maxPeriods}
      add={t('planned.add')}
      remove={(index) => t('planned.remove', { number: index + 1 })}
      create={() => ({ begin: '', end: '', status: 'INOPERATIVE', read: null })}
      onChange={(next) => onChange({ planned: next })}
    >
      {({ begin, end, status }, change, index) => (
        <>
          <Select
            label={t('planned.status')}
            options={evseStatuses.map((id) => ({ id, text: t(`status.${id}`) }))}
            value={status}
            onChange={(next) => change({ status: next })}
          />
          <TextField
            label={t('locations:exception.begin')}
            type="datetime-local"
            value={begin}
            onChange={(text) => change({ begin: text })}
            {...errorOf(`statusSchedule.${index}.periodBegin`)}
          />
          <TextField
            label={t('planned.end')}
            type="datetime-local"
            value={end}
            onChange={(text) => change({ end: text })}
            {...errorOf(`statusSchedule.${index}.periodEnd`)}
          />
        </>
      )}
    </RowList>
  );
}
