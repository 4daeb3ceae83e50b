import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import type { AuditEntry } from './audit-tab.tsx';

const onPhone = new Set(['time', 'action', 'actor']);

/** Columns of the audit log. */
export function useAuditColumns(isPhone: boolean): Column<AuditEntry>[] {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<AuditEntry>[] = [
      {
        id: 'time',
        title: isPhone ? t('column.time') : `${t('column.time')} (${formats.timeZone})`,
        width: isPhone ? 124 : 200,
        cell: ({ timestamp }) => (
          <time dateTime={timestamp}>
            {isPhone ? formats.shortDateTime(timestamp) : formats.dateTime(timestamp)}
          </time>
        ),
      },
      {
        id: 'action',
        title: t('column.action'),
        width: isPhone ? 110 : 220,
        grow: isPhone,
        cell: ({ action }) => action,
      },
      {
        id: 'actor',
        title: t('column.actor'),
        width: isPhone ? 110 : 200,
        cell: ({ userName, userId }) => userName ?? userId ?? t('itself'),
      },
      {
        id: 'description',
        title: t('column.description'),
        width: 240,
        grow: true,
        cell: ({ description }) => description,
      },
      { id: 'ip', title: t('column.ip'), width: 140, cell: ({ ipAddress }) => ipAddress ?? absent },
    ];
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}
