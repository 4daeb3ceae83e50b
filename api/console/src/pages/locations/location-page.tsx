import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useObjectZone } from '../../app/page-zone.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Printer } from '../../ui/icons/icons.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime, useNow } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { ChargersAt } from './chargers-at.tsx';
import { useCountries } from './countries.ts';
import { DetailsCard } from './details-card.tsx';
import { Energy } from './energy.tsx';
import { LocationDialog } from './location-dialog.tsx';
import { changeLocation, locationQuery } from './location-queries.ts';
import { ParkingCard } from './parking-card.tsx';
import styles from './locations.module.css';
import { useFormats } from '../../texts/formats.ts';
import { weekdayName } from './opening-fields.tsx';

const LocationMap = lazy(async () => ({ default: (await import('./location-map.tsx')).LocationMap }));

/** One location: its address, position, opening times, energy mix, details for drivers, parking places and chargers. */
export function LocationPage() {
  const { t } = useTranslation(['locations', 'common']);
  const { uuid } = useParams({ from: '/signed-in/fleet/locations/$uuid' });
  const { data: location } = useSuspenseQuery(locationQuery(uuid));
  useObjectZone(location.timeZone);
  const countries = useCountries();
  const mayReadChargers = useCan('cpms:read:chargers');
  const { address, postalCode, city, state, country, coordinates, timeZone, updatedAt } = location;
  const facts: [string, ReactNode][] = [
    [
      t('address'),
      [
        address,
        [postalCode, city].filter((part) => part !== null).join(' '),
        ...(state === null ? [] : [state]),
        nameIn(countries, country),
      ].join(', '),
    ],
    [t('position'), `${coordinates.latitude}, ${coordinates.longitude}`],
    [t('zone'), timeZone],
    [t('opening.label'), <Opening key="opening" location={location} />],
    [t('energy.label'), <Energy key="energy" mix={location.energyMix} />],
    [t('whenClosed'), t(location.chargingWhenClosed ? 'common:yes' : 'common:no')],
    [t('updated'), <RelativeTime key="updated" value={updatedAt} />],
  ];
  return (
    <div className={styles['page']}>
      <div>
        <Link to="/fleet/locations" className={styles['back']}>
          {t('back')}
        </Link>
        <header className={styles['header']}>
          <div>
            <h1>{location.name}</h1>
            <p>{t(location.isPublished ? 'published' : 'hidden')}</p>
          </div>
          <div className={styles['tools']}>
            <Link to="/fleet/labels" search={{ location: location.id }} className={buttonClass('quiet')}>
              <Printer aria-hidden size={15} />
              {t('common:action.labels')}
            </Link>
            <Actions location={location} />
          </div>
        </header>
      </div>
      <div className={styles['columns']}>
        <Card>
          <Facts facts={facts} />
        </Card>
        <Card title={t('map')} hasPadding={false}>
          <div className={`${styles['map']} ${styles['inCard']}`}>
            <Suspense fallback={<Skeleton height="100%" />}>
              <LocationMap key={uuid} position={coordinates} />
            </Suspense>
          </div>
        </Card>
      </div>
      <DetailsCard location={location} />
      <ParkingCard location={location} />
      {mayReadChargers && <ChargersAt location={location} />}
    </div>
  );
}

const nameIn = (countries: { id: string; text: string }[], code: string) =>
  countries.find(({ id }) => id === code)?.text ?? code;

const onError = (error: Error) => notify('failed', error.message);

/** Publishing, changing and deleting, for callers with the right. */
function Actions({ location }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('locations');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:locations');
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const { id, name, isPublished } = location;
  const publishing = useMutation({
    mutationFn: () => changeLocation(location, { isPublished: !isPublished }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['locations'] });
      notify('done', t(isPublished ? 'hiddenDone' : 'publishedDone', { name }));
    },
    onError,
  });
  const removing = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/locations/{uuid}', { params: { path: { uuid: id } } }),
    onSuccess: async () => {
      notify('done', t('remove.done', { name }));
      await navigate({ to: '/fleet/locations' });
      queries.removeQueries({ queryKey: ['locations', 'one', id] });
      await queries.invalidateQueries({ queryKey: ['locations'] });
    },
    onError,
  });
  if (!mayWrite) return null;
  return (
    <div className={styles['tools']}>
      <Button isDisabled={publishing.isPending} onPress={() => publishing.mutate()}>
        {t(isPublished ? 'unpublish' : 'publish')}
      </Button>
      <Button onPress={() => setOpen('edit')}>{t('edit')}</Button>
      <Button isDangerous onPress={() => setOpen('remove')}>
        {t('remove.open')}
      </Button>
      {open === 'edit' && <LocationDialog location={location} onClose={() => setOpen(null)} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { name })}
          action={t('remove.action')}
          onConfirm={() => removing.mutate()}
          onClose={() => setOpen(null)}
        >
          <p>{t('remove.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Opening times in words, with the exceptions that have not ended. */
function Opening({ location: { openingTimes } }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('locations');
  const formats = useFormats();
  const now = useNow();
  if (openingTimes === null) return t('opening.unknown');
  const {
    twentyFourSeven,
    regularHours = [],
    exceptionalOpenings = [],
    exceptionalClosings = [],
  } = openingTimes;
  const exceptions = [
    ...exceptionalOpenings.map((period) => ({ ...period, text: 'exception.open' as const })),
    ...exceptionalClosings.map((period) => ({ ...period, text: 'exception.closed' as const })),
  ].filter(({ periodEnd }) => Date.parse(periodEnd) > now);
  return (
    <ul>
      {twentyFourSeven && <li>{t('opening.always')}</li>}
      {regularHours.map(({ weekday, periodBegin, periodEnd }) => (
        <li key={`${weekday}-${periodBegin}`}>
          {weekdayName(weekday, formats.locale)} {periodBegin}–{periodEnd}
        </li>
      ))}
      {exceptions
        .toSorted((a, b) => Date.parse(a.periodBegin) - Date.parse(b.periodBegin))
        .map(({ periodBegin, periodEnd, text }) => (
          <li key={`${text} ${periodBegin} ${periodEnd}`}>
            {t(text, {
              begin: formats.shortDateTime(periodBegin),
              end: formats.shortDateTime(periodEnd),
            })}
          </li>
        ))}
    </ul>
  );
}
