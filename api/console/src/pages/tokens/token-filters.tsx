import { bound } from '../../ui/bound.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import page from '../../ui/list-page.module.css';
import { DriverChoice } from '../../ui/driver-choice.tsx';

export interface TokenSearch {
  search?: string | undefined;
  type?: string | undefined;
  valid?: string | undefined;
  driver?: string | undefined;
  group?: string | undefined;
}

/** Filters of the list of tokens; the address holds them. */
export function TokenFilters({
  search,
  onChange,
}: {
  search: TokenSearch;
  onChange: (changed: TokenSearch) => void;
}) {
  const { t } = useTranslation(['tokens', 'people']);
  const readsDrivers = useCan('cpms:read:users');
  return (
    <search className={page['search']} aria-label={t('people:filters')}>
      <SearchField
        label={t('people:search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <FilterSelect
        label={t('field.type')}
        any={t('people:any')}
        options={idTokenTypes.map((id) => ({ id, text: t(`type.${id}`) }))}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <FilterSelect
        label={t('field.state')}
        any={t('people:any')}
        options={[
          { id: 'true', text: t('validity.valid') },
          { id: 'false', text: t('validity.invalid') },
        ]}
        value={search.valid}
        onChange={(valid) => onChange({ valid })}
      />
      {readsDrivers && (
        <DriverChoice
          label={t('field.driver')}
          placeholder={t('people:any')}
          {...bound(search, onChange, 'driver')}
        />
      )}
      <SearchField
        label={t('field.group')}
        placeholder={t('people:any')}
        value={search.group ?? ''}
        onChange={(group) => onChange({ group })}
      />
    </search>
  );
}
