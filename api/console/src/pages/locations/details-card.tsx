import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { companies } from './details-draft.ts';
import styles from './locations.module.css';

const DetailsDialog = lazy(async () => ({ default: (await import('./details-dialog.tsx')).DetailsDialog }));

type Location = Schemas['Location'];

/** Details of a location that drivers and roaming partners see: directions, parking, facilities, companies, images. */
export function DetailsCard({ location }: { location: Location }) {
  const { t } = useTranslation('locationDetails');
  const mayWrite = useCan('cpms:write:locations');
  const [isOpen, setOpen] = useState(false);
  const facts: [string, ReactNode][] = [
    [t('parkingType.label'), t(`parkingType.${location.parkingType ?? 'UNSTATED'}`)],
    [
      t('facility.label'),
      location.facilities.map((facility) => t(`facility.${facility}`)).join(', ') || absent,
    ],
    ...companies.map((company): [string, ReactNode] => [
      t(`company.${company}`),
      <Business key={company} business={location[company]} />,
    ]),
    [t('image.label'), <Images key="images" images={location.images} />],
  ];
  return (
    <Card
      title={t('title')}
      actions={
        mayWrite && (
          <Button aria-label={t('editTitle', { name: location.name })} onPress={() => setOpen(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      <div className={styles['stack']}>
        <Directions directions={location.directions} />
        <Facts facts={facts} />
      </div>
      {isOpen && (
        <Suspense>
          <DetailsDialog location={location} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  );
}

/** Directions by language, at the width of the card, if the location has any. */
function Directions({ directions }: Pick<Location, 'directions'>) {
  const { t } = useTranslation('locationDetails');
  const { locale } = useFormats();
  if (directions.length === 0) return null;
  const languages = new Intl.DisplayNames(locale, { type: 'language' });
  return (
    <dl className={styles['directions']}>
      {directions.map(({ language, text }) => (
        <div key={`${language} ${text}`}>
          <dt>{t('directions.in', { language: languages.of(language) ?? language })}</dt>
          <dd lang={language}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Business({ business }: { business: Location['operator'] }) {
  if (business === null) return absent;
  const { name, website } = business;
  if (website === undefined) return name;
  return (
    <a href={website} rel="noreferrer" target="_blank">
      {name}
    </a>
  );
}

/** Links to the images. The console loads nothing from other origins. */
function Images({ images }: Pick<Location, 'images'>) {
  const { t } = useTranslation('locationDetails');
  if (images.length === 0) return absent;
  return (
    <ul>
      {images.map(({ url, category, width, height }) => (
        <li key={url}>
          <a href={url} rel="noreferrer" target="_blank">
            {t(`image.categoryOf.${category}`)}
          </a>
          {width !== undefined && height !== undefined && ` ${width} × ${height}`}
        </li>
      ))}
    </ul>
  );
}
