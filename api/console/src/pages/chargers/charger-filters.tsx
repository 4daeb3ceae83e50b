import { bound } from '../../ui/bound.ts';
import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/field.tsx';
import { LocationChoice } from '../../ui/fleet-choice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import {
  type ChargersSearch,
  isFiltered,
  onlineChoices,
  type SearchChange,
  withoutFilters,
} from './chargers-search.ts';
import page from '../../ui/list-page.module.css';

/** Id of the option that does not filter. */
const any = 'any';

interface Props {
  search: ChargersSearch;
  counts: Schemas['ChargerCounts'] | undefined;
  onChange: (changed: SearchChange) => void;
}

const values = (counted: { value: string | null }[] = []) =>
  counted.flatMap(({ value }) => (value === null ? [] : [{ id: value, text: value }]));

/** Filters of the list. Their options are those that the listed chargers have. */
export function ChargerFilters({ search, counts, onChange }: Props) {
  const { t } = useTranslation(['chargers', 'common']);
  const mayReadLocations = useCan('cpms:read:locations');
  const chosen = (id: string) => (id === any ? undefined : id);
  const withAny = (options: { id: string; text: string }[]) => [{ id: any, text: t('any') }, ...options];
  const models = (counts?.models ?? []).flatMap(({ modelUuid, modelName, manufacturerName }) =>
    modelUuid === null
      ? []
      : [{ id: modelUuid, text: [manufacturerName, modelName].filter((part) => part !== null).join(' ') }],
  );
  return (
    <search className={page['search']} aria-label={t('filters')}>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      {mayReadLocations && (
        <LocationChoice
          label={t('column.location')}
          placeholder={t('any')}
          {...bound(search, onChange, 'location')}
        />
      )}
      <Select
        label={t('column.model')}
        options={withAny(models)}
        value={search.model ?? any}
        onChange={(id) => onChange({ model: chosen(id) })}
      />
      <Select
        label={t('column.firmware')}
        options={withAny(values(counts?.firmwareVersions))}
        value={search.firmware ?? any}
        onChange={(id) => onChange({ firmware: chosen(id) })}
      />
      <Select
        label={t('column.version')}
        options={withAny(values(counts?.ocppVersions))}
        value={search.version ?? any}
        onChange={(id) => onChange({ version: chosen(id) })}
      />
      <Select
        label={t('connection')}
        options={withAny(onlineChoices.map((id) => ({ id, text: t(`online.${id}`) })))}
        value={search.online ?? any}
        onChange={(id) => onChange({ online: chosen(id) })}
      />
      <div className={page['checks']}>
        <Checkbox
          isSelected={search.alert !== undefined}
          onChange={(isSelected) => onChange({ alert: isSelected ? 'open' : undefined })}
        >
          {t('withAlert')}
        </Checkbox>
        <Checkbox
          isSelected={search.fault !== undefined}
          onChange={(isSelected) => onChange({ fault: isSelected ? 'reported' : undefined })}
        >
          {t('withFault')}
        </Checkbox>
        <Checkbox
          isSelected={search.update !== undefined}
          onChange={(isSelected) => onChange({ update: isSelected ? 'stuck' : undefined })}
        >
          {t('withStuckUpdate')}
        </Checkbox>
        {isFiltered(search) && (
          <Button kind="quiet" onPress={() => onChange(withoutFilters)}>
            <X aria-hidden size={15} />
            {t('common:action.clear')}
          </Button>
        )}
      </div>
    </search>
  );
}
