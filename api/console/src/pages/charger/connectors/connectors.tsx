import type { Schemas } from '../../../api/client.ts';
import type { Live, LiveCharger } from '../live-charger.ts';
import { useRunningSessions } from '../use-running-sessions.ts';
import { ConnectorCard } from './connector-card.tsx';
import styles from './connector-card.module.css';
import { useEffect, useState, lazy, Suspense } from 'react';
import { Pencil, Plus, Printer } from '../../../ui/icons/icons.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../../app/caller.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';

const ConnectorDialog = lazy(async () => ({
  default: (await import('../edit/connector-dialog.tsx')).ConnectorDialog,
}));
const NewConnectorDialog = lazy(async () => ({
  default: (await import('../edit/new-connector-dialog.tsx')).NewConnectorDialog,
}));
const RemoveConnectorDialog = lazy(async () => ({
  default: (await import('../edit/remove-connector-dialog.tsx')).RemoveConnectorDialog,
}));
const EvseDialog = lazy(async () => ({ default: (await import('../edit/evse-dialog.tsx')).EvseDialog }));

const scopes = {
  connector: 'cpms:write:connectors',
  evse: 'cpms:write:chargers',
  remove: 'cpms:write:connectors',
} as const;
const records = ['connector', 'evse', 'remove'] as const;

/** Menu that edits the records of a connector and of its EVSE, for callers with the right. */
function RecordMenu({
  charger,
  connector,
}: {
  charger: Schemas['Charger'];
  connector: Schemas['ChargerConnector'];
}) {
  const { id, number } = connector;
  const { t } = useTranslation('evseForm');
  const can = useScopes();
  const [open, setOpen] = useState<(typeof records)[number] | null>(null);
  const close = () => setOpen(null);
  const offered = records.filter((record) => can(scopes[record]));
  if (offered.length === 0) return null;
  const label = t('edit', { number });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <Button kind="quiet" isIcon aria-label={label}>
            <Pencil aria-hidden size={15} />
          </Button>
        }
        groups={[
          offered.map((record) => ({
            id: record,
            text: t(`${record}.open`),
            onAction: () => setOpen(record),
          })),
        ]}
      />
      <Suspense>
        {open === 'connector' && (
          <ConnectorDialog chargerUuid={charger.id} uuid={id} number={number} onClose={close} />
        )}
        {open === 'evse' && <EvseDialog charger={charger} connectorUuid={id} onClose={close} />}
        {open === 'remove' && (
          <RemoveConnectorDialog charger={charger} connector={connector} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

/** Labels of the connectors, and for callers with the right the button that adds one. */
function ConnectorTools({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation(['evseForm', 'common']);
  const can = useScopes();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles['tools']}>
      {can(scopes.connector) && (
        <Button kind="quiet" onPress={() => setOpen(true)}>
          <Plus aria-hidden size={15} />
          {t('add.open')}
        </Button>
      )}
      {charger.connectors.length > 0 && (
        <Link to="/fleet/labels" search={{ charger: charger.id }} className={buttonClass('quiet')}>
          <Printer aria-hidden size={15} />
          {t('common:action.labels')}
        </Link>
      )}
      <Suspense>{isOpen && <NewConnectorDialog charger={charger} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  );
}

/** Points of a spark line: 15 minutes of readings every 10 s. */
const maxPoints = 90;

/** Collects the power of each connector while the page is open, newest last. */
function useRecentPower(live: LiveCharger | null): ReadonlyMap<number, number[]> {
  const [recent, setRecent] = useState<ReadonlyMap<number, { time: string; kw: number }[]>>(new Map());
  useEffect(() => {
    if (live === null) return;
    // oxlint-disable-next-line react/set-state-in-effect -- gathers the values of a stream
    setRecent((before) => {
      const next = new Map(before);
      for (const { number, reading } of live.connectors) {
        const points = before.get(number) ?? [];
        if (reading === null || reading.powerKw === null || points.at(-1)?.time === reading.time) continue;
        next.set(number, [...points.slice(1 - maxPoints), { time: reading.time, kw: reading.powerKw }]);
      }
      return next;
    });
  }, [live]);
  return new Map([...recent].map(([number, points]) => [number, points.map(({ kw }) => kw)]));
}

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
      <ConnectorTools charger={charger} />
    </div>
  );
}
