import { bound } from '../../ui/bound.ts';
import { type SessionStatus, sessionStatuses } from '#shared/domain/charging/session.ts';
import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Select, FilterSelect } from '../../ui/field.tsx';
import { ChargerChoice, LocationChoice } from '../../ui/fleet-choice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { flagText, knownFlags } from '../session/session-words.ts';
import {
  isFiltered,
  isOfFigure,
  priceStates,
  type SessionsSearch,
  withoutFilters,
} from './sessions-search.ts';
import styles from './session-filters.module.css';

/** Id of the option that does not filter. */
const any = 'any';

interface Props {
  search: SessionsSearch;
  onChange: (changed: SessionsSearch) => void;
}

/** Filters of the list; the address holds them. */
export function SessionFilters({ search, onChange }: Props) {
  const { t } = useTranslation(['sessions', 'session', 'common']);
  const { t: words } = useTranslation(['session', 'common']);
  const mayReadChargers = useCan('cpms:read:chargers');
  const mayReadLocations = useCan('cpms:read:locations');
  const chosen = (id: string) => (id === any ? undefined : id);
  const options = (values: readonly string[], text: (value: string) => string) => [
    { id: any, text: t('any') },
    ...values.map((id) => ({ id, text: text(id) })),
  ];
  return (
    <search className={styles['filters']} aria-label={t('filters')}>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t('status')}
        options={options(sessionStatuses, (id) => t(`session:status.${id as SessionStatus}`))}
        value={search.status ?? any}
        onChange={(id) => onChange({ status: chosen(id) })}
      />
      <Select
        label={t('priceState')}
        options={options(priceStates, (id) => t(`session:priceState.${id as (typeof priceStates)[number]}`))}
        value={search.priceState ?? any}
        onChange={(id) => onChange({ priceState: chosen(id) })}
      />
      {mayReadChargers && (
        <ChargerChoice
          label={t('charger')}
          placeholder={t('any')}
          {...bound(search, onChange, 'chargerId')}
        />
      )}
      {mayReadLocations && (
        <LocationChoice
          label={t('location')}
          placeholder={t('any')}
          {...bound(search, onChange, 'locationId')}
        />
      )}
      <Select
        label={t('flag')}
        options={options(knownFlags, (id) => flagText(words, id))}
        value={search.flag ?? any}
        onChange={(id) => onChange({ flag: chosen(id) })}
      />
      <DateField label={t('from')} value={search.from ?? ''} onChange={(from) => onChange({ from })} />
      <DateField label={t('to')} value={search.to ?? ''} onChange={(to) => onChange({ to })} />
      <FilterSelect
        label={t('tariff')}
        any={t('any')}
        options={[
          { id: 'with', text: t('withTariff') },
          { id: 'without', text: t('withoutTariff') },
        ]}
        value={search.tariff}
        onChange={(tariff) => onChange({ tariff })}
      />
      {isOfFigure(search) && <OfFigure search={search} />}
      {isFiltered(search) && (
        <Button kind="quiet" onPress={() => onChange(withoutFilters)}>
          <X aria-hidden size={15} />
          {t('clear')}
        </Button>
      )}
    </search>
  );
}

/** Names the filter of a figure, which has no fields of its own. */
function OfFigure({ search }: Pick<Props, 'search'>) {
  const { t } = useTranslation('sessions');
  const formats = useFormats();
  const { duringFrom, duringTo, counted, endedFrom, endedTo, endedWeekday, endedHour } = search;
  const window = (from?: string, to?: string) => ({
    from: formats.shortDateTime(from),
    to: formats.shortDateTime(to),
  });
  const parts = [
    search.running === 'true' && t('running'),
    duringFrom !== undefined && t('during', window(duringFrom, duringTo)),
    (counted !== undefined || endedFrom !== undefined) &&
      t(counted === 'true' ? 'counted' : 'ended', window(endedFrom, endedTo)),
    search.inReview === 'false' && t('withoutReview'),
    endedWeekday !== undefined && formats.weekday(Number(endedWeekday)),
    endedHour !== undefined && `${endedHour.padStart(2, '0')}:00–${endedHour.padStart(2, '0')}:59`,
  ].filter((part) => part !== false);
  return <p className={styles['ended']}>{parts.join(' · ')}</p>;
}
