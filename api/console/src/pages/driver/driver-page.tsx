import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useZoneOfNetwork } from '../../app/page-zone.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice, Empty, QueryPending } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TokenPanel } from '../tokens/token-panel.tsx';
import { DriverActions } from './driver-actions.tsx';
import { driverQuery } from './driver-query.ts';
import { DriverTokens } from './driver-tokens.tsx';
import styles from './driver-page.module.css';
import { allRows, ListTable } from '../../ui/table/list-table.tsx';
import { useMemo } from 'react';
import { sessionColumns } from '../sessions/session-columns.tsx';
import { driverWalletQuery } from '../wallets/wallets-queries.ts';

const latest = 10;
/** Columns that tell the sessions of one driver apart. */
const shown = ['started', 'state', 'charger', 'location', 'energy', 'duration', 'cost', 'price'];

/** Latest sessions of a driver. */
function DriverSessions({ driver: { id } }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const { t: sessionTexts } = useTranslation(['sessions', 'session', 'common']);
  const { t: words } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['sessions', 'driver', id],
    queryFn: () => api.GET('/cpms/v1/sessions', { params: { query: { userId: id, pageSize: latest } } }),
  });
  const columns = useMemo(() => sessionColumns(sessionTexts, words, formats), [sessionTexts, words, formats]);
  return (
    <Card
      title={t('sessions.title')}
      hasPadding={false}
      actions={
        <Link to="/charging/sessions" search={{ userId: id }}>
          {t('sessions.all')}
        </Link>
      }
    >
      <ListTable
        list={allRows(query)}
        empty={<Empty title={t('sessions.none')} />}
        rowsAhead={4}
        label={t('sessions.title')}
        columns={columns}
        shown={shown}
        onOpen={(session) => void navigate({ to: '/charging/sessions/$uuid', params: { uuid: session.id } })}
        height={400}
      />
    </Card>
  );
}

/** One driver: who it is, its money, its tokens and its sessions. */
export function DriverPage() {
  const { t } = useTranslation('drivers');
  const { uuid } = useParams({ from: '/signed-in/people/drivers/$uuid' });
  const { token } = useSearch({ from: '/signed-in/people/drivers/$uuid' });
  const navigate = useNavigate({ from: '/people/drivers/$uuid' });
  const readsTokens = useCan('cpms:read:id-tokens');
  const readsSessions = useCan('cpms:read:sessions');
  const readsWallets = useCan('cpms:read:wallets');
  const query = useQuery(driverQuery(uuid));
  const { data, error, refetch } = query;
  useZoneOfNetwork(data?.networkUuid ?? undefined);
  const show = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, token: id }), replace: true, resetScroll: false });
  if (data === undefined) {
    return error === null ? (
      <div className={styles['page']}>
        <Skeleton width={240} height={28} />
        <Skeleton height={180} />
        <Skeleton height={240} />
      </div>
    ) : (
      <ErrorNotice error={error} retry={() => void refetch()} />
    );
  }
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{data.name}</h1>
        {data.isBlocked && <StateBadge state="faulted" word={t('blocked')} />}
        <CopyButton text={data.id} label={t('field.id')} />
        <div className={styles['actions']}>
          <DriverActions driver={data} />
        </div>
      </header>
      <StaleNotice query={query} />
      <div className={styles['cards']}>
        <Profile driver={data} />
        <Charged driver={data} />
        {readsWallets && <DriverWallet driver={data} />}
      </div>
      {readsTokens && <DriverTokens driver={data} onOpen={show} />}
      {readsSessions && <DriverSessions driver={data} />}
      {token !== undefined && <TokenPanel uuid={token} onClose={() => show(undefined)} />}
    </div>
  );
}

function Profile({ driver }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation(['drivers', 'people']);
  const formats = useFormats();
  const networks = useNetworks();
  const languages = new Intl.DisplayNames([formats.locale], { type: 'language' });
  return (
    <Card title={t('profile')}>
      <Facts
        facts={[
          [
            t('field.email'),
            <a key="email" href={`mailto:${driver.email}`}>
              {driver.email}
            </a>,
          ],
          [t('field.phone'), driver.phone ?? absent],
          [t('field.externalId'), driver.externalId ?? absent],
          [
            t('field.language'),
            driver.language === null ? t('networkLanguage') : languages.of(driver.language),
          ],
          [t('people:network'), networks.find(({ id }) => id === driver.networkUuid)?.name ?? absent],
          [t('field.created'), formats.date(driver.createdAt)],
        ]}
      />
    </Card>
  );
}

function Charged({ driver: { statistics } }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const costs = statistics.totalCosts.map((cost) => formats.money(cost.totalInclVat, cost.currency));
  return (
    <Card title={t('charged')}>
      <Facts
        facts={[
          [t('statistics.sessions'), formats.integer(statistics.sessionCount)],
          [t('statistics.running'), formats.integer(statistics.activeSessionCount)],
          [t('statistics.energy'), formats.energy(statistics.energyKwh)],
          [t('statistics.cost'), costs.join(' + ') || absent],
          [t('statistics.last'), <RelativeTime key="last" value={statistics.lastSessionAt} />],
        ]}
      />
    </Card>
  );
}

/** Wallet of a driver: its balances. */
function DriverWallet({ driver: { id } }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const { data, error, refetch } = useQuery(driverWalletQuery(id));
  return (
    <Card title={t('wallet.title')}>
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={96} />
      ) : data === null ? (
        <p>{t('wallet.none')}</p>
      ) : (
        <Balances wallet={data} />
      )}
    </Card>
  );
}

function Balances({ wallet }: { wallet: Schemas['Wallet'] }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const money = (amount: number) => formats.money(amount, wallet.currency);
  return (
    <div className={styles['wallet']}>
      <p className={styles['balance']} aria-label={`${t('wallet.balance')}: ${money(wallet.balance)}`}>
        {money(wallet.balance)}
      </p>
      <Facts
        facts={[
          [t('wallet.available'), money(wallet.available)],
          [t('wallet.held'), money(wallet.held)],
          [
            t('wallet.owed'),
            <span key="owed" className={wallet.owed > 0 ? styles['owed'] : undefined}>
              {money(wallet.owed)}
            </span>,
          ],
        ]}
      />
      <Link to="/money/wallets/$uuid" params={{ uuid: wallet.id }}>
        {t('wallet.open')}
      </Link>
    </div>
  );
}
