import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworks } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { type ApiKey, nameOf } from './key-queries.ts';

const onPhone = new Set(['name', 'lastUsed']);

/** Returns the networks of a key in words. */
export function useKeyNetworks(): (key: ApiKey) => string {
  const { t } = useTranslation('apiKeys');
  const networks = useNetworks();
  return ({ unrestricted, networkUuids }) =>
    unrestricted
      ? t('allNetworks')
      : networkUuids.map((uuid) => networks.find(({ id }) => id === uuid)?.name ?? uuid).join(', ');
}

/** Columns of the list of keys. */
export function useKeyColumns(isPhone: boolean): Column<ApiKey>[] {
  const { t } = useTranslation('apiKeys');
  const formats = useFormats();
  const networksOf = useKeyNetworks();
  return useMemo(() => {
    const columns: Column<ApiKey>[] = columnsOf(
      {
        name: { width: isPhone ? 130 : 150, grow: true, cell: nameOf },
        secret: {
          width: 170,
          cell: ({ keyPrefix, last4 }) => (
            <code>
              {keyPrefix}…{last4}
            </code>
          ),
        },
        scopes: {
          width: 110,
          grow: true,
          cell: ({ permissions }) =>
            permissions.length === 1 ? permissions[0] : t('scopes', { count: permissions.length }),
        },
        networks: { width: 150, cell: networksOf },
        limit: {
          width: 100,
          isNumber: true,
          cell: ({ rateLimitPerHour }) =>
            rateLimitPerHour === null
              ? t('noLimit')
              : t('perHour', { number: formats.integer(rateLimitPerHour) }),
        },
        lastUsed: {
          width: 140,
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : <RelativeTime value={lastUsedAt} />),
        },
        expires: {
          width: 110,
          cell: ({ expiresAt, isExpired }) =>
            isExpired ? t('expired') : expiresAt === null ? t('never') : <RelativeTime value={expiresAt} />,
        },
        createdBy: { width: 140, cell: ({ createdBy }) => createdBy?.name ?? createdBy?.id ?? absent },
      },
      (id) => t(`column.${id}`),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, networksOf, isPhone]);
}
