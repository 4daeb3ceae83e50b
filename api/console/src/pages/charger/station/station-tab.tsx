import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { absent, type Formats, useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { StationTariff } from './station-tariff.tsx';
import styles from '../events/events.module.css';

type StationTariffRow = Schemas['StationTariff'];

/** Time in ms between two reads of the state of a station. */
const refreshMs = 15_000;

/** Tariffs, event streams and control of distributed energy resources at a station of OCPP 2.1. */
export function StationTab({ charger }: TabProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['station', charger.id],
    queryFn: () =>
      dataOf(
        api.GET('/cpms/v1/chargers/{chargerUuid}/station', { params: { path: { chargerUuid: charger.id } } }),
      ),
    refetchInterval: refreshMs,
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={320} />
    ) : (
      <ErrorNotice error={error} retry={() => void refetch()} />
    );
  }
  return (
    <div className={styles['tab']}>
      <Tariffs rows={data.tariffs} />
      <Streams rows={data.eventStreams} />
      <Controls rows={data.derControls} />
      <Alarms rows={data.derAlarms} />
    </div>
  );
}

function Tariffs({ rows }: { rows: readonly StationTariffRow[] }) {
  const { t } = useTranslation('stationState');
  const columns = tariffColumns(t, useFormats());
  return <Part title={t('tariffs')} rows={rows} columns={columns} keyOf={({ evseId }) => String(evseId)} />;
}

function tariffColumns(t: TFunction<'stationState'>, formats: Formats): Column<StationTariffRow>[] {
  return columnsOf(
    {
      evse: { width: 80, cell: ({ evseId }) => evseId },
      tariff: {
        width: 240,
        grow: true,
        phone: false,
        cell: ({ tariffId }) => <StationTariff tariffId={tariffId} />,
      },
      status: { width: 130, grow: true, cell: ({ status }) => status },
      reason: { width: 160, grow: true, cell: ({ reason }) => reason ?? absent },
      time: { width: 200, phone: false, cell: ({ sentAt }) => formats.dateTime(sentAt) },
    },
    (id) => t(`columns.${id}`),
  );
}

function Streams({ rows }: { rows: readonly Schemas['EventStream'][] }) {
  const { t } = useTranslation('stationState');
  const formats = useFormats();
  const columns = columnsOf<
    Schemas['EventStream'],
    'stream' | 'component' | 'variable' | 'interval' | 'values' | 'time'
  >(
    {
      stream: { width: 80, cell: ({ streamId }) => streamId },
      component: {
        width: 150,
        grow: true,
        cell: ({ component, evseId }) =>
          component === null ? absent : `${component}${evseId === null ? '' : ` · EVSE ${evseId}`}`,
      },
      variable: {
        width: 140,
        grow: true,
        cell: ({ variable, variableInstance, monitorId }) =>
          variable === null
            ? t('monitor', { number: monitorId })
            : `${variable}${variableInstance === null ? '' : `[${variableInstance}]`}`,
      },
      interval: {
        width: 120,
        phone: false,
        cell: ({ intervalSeconds }) => formats.duration(intervalSeconds),
      },
      values: { width: 110, phone: false, isNumber: true, cell: ({ maxValues }) => maxValues ?? absent },
      time: { width: 200, phone: false, cell: ({ openedAt }) => formats.dateTime(openedAt) },
    },
    (id) => t(`columns.${id}`),
  );
  return (
    <Part title={t('streams')} rows={rows} columns={columns} keyOf={({ streamId }) => String(streamId)} />
  );
}

function Controls({ rows }: { rows: readonly Schemas['DerControl'][] }) {
  const { t } = useTranslation('stationState');
  const formats = useFormats();
  const columns = columnsOf<Schemas['DerControl'], 'control' | 'state' | 'time'>(
    {
      control: { width: 150, grow: true, cell: ({ controlId }) => controlId },
      state: { width: 120, cell: ({ isActive }) => t(isActive ? 'active' : 'ended') },
      time: { width: 200, phone: false, cell: ({ changedAt }) => formats.dateTime(changedAt) },
    },
    (id) => t(`columns.${id}`),
  );
  return <Part title={t('controls')} rows={rows} columns={columns} keyOf={({ controlId }) => controlId} />;
}

function Alarms({ rows }: { rows: readonly Schemas['DerAlarm'][] }) {
  const { t } = useTranslation('stationState');
  const formats = useFormats();
  const columns = columnsOf<Schemas['DerAlarm'], 'kind' | 'event' | 'state' | 'time'>(
    {
      kind: { width: 140, grow: true, cell: ({ controlType }) => controlType },
      event: { width: 130, grow: true, cell: ({ gridEventFault }) => gridEventFault ?? absent },
      state: { width: 100, cell: ({ isActive }) => t(isActive ? 'active' : 'ended') },
      time: { width: 200, phone: false, cell: ({ changedAt }) => formats.dateTime(changedAt) },
    },
    (id) => t(`columns.${id}`),
  );
  return <Part title={t('alarms')} rows={rows} columns={columns} keyOf={({ controlType }) => controlType} />;
}

/** Part of the state as a table. */
function Part<Row>({
  title,
  rows,
  columns,
  keyOf,
}: {
  title: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}) {
  const { t } = useTranslation('stationState');
  return (
    <Card hasPadding={false} title={title}>
      {rows.length === 0 ? (
        <Empty title={t('none')} />
      ) : (
        <DataTable
          label={title}
          columns={columns}
          count={rows.length}
          rowAt={(index) => rows[index]}
          keyOf={keyOf}
          height={200}
        />
      )}
    </Card>
  );
}
