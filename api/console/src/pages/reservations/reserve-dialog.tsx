import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { ChargerChoice } from '../../ui/fleet-choice.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { chargerQuery } from '../charger/charger-queries.ts';
import { NewReservationDialog } from '../charger/reservations/new-reservation-dialog.tsx';

/** Chooses a charger, and then reserves one of its connectors. */
export function ReserveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('reservations');
  const [chosen, setChosen] = useState<string | undefined>();
  const { data: charger, error } = useQuery({
    ...chargerQuery(chosen ?? ''),
    enabled: chosen !== undefined,
    refetchInterval: false,
  });
  if (chosen !== undefined && charger !== undefined)
    return <NewReservationDialog charger={charger} onClose={onClose} />;
  return (
    <Dialog title={t('page.newTitle')} isOpen onClose={onClose}>
      <ChargerChoice
        label={t('columns.charger')}
        placeholder={t('page.choose')}
        value={chosen}
        onChange={setChosen}
      />
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}
