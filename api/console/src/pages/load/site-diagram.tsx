import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { LoadPlan, LoadSite, PlannedConnector } from './load-queries.ts';
import styles from './load.module.css';
import { ReleaseButton } from './release-button.tsx';

interface Props {
  site: LoadSite;
  /** Null: no limits are known. */
  plan: LoadPlan | null;
  /** True: stations that were set aside can be released. */
  mayRelease: boolean;
}

/** One-line diagram of a site: the load of each circuit against its limit, and the limit of each connector with its reason. */
export function SiteDiagram(props: Props) {
  const { t } = useTranslation('load');
  const roots = props.site.circuits.filter(({ parentId }) => parentId === null);
  return (
    <ul className={styles['tree']} aria-label={t('diagram')}>
      {roots.map(({ id }) => (
        <CircuitItem key={id} {...props} circuitId={id} />
      ))}
    </ul>
  );
}

function CircuitItem({ circuitId, ...props }: Props & { circuitId: string }) {
  const { t } = useTranslation('load');
  const { site, plan } = props;
  const circuit = site.circuits.find(({ id }) => id === circuitId);
  const children = site.circuits.filter(({ parentId }) => parentId === circuitId);
  const connectors = site.connectors.filter((connector) => connector.circuitId === circuitId);
  if (circuit === undefined) return null;
  const bounds = site.bounds.filter((bound) => bound.circuitId === circuitId);
  return (
    <li className={styles['branch']}>
      <div className={styles['circuit']}>
        <strong>{circuit.name}</strong>
        {plan?.lostMeters.includes(circuitId) === true && (
          <StateBadge state="faulted" word={t('meterLost')} />
        )}
        {bounds.map(({ id, source }) => (
          <StateBadge key={id} state="reserved" word={t(`source.${source}`)} />
        ))}
        <Lines plan={plan} circuit={circuit} />
      </div>
      {(children.length > 0 || connectors.length > 0) && (
        <ul className={styles['below']}>
          {children.map(({ id }) => (
            <CircuitItem key={id} {...props} circuitId={id} />
          ))}
          {connectors.map((connector) => (
            <ConnectorItem key={connector.connectorId} {...props} connector={connector} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Load of the three phases of a circuit. */
function Lines({ plan, circuit }: { plan: LoadPlan | null; circuit: LoadSite['circuits'][number] }) {
  const { t } = useTranslation('load');
  const formats = useFormats();
  return (
    <dl className={styles['lines']}>
      {(['L1', 'L2', 'L3'] as const).map((phase, index) => {
        const line = plan?.lines.find((each) => each.circuitId === circuit.id && each.phase === phase);
        const limit = line?.limitAmps ?? circuit.amps[index] ?? 0;
        const part = (amps: number) => `${Math.min(100, limit === 0 ? 100 : (amps / limit) * 100)}%`;
        return (
          <div key={phase}>
            <dt>{phase}</dt>
            <dd>
              <span aria-hidden className={styles['bar']}>
                {line !== undefined && (
                  <>
                    <span className={styles['bound']} style={{ width: part(line.boundAmps) }} />
                    <span
                      className={styles['load']}
                      data-over={line.loadAmps > limit}
                      style={{ width: part(line.loadAmps) }}
                    />
                  </>
                )}
              </span>
              {t('loadOf', {
                load: line === undefined ? absent : formats.number(line.loadAmps, 1),
                limit: formats.number(limit, 0),
              })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const states = {
  full: 'occupied',
  circuit: 'occupied',
  bound: 'reserved',
  waiting: 'occupied',
  paused: 'unavailable',
  idle: 'available',
  offline: 'offline',
  unconfirmed: 'unknown',
  'set-aside': 'faulted',
  uncontrolled: 'unknown',
} as const satisfies Record<PlannedConnector['reason']['kind'], string>;

function ConnectorItem({
  site,
  plan,
  mayRelease,
  connector,
}: Props & { connector: LoadSite['connectors'][number] }) {
  const { t } = useTranslation('load');
  const formats = useFormats();
  const planned = plan?.connectors.find(({ connectorId }) => connectorId === connector.connectorId);
  const isAside = connector.setAsideAt !== null;
  return (
    <li className={styles['connector']}>
      <Link to="/fleet/chargers/$uuid" params={{ uuid: connector.chargerId }}>
        {t('connector', { charger: connector.chargerUid, number: connector.connectorNumber })}
      </Link>
      {planned === undefined ? (
        <span className={styles['muted']}>{t('upTo', { amps: formats.number(connector.maxAmps, 0) })}</span>
      ) : (
        <>
          <span className={styles['limit']}>
            {t('limitOf', {
              limit: formats.number(planned.limitAmps, 1),
              drawn: planned.drawnAmps === null ? absent : formats.number(planned.drawnAmps, 1),
            })}
          </span>
          <StateBadge state={states[planned.reason.kind]} word={reasonText(t, site, planned)} />
        </>
      )}
      {isAside && mayRelease && <ReleaseButton site={site} connector={connector} />}
    </li>
  );
}

/** Returns the reason of a limit in words. */
function reasonText(t: TFunction<'load'>, { circuits }: LoadSite, { reason }: PlannedConnector): string {
  const { kind, circuitId, phase, source } = reason;
  const circuit = circuits.find(({ id }) => id === circuitId)?.name ?? '';
  if (kind === 'bound') return t('reason.bound', { source: source === null ? '' : t(`source.${source}`) });
  return t(`reason.${kind}`, { circuit, phase: phase ?? '' });
}
