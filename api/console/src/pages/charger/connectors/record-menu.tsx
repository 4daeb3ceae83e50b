import { Pencil } from '../../../ui/icons/icons.ts';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useScopes } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';

const ConnectorDialog = lazy(async () => ({
  default: (await import('../edit/connector-dialog.tsx')).ConnectorDialog,
}));
const EvseDialog = lazy(async () => ({ default: (await import('../edit/evse-dialog.tsx')).EvseDialog }));

const scopes = { connector: 'cpms:write:connectors', evse: 'cpms:write:chargers' } as const;
const records = ['connector', 'evse'] as const;

/** Menu that edits the records of a connector and of its EVSE, for callers with the right. */
export function RecordMenu({
  charger,
  connector: { id, number },
}: {
  charger: Schemas['Charger'];
  connector: Schemas['ChargerConnector'];
}) {
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
      </Suspense>
    </>
  );
}
