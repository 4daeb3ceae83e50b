import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { priceQuery, type Session } from '../session-queries.ts';
import { PriceState } from '../session-state.tsx';
import { QueryPending } from '../../../ui/notice.tsx';
import { PriceTable } from './price-table.tsx';
import styles from './price.module.css';

/** Price of a session, component by component, so that the total can be calculated again by hand. */
export function Price({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const { data, error, refetch } = useQuery(priceQuery(session));
  return (
    <Card title={t('price.title')} actions={<PriceState session={session} />}>
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={220} />
      ) : (
        <Explained price={data} session={session} />
      )}
    </Card>
  );
}

function Explained({ price, session }: { price: Schemas['SessionPrice']; session: Session }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { tariff, components, unavailable, totals } = price;
  const canOpen = useCan('cpms:read:tariffs');
  return (
    <>
      {tariff !== null && (
        <p className={styles['tariff']}>
          {t('price.tariff')}{' '}
          <strong>
            {canOpen ? (
              <Link to="/money/tariffs/$uuid" params={{ uuid: tariff.id }}>
                {tariff.name}
              </Link>
            ) : (
              tariff.name
            )}
          </strong>
          {tariff.version !== null && `, ${t('price.version', { version: tariff.version })}`}
          {tariff.timeZone !== formats.timeZone && ` · ${t('price.zone', { zone: tariff.timeZone })}`}
        </p>
      )}
      {session.endedAt === null && totals !== null && (
        <p className={styles['note']}>{t('price.soFar', { time: formats.time(price.until) })}</p>
      )}
      {unavailable !== null && (
        <p className={styles['note']}>{t('price.none', { reason: t(`noCost.${unavailable}`) })}</p>
      )}
      {components.length > 0 && <PriceTable price={price} />}
      {!price.isTraced && components.length > 0 && <p className={styles['note']}>{t('price.untraced')}</p>}
      {price.notes.map((note) => (
        <p key={note} className={styles['note']}>
          {t(`price.note.${note}`)}
        </p>
      ))}
    </>
  );
}
