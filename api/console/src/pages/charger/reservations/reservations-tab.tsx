import { lazy, Suspense } from 'react';
import { useCan } from '../../../app/caller.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import { Reservations } from './reservations.tsx';
import styles from './reservations-tab.module.css';

const Profiles = lazy(async () => ({ default: (await import('../profiles/profiles.tsx')).Profiles }));

/** Reservations of a charger, and the charging profiles that limit it. */
export function ReservationsTab({ charger }: TabProps) {
  const canReadProfiles = useCan('cpms:read:charging-profiles');
  return (
    <div className={styles['tab']}>
      <Reservations charger={charger} />
      {canReadProfiles && (
        <Suspense fallback={<Skeleton height={360} />}>
          <Profiles charger={charger} />
        </Suspense>
      )}
    </div>
  );
}
