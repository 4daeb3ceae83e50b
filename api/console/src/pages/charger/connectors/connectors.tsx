import type { Schemas } from '../../../api/client.ts';
import type { Live } from '../live-charger.ts';
import { useRunningSessions } from '../use-running-sessions.ts';
import { ConnectorCard } from './connector-card.tsx';
import { useRecentPower } from './recent-power.ts';
import { RecordMenu } from './record-menu.tsx';
import styles from './connectors.module.css';

/** Cards of the connectors, with live values and the running sessions. */
export function Connectors({ charger, live }: { charger: Schemas['Charger']; live: Live }) {
  const { sessions, state } = useRunningSessions(charger.id);
  const recent = useRecentPower(live.charger);
  return (
    <div className={styles['connectors']}>
      {charger.connectors.map((connector) => (
        <ConnectorCard
          key={connector.id}
          connector={connector}
          isOnline={live.charger?.isOnline ?? charger.isOnline}
          live={live.charger?.connectors.find(({ number }) => number === connector.number)}
          session={sessions.find(({ connectorId }) => connectorId === connector.id)}
          areSessionsKnown={state === 'read'}
          recentPower={recent.get(connector.number) ?? []}
          actions={<RecordMenu charger={charger} connector={connector} />}
        />
      ))}
    </div>
  );
}
