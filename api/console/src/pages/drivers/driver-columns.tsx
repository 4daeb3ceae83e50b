import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';

/** Returns the columns of the list of drivers. */
export function useDriverColumns(): Column<Schemas['DriverSummary']>[] {
  const { t } = useTranslation(['drivers', 'people']);
  const formats = useFormats();
  const networks = useNetworks();
  return useMemo(
    () =>
      columnsOf(
        {
          name: {
            width: 180,
            phone: 120,
            grow: true,
            sortBy: 'name',
            cell: ({ id, name, isBlocked }) => (
              <>
                <Link to="/people/drivers/$uuid" params={{ uuid: id }}>
                  {name}
                </Link>
                {isBlocked && <StateBadge state="faulted" word={t('blocked')} />}
              </>
            ),
          },
          email: { width: 220, phone: 220, grow: true, sortBy: 'email', cell: ({ email }) => email },
          phone: { width: 150, phone: false, cell: ({ phone }) => phone ?? absent },
          externalId: { width: 160, phone: false, cell: ({ externalId }) => externalId ?? absent },
          language: { width: 110, phone: false, isShown: false, cell: ({ language }) => language ?? absent },
          network: {
            width: 150,
            phone: false,
            grow: true,
            isShown: networks.length > 1,
            cell: ({ networkUuid }) => networks.find(({ id }) => id === networkUuid)?.name ?? absent,
          },
          created: {
            width: 130,
            phone: false,
            sortBy: 'createdAt',
            cell: ({ createdAt }) => (
              <span title={formats.dateTime(createdAt)}>{formats.date(createdAt)}</span>
            ),
          },
        },
        (id) => (id === 'network' ? t('people:network') : t(`field.${id}`)),
      ),
    [t, formats, networks],
  );
}
