import type { TabProps } from '../tabs.tsx';
import { DeviceEvents } from './device-events.tsx';
import { SecurityEvents } from './security-events.tsx';
import styles from './events.module.css';

/** Events that the charger reported: of its security, and of its device model (OCPP 2.0.1). */
export function EventsTab({ charger }: TabProps) {
  return (
    <div className={styles['tab']}>
      <SecurityEvents chargerId={charger.id} />
      {charger.ocppVersion === '2.0.1' && <DeviceEvents chargerId={charger.id} />}
    </div>
  );
}
