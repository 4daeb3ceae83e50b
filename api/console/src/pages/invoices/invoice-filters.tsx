import { bound } from '../../ui/bound.ts';
import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { DriverChoice } from '../../ui/driver-choice.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type InvoicesSearch, isFiltered, kinds, paymentStates, withoutFilters } from './invoices-search.ts';
import styles from './invoices-page.module.css';

interface Props {
  search: InvoicesSearch;
  onChange: (changed: InvoicesSearch) => void;
}

/** Filters of the list; the address holds them. */
export function InvoiceFilters({ search, onChange }: Props) {
  const { t } = useTranslation('invoices');
  const readsDrivers = useCan('cpms:read:users');
  return (
    <search className={styles['filters']} aria-label={t('filters')}>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <FilterSelect
        label={t('stateLabel')}
        any={t('any')}
        options={paymentStates.map((id) => ({ id, text: t(`state.${id}`) }))}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label={t('kindLabel')}
        any={t('any')}
        options={kinds.map((id) => ({ id, text: t(`kind.${id}`) }))}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {readsDrivers && (
        <DriverChoice label={t('driver')} placeholder={t('any')} {...bound(search, onChange, 'userId')} />
      )}
      <DateField label={t('from')} value={search.from ?? ''} onChange={(from) => onChange({ from })} />
      <DateField label={t('to')} value={search.to ?? ''} onChange={(to) => onChange({ to })} />
      {isFiltered(search) && (
        <Button kind="quiet" onPress={() => onChange(withoutFilters)}>
          <X aria-hidden size={15} />
          {t('clear')}
        </Button>
      )}
    </search>
  );
}
