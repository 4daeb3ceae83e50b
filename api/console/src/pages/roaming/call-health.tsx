import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { healthQuery } from './roaming-queries.ts';

/** Latest successful and failed requests with a partner, each way. */
export function CallHealth({ uuid }: { uuid: string }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const { data, error, refetch } = useQuery(healthQuery(uuid));
  return (
    <Card title={t('calls.title')}>
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={150} />
      ) : (
        <Facts
          facts={(['in', 'out'] as const).flatMap((way): [string, ReactNode][] => [
            [t(`calls.${way}.success`), <RelativeTime key="s" value={data[way].lastSuccessAt} />],
            [t(`calls.${way}.failure`), <RelativeTime key="f" value={data[way].lastFailureAt} />],
            [
              t(`calls.${way}.day`),
              t('calls.failures', {
                requests: formats.integer(data[way].requests),
                failures: formats.integer(data[way].failures),
              }),
            ],
          ])}
        />
      )}
    </Card>
  );
}
