import { bound } from '../../ui/bound.ts';
import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { TextField, FilterSelect } from '../../ui/field.tsx';
import { ChargerChoice } from '../../ui/fleet-choice.tsx';
import type { ReservationsSearch } from './reservations-search.ts';
import styles from './reservations.module.css';

/** Filters of the reservations; the address holds them. */
export function ReservationFilters({
  search,
  onChange,
}: {
  search: ReservationsSearch;
  onChange: (changed: { [Name in keyof ReservationsSearch]?: string | undefined }) => void;
}) {
  const { t } = useTranslation('reservations');
  const mayReadChargers = useCan('cpms:read:chargers');
  const [token, setToken] = useState(search.token ?? '');
  return (
    <search className={styles['filters']} aria-label={t('page.filters')}>
      <FilterSelect
        label={t('columns.status')}
        any={t('anyStatus')}
        options={reservationStatuses.map((id) => ({ id, text: t(`status.${id}`) }))}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      {mayReadChargers && (
        <ChargerChoice
          label={t('columns.charger')}
          placeholder={t('page.anyCharger')}
          {...bound(search, onChange, 'charger')}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ token: token.trim() === '' ? undefined : token.trim() });
        }}
      >
        <TextField
          label={t('columns.token')}
          type="search"
          placeholder={t('page.tokenHint')}
          maxLength={36}
          value={token}
          onChange={(text) => {
            setToken(text);
            if (text === '') onChange({ token: undefined });
          }}
        />
      </form>
    </search>
  );
}
