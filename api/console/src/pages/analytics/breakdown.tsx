import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDownWideNarrow, ArrowUpNarrowWide, Download } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import { Select } from '../../ui/field.tsx';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { notify } from '../../ui/toast.tsx';
import { breakdownQuery, type Group, maxGroups, revenueIn } from './analytics-queries.ts';
import {
  type AnalyticsSearch,
  type Kind,
  kinds,
  knownOr,
  orders,
  ranks,
  sessionsBehind,
  type Window,
} from './analytics-search.ts';
import { SessionsLink } from './sessions-link.tsx';
import styles from './tables.module.css';

interface Props {
  search: AnalyticsSearch;
  window: Window;
  currency: string;
  onChange: (changed: AnalyticsSearch) => void;
}

const shownGroups = 10;

/** Filter of the sessions of a group; null: no filter selects those without a record. */
function filterOf(kind: Kind, id: string | null) {
  if (id === null) return kind === 'tariff' ? { tariff: 'without' } : null;
  return { [`${kind}Id`]: id };
}

function rankedValue(group: Group, rank: (typeof ranks)[number], currency: string): number {
  if (rank === 'revenue') return revenueIn(group, currency);
  return rank === 'energy' ? group.energyKwh : group[rank];
}

/** The highest or lowest locations, models, tariffs or chargers. */
export function Breakdown({ search, window, currency, onChange }: Props) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const network = useNetworkQuery();
  const queries = useQueryClient();
  const by = knownOr(kinds, search.by);
  const rank = knownOr(ranks, search.rank);
  const order = knownOr(orders, search.order);
  const { data, error, refetch } = useQuery(
    breakdownQuery(search, network, { window, by, limit: shownGroups }),
  );
  const groups = data?.groups ?? [];
  const most = Math.max(...groups.map((group) => rankedValue(group, rank, currency)), Number.MIN_VALUE);
  const download = async () => {
    const all = await queries.fetchQuery(breakdownQuery(search, network, { window, by, limit: maxGroups }));
    const lines = all.groups.map((group) =>
      csvLine([
        group.id,
        group.name,
        group.detail,
        group.sessions,
        group.energyKwh,
        revenueIn(group, currency),
        currency,
        group.chargingHours,
        group.meanEnergyKwh,
        group.meanMinutes,
      ]),
    );
    const names = ['id', 'name', 'detail', 'sessions', 'energyKwh', 'revenue', 'currency', 'chargingHours'];
    saveCsv(`analytics-${by}`, [csvLine([...names, 'meanEnergyKwh', 'meanMinutes']), ...lines]);
  };
  return (
    <Card
      title={t('breakdown.title')}
      actions={
        <>
          <Select
            label={t('breakdown.by')}
            hidesLabel
            options={kinds.map((id) => ({ id, text: t(`breakdown.${id}`) }))}
            value={by}
            onChange={(id) => onChange({ by: id })}
          />
          <Select
            label={t('breakdown.rank')}
            hidesLabel
            options={ranks.map((id) => ({ id, text: t(`metric.${id}`) }))}
            value={rank}
            onChange={(id) => onChange({ rank: id })}
          />
          <Button kind="quiet" onPress={() => onChange({ order: order === 'desc' ? 'asc' : 'desc' })}>
            {order === 'desc' ? (
              <ArrowDownWideNarrow aria-hidden size={15} />
            ) : (
              <ArrowUpNarrowWide aria-hidden size={15} />
            )}
            {t(`breakdown.${order}`)}
          </Button>
          <Button
            kind="quiet"
            onPress={() =>
              void download().catch((failure: unknown) =>
                notify('failed', t('csvFailed', { message: String(failure) })),
              )
            }
          >
            <Download aria-hidden size={15} />
            {t('csv')}
          </Button>
        </>
      }
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={352} />
      ) : groups.length === 0 ? (
        <Empty title={t('none')} />
      ) : (
        <>
          <div className={styles['wide']}>
            <table className={styles['table']} aria-label={t(`breakdown.${by}`)}>
              <thead>
                <tr>
                  <th scope="col">{t(`kind.${by}`)}</th>
                  {(['revenue', 'energy', 'sessions', 'chargingHours'] as const).map((metric) => (
                    <th key={metric} scope="col">
                      {t(`metric.${metric}`)}
                    </th>
                  ))}
                  <th scope="col">{t('breakdown.mean')}</th>
                </tr>
              </thead>
              <tbody>
                {groups.map((group) => (
                  <tr key={group.id ?? ''}>
                    <th scope="row">
                      {group.name ?? t('breakdown.without')}
                      <span className={styles['detail']}>{group.detail}</span>
                      <span
                        aria-hidden
                        className={styles['bar']}
                        style={{ width: `${(rankedValue(group, rank, currency) / most) * 100}%` }}
                      />
                    </th>
                    <td>{formats.money(revenueIn(group, currency), currency)}</td>
                    <td>{formats.energy(group.energyKwh)}</td>
                    <td>
                      <GroupSessions
                        group={group}
                        filter={filterOf(by, group.id)}
                        base={sessionsBehind(search, window, data.timeZone)}
                      />
                    </td>
                    <td>{formats.number(group.chargingHours, 1)} h</td>
                    <td>{formats.energy(group.meanEnergyKwh)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className={styles['note']}>
            {t('breakdown.shown', { shown: groups.length, count: data.groupCount })}
          </p>
        </>
      )}
    </Card>
  );
}

function GroupSessions({
  group,
  filter,
  base,
}: {
  group: Group;
  filter: Record<string, string> | null;
  base: ReturnType<typeof sessionsBehind>;
}) {
  const formats = useFormats();
  const text = formats.integer(group.sessions);
  return filter === null ? text : <SessionsLink search={{ ...base, ...filter }}>{text}</SessionsLink>;
}
