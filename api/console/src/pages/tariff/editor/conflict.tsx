import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ChangedValues } from '../../../ui/changed-values.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePriceWriter } from '../prices/use-price-writer.ts';
import { type Tariff, tariffKey } from '../tariff-queries.ts';
import { tariffChanges } from '../versions/tariff-changes.ts';
import styles from './editor.module.css';

interface Props {
  /** Version that the draft began with. */
  base: Tariff;
  /** Begins again with the saved version. */
  onTakeOver: (current: Tariff) => void;
  /** Saves the draft over the saved version. */
  onReplace: (current: Tariff) => void;
}

/** Shows the version that another user saved meanwhile, and both ways to resolve the conflict. */
export function Conflict({ base, onTakeOver, onReplace }: Props) {
  const { t } = useTranslation('tariffEditor');
  const writer = usePriceWriter(base.currency);
  const { data, error, refetch } = useQuery({
    queryKey: [...tariffKey(base.id), 'conflict', base.version],
    queryFn: () => dataOf(api.GET('/cpms/v1/tariffs/{uuid}', { params: { path: { uuid: base.id } } })),
    staleTime: 0,
  });
  return (
    <section role="alert" className={styles['conflict']} aria-label={t('conflict.title')}>
      <h2>{t('conflict.title')}</h2>
      {error !== null ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <>
          <p>{t('conflict.detail', { version: data.version, base: base.version })}</p>
          <ChangedValues values={tariffChanges(writer, base, data)} />
          <div className={styles['actions']}>
            <Button onPress={() => onTakeOver(data)}>
              {t('conflict.takeOver', { version: data.version })}
            </Button>
            <Button kind="danger" onPress={() => onReplace(data)}>
              {t('conflict.replace', { version: data.version })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
