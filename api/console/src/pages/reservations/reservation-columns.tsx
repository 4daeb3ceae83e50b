import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';

type Reservation = Schemas['Reservation'];

/**
 * Columns of a list of reservations.
 * @param onCancel null: the caller may cancel none
 */
export function useReservationColumns(
  onCancel: ((reservation: Reservation) => void) | null,
): Column<Reservation>[] {
  const { t } = useTranslation('reservations');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          number: { width: 84, phone: false, cell: ({ reservationId }) => reservationId },
          connector: {
            width: 100,
            phone: false,
            cell: ({ connectorNumber }) => connectorNumber ?? t('anyConnector'),
          },
          token: { width: 150, phone: false, grow: true, cell: ({ idTag }) => idTag },
          group: { width: 80, phone: false, grow: true, cell: ({ groupId }) => groupId ?? absent },
          status: { width: 100, phone: 100, cell: ({ status }) => t(`status.${status}`) },
          expires: { width: 150, phone: 122, cell: ({ expiresAt }) => formats.shortDateTime(expiresAt) },
          created: { width: 110, phone: false, cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
          actions: {
            width: 152,
            cell: (reservation) =>
              reservation.status === 'Active' &&
              onCancel !== null && (
                <Button
                  kind="quiet"
                  aria-label={t('cancel.title', { number: reservation.reservationId })}
                  onPress={() => onCancel(reservation)}
                >
                  {t('cancel.open')}
                </Button>
              ),
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats, onCancel],
  );
}
