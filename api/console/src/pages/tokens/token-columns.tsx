import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { TokenState } from './token-state.tsx';

export type TokenRow = Schemas['IdTokenSummary'];

/** Returns the columns of a list of tokens. */
export function useTokenColumns(): Column<TokenRow>[] {
  const { t } = useTranslation('tokens');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          uid: { width: 190, phone: 156, grow: true, sortBy: 'uid', cell: ({ uid }) => uid },
          type: { width: 100, phone: false, cell: ({ tokenType }) => t(`type.${tokenType}`) },
          driver: { width: 170, phone: 90, grow: true, cell: (token) => <TokenDriver token={token} /> },
          state: { width: 120, phone: 100, cell: ({ status }) => <TokenState status={status} /> },
          expires: {
            width: 120,
            phone: false,
            cell: ({ expiresAt }) =>
              expiresAt === null ? (
                t('noEnd')
              ) : (
                <span title={formats.dateTime(expiresAt)}>{formats.date(expiresAt)}</span>
              ),
          },
          group: { width: 110, phone: false, cell: ({ groupId }) => groupId ?? absent },
          whitelist: {
            width: 150,
            phone: false,
            cell: ({ whitelist }) => (
              <span title={t(`whitelist.${whitelist}`)}>{t(`acceptance.${whitelist}`)}</span>
            ),
          },
          visualNumber: { width: 140, phone: false, cell: ({ visualNumber }) => visualNumber ?? absent },
          contract: { width: 180, isShown: false, cell: ({ contractId }) => contractId ?? absent },
          issuer: { width: 140, isShown: false, cell: ({ issuer }) => issuer ?? absent },
          created: {
            width: 120,
            sortBy: 'createdAt',
            isShown: false,
            cell: ({ createdAt }) => formats.date(createdAt),
          },
        },
        (id) => t(`field.${id}`),
      ),
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
