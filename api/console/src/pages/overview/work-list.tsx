import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { workListKey, workListQuery } from '../../app/work-list.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import {
  CircleAlert,
  CloudOff,
  type IconComponent,
  RefreshCw,
  ScanEye,
  TriangleAlert,
  Unplug,
  Wallet,
} from '../../ui/icons/icons.ts';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { commands } from '../charger/commands/command-api.ts';
import { useChargerCommand } from '../charger/use-charger-command.ts';
import { AlertLine } from '../alerts/alert-line.tsx';
import { type NetworkQuery, openAlertsQuery } from './overview-queries.ts';
import { useReasons } from './use-reasons.ts';
import styles from './work-list.module.css';

type Item = Schemas['WorkItem'];
type SectionName = keyof Schemas['WorkList'];

/** Section of the list: its icon, the list of the same records, and the link of a record. */
interface Section {
  name: SectionName;
  icon: IconComponent;
  /** Severity by which the icon is coloured. */
  state: 'faulted' | 'unavailable' | 'offline';
  list: LinkProps;
  record: (item: Item) => LinkProps | null;
  action?: (item: Item) => ReactNode;
}

const chargerLink = ({ chargerId }: Item): LinkProps | null =>
  chargerId === null ? null : { to: '/fleet/chargers/$uuid', params: { uuid: chargerId } };

const sections: Section[] = [
  {
    name: 'faulted',
    icon: CircleAlert,
    state: 'faulted',
    list: { to: '/fleet/chargers', search: { fault: 'reported' } },
    record: chargerLink,
    action: (item) => <Restart item={item} />,
  },
  {
    name: 'offline',
    icon: CloudOff,
    state: 'offline',
    list: { to: '/fleet/chargers', search: { state: 'offline' } },
    record: chargerLink,
  },
  {
    name: 'rejected',
    icon: Unplug,
    state: 'unavailable',
    list: { to: '/fleet/rejected-connections' },
    record: chargerLink,
    action: (item) => <Register item={item} />,
  },
  {
    name: 'inReview',
    icon: ScanEye,
    state: 'unavailable',
    list: { to: '/charging/review' },
    record: ({ id }) => ({ to: '/charging/sessions/$uuid', params: { uuid: id } }),
    action: (item) => <Decide item={item} />,
  },
  {
    name: 'unpaid',
    icon: Wallet,
    state: 'unavailable',
    list: { to: '/money/wallets', search: { debt: 'owing' } },
    record: ({ id }) => ({ to: '/money/wallets/$uuid', params: { uuid: id } }),
  },
  {
    name: 'stuckUpdates',
    icon: RefreshCw,
    state: 'unavailable',
    list: { to: '/fleet/chargers', search: { update: 'stuck' } },
    record: ({ chargerId }) =>
      chargerId === null
        ? null
        : { to: '/fleet/chargers/$uuid', params: { uuid: chargerId }, search: { tab: 'firmware' } },
  },
  {
    name: 'alerts',
    icon: TriangleAlert,
    state: 'unavailable',
    list: { to: '/alerts', search: { status: 'open' } },
    record: () => null,
  },
];

