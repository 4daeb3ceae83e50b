import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import type { Column } from '../../ui/table/columns.ts';
import { TokenState } from './token-state.tsx';

export type TokenRow = Schemas['IdTokenSummary'];

/** Returns the columns of a list of tokens. */
export function useTokenColumns(): Column<TokenRow>[] {
  const { t } = useTranslation('tokens');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'uid',
        title: t('field.uid'),
        width: 190,
        phone: 156,
        grow: true,
        sortBy: 'uid',
        cell: ({ uid }) => uid,
      },
      {
        id: 'type',
        title: t('field.type'),
        width: 100,
        phone: false,
        cell: ({ tokenType }) => t(`type.${tokenType}`),
      },
      {
        id: 'driver',
        title: t('field.driver'),
        width: 170,
        phone: 90,
        grow: true,
        cell: (token) => <TokenDriver token={token} />,
      },
      {
        id: 'state',
        title: t('field.state'),
        width: 120,
        phone: 100,
        cell: ({ status }) => <TokenState status={status} />,
      },
      {
        id: 'expires',
        title: t('field.expires'),
        width: 120,
        phone: false,
        cell: ({ expiresAt }) =>
          expiresAt === null ? (
            t('noEnd')
          ) : (
            <span title={formats.dateTime(expiresAt)}>{formats.date(expiresAt)}</span>
          ),
      },
      {
        id: 'group',
        title: t('field.group'),
        width: 110,
        phone: false,
        cell: ({ groupId }) => groupId ?? absent,
      },
      {
        id: 'whitelist',
        title: t('field.whitelist'),
        width: 150,
        phone: false,
        cell: ({ whitelist }) => (
          <span title={t(`whitelist.${whitelist}`)}>{t(`acceptance.${whitelist}`)}</span>
        ),
      },
      {
        id: 'visualNumber',
        title: t('field.visualNumber'),
        width: 140,
        phone: false,
        cell: ({ visualNumber }) => visualNumber ?? absent,
      },
      {
        id: 'contract',
        title: t('field.contract'),
        width: 180,
        isShown: false,
        cell: ({ contractId }) => contractId ?? absent,
      },
      {
        id: 'issuer',
        title: t('field.issuer'),
        width: 140,
        isShown: false,
        cell: ({ issuer }) => issuer ?? absent,
      },
      {
        id: 'created',
        title: t('field.created'),
        width: 120,
        sortBy: 'createdAt',
        isShown: false,
        cell: ({ createdAt }) => formats.date(createdAt),
      },
    ],
    [t, formats],
  );
}

/** Driver of a token. The name is absent for callers who do not read drivers. */
export function TokenDriver({ token: { userId, driverName } }: { token: TokenRow }) {
  const { t } = useTranslation('tokens');
  if (userId === null) return t('noDriver');
  if (driverName === null) return userId;
  return (
    <Link to="/people/drivers/$uuid" params={{ uuid: userId }}>
      {driverName}
    </Link>
  );
}
