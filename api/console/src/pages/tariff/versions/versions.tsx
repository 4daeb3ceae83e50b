import { useTranslation } from 'react-i18next';
import { QueryPending } from '../../../ui/notice.tsx';
import { bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ChangedValues } from '../../../ui/changed-values.tsx';
import { StaleNotice } from '../../../ui/stale-notice.tsx';
import { usePriceWriter } from '../prices/use-price-writer.ts';
import { type Tariff, tariffKey } from '../tariff-queries.ts';
import { tariffChanges, type Terms } from './tariff-changes.ts';
import styles from './versions.module.css';

const pageSize = 10;

/** Versions of a tariff, newest first, each with what it changed. */
export function Versions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const list = useCursorList<Schemas['TariffVersion']>(
    // The present version is part of the key: a change makes another list.
    [...tariffKey(tariff.id), 'versions', tariff.version],
    (cursor) =>
      bodies.GET('/cpms/v1/tariffs/{uuid}/versions', {
        params: { path: { uuid: tariff.id }, query: { pageSize, cursor } },
      }),
  );
  const versions: readonly VersionRow[] = [{ ...tariff, validUntil: null }, ...list.rows];
  return (
    <Card title={t('versions.title')}>
      <StaleNotice query={list} />
      {list.data === undefined ? (
        <QueryPending query={list} height={64} />
      ) : (
        <>
          <p className={styles['note']}>{t('versions.note')} </p>
          <ol className={styles['versions']}>
            {versions.map((version, index) => (
              <Version
                key={version.version}
                version={version}
                before={versions[index + 1]}
                createdAt={tariff.createdAt}
                currency={tariff.currency}
              />
            ))}
          </ol>
          {list.hasNextPage && (
            <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
              {t('versions.more')}
            </Button>
          )}
        </>
      )}
    </Card>
  );
}

type VersionRow = Terms & { version: number; validUntil: string | null };

function Version({
  version,
  before,
  createdAt,
  currency,
}: {
  version: VersionRow;
  before: VersionRow | undefined;
  createdAt: string;
  currency: string;
}) {
  const { t } = useTranslation(['tariffs', 'common']);
  const formats = useFormats();
  const writer = usePriceWriter(currency);
  const from = version.version === 1 ? createdAt : (before?.validUntil ?? null);
  const changes = before === undefined ? [] : tariffChanges(writer, before, version);
  return (
    <li>
      <p>
        <strong>{t('version', { version: version.version })}</strong>{' '}
        <span className={styles['note']}>
          {version.validUntil === null
            ? t('versions.since', { from: formats.dateTime(from) })
            : `${formats.dateTime(from)} – ${formats.dateTime(version.validUntil)}`}
        </span>
      </p>
      {version.version === 1 ? (
        <p className={styles['note']}>{t('versions.first')}</p>
      ) : changes.length > 0 ? (
        <ChangedValues values={changes} />
      ) : (
        before !== undefined && <p className={styles['note']}>{t('versions.same')}</p>
      )}
    </li>
  );
}
