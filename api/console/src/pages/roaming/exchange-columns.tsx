import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { useMedia } from '../../ui/media.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import type { LoggedExchange } from './roaming-queries.ts';

/** Returns whether the other side did not accept a request. */
export function hasFailed({
  httpStatus,
  ocpiStatus,
}: Pick<LoggedExchange, 'httpStatus' | 'ocpiStatus'>): boolean {
  const isRefused = ocpiStatus !== null && Math.floor(ocpiStatus / 1000) !== 1;
  return httpStatus === null || httpStatus < 200 || httpStatus >= 300 || isRefused;
}

const onPhone = new Set(['time', 'request', 'status']);

/** Columns of the exchange log. */
export function useExchangeColumns(): Column<LoggedExchange>[] {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const isPhone = useMedia('(max-width: 700px)');
  return useMemo(() => {
    const columns: Column<LoggedExchange>[] = columnsOf(
      {
        time: {
          width: isPhone ? 126 : 210,
          cell: ({ time }) => (
            <time dateTime={time}>{isPhone ? formats.shortDateTime(time) : formats.preciseTime(time)}</time>
          ),
        },
        partner: { width: 150, grow: true, cell: ({ partnerName }) => partnerName },
        direction: { width: 140, cell: ({ direction }) => t(`exchanges.${direction}`) },
        request: {
          width: isPhone ? 112 : 190,
          grow: isPhone,
          cell: ({ method, module }) => `${method} ${module}`,
        },
        status: {
          width: isPhone ? 110 : 150,
          cell: (exchange) => (
            <StateBadge
              state={hasFailed(exchange) ? 'faulted' : 'available'}
              word={exchange.httpStatus === null ? t('exchanges.noAnswer') : `HTTP ${exchange.httpStatus}`}
            />
          ),
        },
        ocpi: {
          width: 110,
          isNumber: true,
          cell: ({ ocpiStatus }) => (ocpiStatus === null ? absent : String(ocpiStatus)),
        },
        latency: { width: 110, isNumber: true, cell: ({ latencyMs }) => `${formats.integer(latencyMs)} ms` },
      },
      (id) =>
        id === 'time'
          ? t('exchanges.time')
          : id === 'ocpi'
            ? t('exchanges.ocpiStatus')
            : t(`exchanges.${id}`),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}
