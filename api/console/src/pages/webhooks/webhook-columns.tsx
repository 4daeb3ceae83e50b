import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { healthStates, type Webhook } from './webhook-queries.ts';

const onPhone = new Set(['url', 'state']);

/** Columns of the list of webhooks. */
export function useWebhookColumns(isPhone: boolean): Column<Webhook>[] {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<Webhook>[] = columnsOf(
      {
        url: { width: isPhone ? 180 : 260, grow: true, cell: ({ url }) => url },
        description: { width: 180, grow: true, cell: ({ description }) => description ?? absent },
        state: {
          width: 140,
          cell: ({ health }) => (
            <StateBadge state={healthStates[health.state]} word={t(`state.${health.state}`)} />
          ),
        },
        types: {
          width: 160,
          cell: ({ types }) =>
            types.length === 0
              ? t('allTypes')
              : types.length === 1
                ? types[0]
                : t('typeCount', { count: types.length }),
        },
        backlog: {
          width: 100,
          isNumber: true,
          cell: ({ health }) => formats.integer(health.backlog + health.waiting),
        },
        deadLetters: {
          width: 150,
          isNumber: true,
          cell: ({ health }) => formats.integer(health.deadLetters),
        },
        lastDelivered: { width: 150, cell: ({ health }) => <RelativeTime value={health.lastDeliveredAt} /> },
      },
      (id) => t(`field.${id}`),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}
