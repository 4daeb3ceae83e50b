import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Select } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import page from '../../ui/list-page.module.css';
import { DriverChoice } from '../../ui/driver-choice.tsx';

/** Id of the option that does not filter. */
const any = 'any';

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
  const chosen = (id: string) => (id === any ? undefined : id);
  return (
    <search className={page['search']} aria-label={t('people:filters')}>
      <SearchField
        label={t('people:search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t('field.type')}
        options={[
          { id: any, text: t('people:any') },
          ...idTokenTypes.map((id) => ({ id, text: t(`type.${id}`) })),
        ]}
        value={search.type ?? any}
        onChange={(id) => onChange({ type: chosen(id) })}
      />
      <Select
        label={t('field.state')}
        options={[
          { id: any, text: t('people:any') },
          { id: 'true', text: t('validity.valid') },
          { id: 'false', text: t('validity.invalid') },
        ]}
        value={search.valid ?? any}
        onChange={(id) => onChange({ valid: chosen(id) })}
      />
      {readsDrivers && (
        <DriverChoice
          label={t('field.driver')}
          placeholder={t('people:any')}
          value={search.driver}
          onChange={(driver) => onChange({ driver })}
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
