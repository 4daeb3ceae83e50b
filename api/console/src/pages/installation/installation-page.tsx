import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { CircleAlert, CircleCheck } from '../../ui/icons/icons.ts';
import page from '../../ui/list-page.module.css';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './installation.module.css';

type Installation = Schemas['Installation'];
type Gateway = NonNullable<Installation['gateways']>[number];

const renewMs = 20_000;
const stores = ['postgresql', 'clickhouse', 'bus'] as const;

/** State of the installation: stores, gateways with their shards, queues, versions. */
export function InstallationPage() {
  const { t } = useTranslation('installation');
  const query = useQuery({
    queryKey: ['installation'],
    queryFn: () => api.GET('/cpms/v1/installation'),
    refetchInterval: renewMs,
  });
  const { data, error, refetch } = query;
  return (
    <div className={page['page']}>
      <h1>{t('title')}</h1>
      <StaleNotice query={query} />
      {data !== undefined ? (
        <State installation={data} />
      ) : (
        <QueryPending query={{ error, refetch }} height={320} />
      )}
    </div>
  );
}

function State({ installation }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const { gateways, gatewaysFault } = installation;
  return (
    <div className={styles['cards']}>
      <Stores installation={installation} />
      {gateways === null ? (
        <Missing title={t('gateways')} fault={gatewaysFault} />
      ) : gateways.length === 0 ? (
        <Card title={t('gateways')}>
          <Empty title={t('noGateways')} />
        </Card>
      ) : (
        gateways.map((gateway) => <GatewayCard key={gateway.name} gateway={gateway} />)
      )}
      <Queues installation={installation} />
      <Processes installation={installation} />
    </div>
  );
}

function Missing({ title, fault }: { title: string; fault: 'timeout' | 'unavailable' | null }) {
  const { t } = useTranslation('installation');
  return (
    <Card title={title}>
      <StateWord isWell={false} text={t(`fault.${fault ?? 'unavailable'}`)} />
    </Card>
  );
}

/** State as icon, colour and word. */
function StateWord({ isWell, text }: { isWell: boolean; text: string }) {
  const Icon = isWell ? CircleCheck : CircleAlert;
  return (
    <span className={styles['state']}>
      <Icon aria-hidden size={15} style={{ color: `var(--state-${isWell ? 'available' : 'faulted'})` }} />
      {text}
    </span>
  );
}

/** State of a thread or process that reports, with the time of its last report when it is silent. */
function ReportState({ report: { state, reportedAt } }: { report: Pick<Shard, 'state' | 'reportedAt'> }) {
  const { t } = useTranslation('installation');
  if (state === 'running') return <StateWord isWell text={t('running')} />;
  return (
    <span>
      <StateWord isWell={false} text={t('silent')} /> <RelativeTime value={reportedAt} />
    </span>
  );
}

function Stores({ installation }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const formats = useFormats();
  return (
    <Card title={t('stores')} hasPadding={false}>
      <table className={styles['table']} aria-label={t('stores')}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t('column.state')}</th>
            <th scope="col">{t('column.answer')}</th>
            <th scope="col">{t('column.version')}</th>
          </tr>
        </thead>
        <tbody>
          {stores.map((name) => {
            const { fault, answeredInMs, version } = installation.stores[name];
            return (
              <tr key={name}>
                <th scope="row">{t(`store.${name}`)}</th>
                <td>
                  <StateWord isWell={fault === null} text={fault === null ? t('up') : t(`fault.${fault}`)} />
                </td>
                <td>{formats.latency(answeredInMs)}</td>
                <td>{version ?? absent}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

function GatewayCard({ gateway }: { gateway: Gateway }) {
  const { t } = useTranslation('installation');
  const formats = useFormats();
  const { name, version, startedAt, shards } = gateway;
  const sockets = shards.reduce((sum, shard) => sum + socketsOf(shard), 0);
  return (
    <Card title={t('gateway', { name })} hasPadding={false}>
      <div className={styles['facts']}>
        <Facts
          shape="line"
          facts={[
            [t('column.version'), version],
            [t('started'), formats.dateTime(startedAt)],
            [t('column.sockets'), formats.integer(sockets)],
          ]}
        />
      </div>
      {/* A scrollable region is reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['scroll']} role="region" aria-label={t('shards', { name })} tabIndex={0}>
        <table className={styles['table']} aria-label={t('gateway', { name })}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shards.map((shard) => (
              <tr key={shard.shard}>
                <th scope="row">{shard.shard}</th>
                {cellsOf(shard, t, formats).map((cell, index) => (
                  <td key={columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

type Shard = Gateway['shards'][number];

const columns = [
  'shard',
  'state',
  'sockets',
  'calls',
  'readings',
  'busy',
  'walLag',
  'walRoom',
  'clock',
] as const;

const socketsOf = ({ sockets }: Shard) => Object.values(sockets).reduce((sum, count) => sum + count, 0);

function cellsOf(shard: Shard, t: TFunction<'installation'>, formats: ReturnType<typeof useFormats>) {
  return [
    <ReportState key="state" report={shard} />,
    formats.integer(socketsOf(shard)),
    t('perSecond', { value: formats.number(shard.callsPerSecond) }),
    t('perSecond', { value: formats.number(shard.readingsPerSecond) }),
    formats.percent(shard.busyPercent / 100),
    shard.walLagSeconds === 0 ? t('nothingWaits') : formats.duration(shard.walLagSeconds),
    formats.bytes(shard.walRoomBytes),
    t('seconds', { value: formats.number(shard.clockAheadSeconds, 2) }),
  ];
}

function Processes({ installation: { processes, processesFault } }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const formats = useFormats();
  if (processes === null) return <Missing title={t('processes')} fault={processesFault} />;
  return (
    <Card title={t('processes')} hasPadding={false}>
      {/* A scrollable region is reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['scroll']} role="region" aria-label={t('processes')} tabIndex={0}>
        <table className={styles['table']} aria-label={t('processes')}>
          <thead>
            <tr>
              <th scope="col">{t('column.name')}</th>
              <th scope="col">{t('column.state')}</th>
              <th scope="col">{t('started')}</th>
              <th scope="col">{t('column.version')}</th>
              <th scope="col">Node.js</th>
            </tr>
          </thead>
          <tbody>
            {processes.map((process) => (
              <tr key={process.name}>
                <th scope="row">{process.name}</th>
                <td>
                  <ReportState report={process} />
                </td>
                <td>{formats.dateTime(process.startedAt)}</td>
                <td>{process.version}</td>
                <td>{process.nodeVersion}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Queues({ installation: { queues, queuesFault } }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const formats = useFormats();
  if (queues === null) return <Missing title={t('queues')} fault={queuesFault} />;
  return (
    <Card title={t('queues')} hasPadding={false}>
      <table className={styles['table']} aria-label={t('queues')}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t('column.waiting')}</th>
            <th scope="col">{t('column.oldest')}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting, oldestSeconds }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{formats.integer(waiting)}</td>
              <td>{waiting === 0 ? absent : formats.duration(oldestSeconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