/** Records that need an operator: each kind with its number, its first records, their reasons and actions. */
export function WorkList({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const work = useQuery({ ...workListQuery(query), refetchInterval: 60_000 });
  const { data, error, refetch } = work;
  const readable = sections.filter(({ name }) => data === undefined || data[name] !== null);
  const countOf = ({ name }: Section) => data?.[name]?.count ?? 0;
  const due = readable.filter((section) => countOf(section) > 0);
  const clear = readable.filter((section) => countOf(section) === 0);
  return (
    <Card title={t('work.title')} hasPadding={false}>
      <StaleNotice query={work} />
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={240} />
      ) : (
        <>
          {due.length === 0 && <Empty title={t('work.nothing')} />}
          <ul className={styles['sections']}>
            {due.map((section) => (
              <WorkSection
                key={section.name}
                section={section}
                count={countOf(section)}
                items={data[section.name]?.items ?? []}
                query={query}
              />
            ))}
          </ul>
          {due.length > 0 && clear.length > 0 && (
            <p className={styles['clear']}>
              {t('work.clear', { kinds: clear.map(({ name }) => t(`work.none.${name}`)).join(', ') })}
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function WorkSection({
  section,
  count,
  items,
  query,
}: {
  section: Section;
  count: number;
  items: Item[];
  query: NetworkQuery;
}) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const { name, icon: Icon, state, list } = section;
  const rest = count - items.length;
  return (
    <li className={styles['section']}>
      <h3 className={styles['heading']}>
        <Icon aria-hidden size={16} style={{ color: `var(--state-${state})` }} />
        <Link {...list}>{t(`work.kind.${name}`, { count, number: formats.integer(count) })}</Link>
      </h3>
      {name === 'alerts' ? (
        <OpenAlerts query={query} />
      ) : (
        <ul>
          {items.map((item) => (
            <WorkRow key={item.id} section={section} item={item} />
          ))}
        </ul>
      )}
      {name !== 'alerts' && rest > 0 && items.length > 0 && (
        <Link {...list} className={styles['rest']}>
          {t('work.more', { count: rest })}
        </Link>
      )}
    </li>
  );
}

function WorkRow({ section: { name, record, action }, item }: { section: Section; item: Item }) {
  const reasonOf = useReasons();
  const link = record(item);
  const reason = reasonOf(name, item);
  return (
    <li className={styles['row']}>
      <span className={styles['name']}>{link === null ? item.name : <Link {...link}>{item.name}</Link>}</span>
      <span className={styles['reason']} title={reason}>
        {reason}
      </span>
      {item.since !== null && (
        <span className={styles['since']}>
          <RelativeTime value={item.since} />
        </span>
      )}
      <span className={styles['action']}>{action?.(item)}</span>
    </li>
  );
}

/** Newest open alerts, which are acknowledged in place. */
function OpenAlerts({ query }: { query: NetworkQuery }) {
  const { data = [] } = useQuery(openAlertsQuery(query));
  return (
    <ul className={styles['alerts']}>
      {data.map((alert) => (
        <li key={alert.id}>
          <AlertLine alert={alert} />
        </li>
      ))}
    </ul>
  );
}

/** Restarts a faulted charger, for callers who may. */
function Restart({ item: { chargerId, name } }: { item: Item }) {
  const { t } = useTranslation(['overview', 'chargerCommands']);
  const mayRestart = useCan('cpms:command:reboot');
  const [isOpen, setOpen] = useState(false);
  const restart = useChargerCommand(() => commands.reboot(chargerId ?? '', 'Soft'), {
    queryKey: workListKey,
    done: t('work.restarted', { charger: name }),
  });
  if (!mayRestart || chargerId === null) return null;
  return (
    <>
      <Button kind="quiet" isDisabled={restart.isPending} onPress={() => setOpen(true)}>
        {t('chargerCommands:reboot.name')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('chargerCommands:reboot.title', { charger: name })}
          action={t('chargerCommands:reboot.send', { charger: name })}
          onConfirm={() => restart.mutate(undefined)}
          onClose={() => setOpen(false)}
        >
          <p>{t('work.restartHint')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Register({ item: { chargerId, name } }: { item: Item }) {
  const { t } = useTranslation('rejectedConnections');
  const mayRegister = useCan('cpms:write:chargers');
  return (
    chargerId === null &&
    mayRegister && (
      <Link to="/start" search={{ charger: 'new', identity: name }}>
        {t('register')}
      </Link>
    )
  );
}

function Decide({ item: { id } }: { item: Item }) {
  const { t } = useTranslation('overview');
  const mayDecide = useCan('cpms:command:billing');
  return (
    mayDecide && (
      <Link to="/charging/review" search={{ session: id }}>
        {t('work.decide')}
      </Link>
    )
  );
}
