import { useSearchChange } from '../../app/use-search-change.ts';
import { notifyFailure, useChange } from '../../app/use-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { useQuery } from '@tanstack/react-query';
import { useSearch, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, bodies } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { useExchangeColumns, hasFailed } from './exchange-columns.tsx';
import { readPartners, exchangeQuery } from './roaming-queries.ts';
import page from '../../ui/list-page.module.css';
import styles from './roaming.module.css';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view.tsx';

const directions = ['in', 'out'] as const;
const modules = [
  'versions',
  'credentials',
  'locations',
  'tariffs',
  'sessions',
  'cdrs',
  'tokens',
  'commands',
  'chargingprofiles',
] as const;

/** Requests exchanged with all partners, newest first. */
export function ExchangesPage() {
  const { t } = useTranslation(['roaming', 'common']);
  const search = useSearch({ from: '/signed-in/roaming/exchanges' });
  const network = useNetworkQuery();
  const partners = useQuery({
    queryKey: ['ocpi-partners', network, 'names'],
    queryFn: () => readPartners(network, undefined),
  });
  const direction = directions.find((each) => each === search.direction);
  const module = modules.find((each) => each === search.module);
  const query = {
    ...network,
    ...(search.partner !== undefined && { partnerId: search.partner }),
    ...(direction !== undefined && { direction }),
    ...(module !== undefined && { module }),
    ...(search.failed === 'only' && { failedOnly: true }),
  };
  const list = useCursorList(
    ['ocpi-exchanges', query],
    (cursor) =>
      bodies.GET('/cpms/v1/ocpi-exchanges', { params: { query: { pageSize: 100, ...query, cursor } } }),
    { refetchInterval: 10_000 },
  );
  const columns = useExchangeColumns();
  const change: (changed: Partial<typeof search>) => void = useSearchChange();
  const isFiltered = Object.keys(query).some((name) => name !== 'networkUuid');
  return (
    <div className={page['page']}>
      <h1>{t('exchanges.title')}</h1>
      <div className={styles['filters']}>
        <FilterSelect
          label={t('exchanges.partner')}
          hidesLabel
          any={t('exchanges.allPartners')}
          options={(partners.data?.data ?? []).map(({ id, name }) => ({ id, text: name }))}
          value={search.partner}
          onChange={(partner) => change({ partner })}
        />
        <FilterSelect
          label={t('exchanges.direction')}
          hidesLabel
          any={t('exchanges.bothDirections')}
          options={directions.map((id) => ({ id, text: t(`exchanges.${id}`) }))}
          value={direction}
          onChange={(direction) => change({ direction })}
        />
        <FilterSelect
          label={t('push.module')}
          hidesLabel
          any={t('exchanges.allModules')}
          options={modules.map((id) => ({ id, text: id }))}
          value={module}
          onChange={(module) => change({ module })}
        />
        <Checkbox
          isSelected={search.failed === 'only'}
          onChange={(isSelected) => change({ failed: isSelected ? 'only' : undefined })}
        >
          {t('exchanges.failedOnly')}
        </Checkbox>
      </div>
      <PageList
        list={list}
        empty={<Empty title={isFiltered ? t('common:empty.filtered') : t('exchanges.none')} />}
        label={t('exchanges.title')}
        columns={columns}
        onOpen={({ id }) => change({ exchange: id })}
        selectedKey={search.exchange}
      />
      <Dialog
        title={t('exchanges.detail')}
        isOpen={search.exchange !== undefined}
        onClose={() => change({ exchange: undefined })}
        shape="side"
      >
        {search.exchange !== undefined && <ExchangePanel id={search.exchange} />}
      </Dialog>
    </div>
  );
}

/** One exchange: its request and its answer, and its repetition. */
function ExchangePanel({ id }: { id: string }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const mayRetry = useCan('cpms:write:ocpi-partners');
  const { data: exchange, error, refetch } = useQuery(exchangeQuery(id));
  const retrying = useChange({
    mutationFn: () => api.POST('/cpms/v1/ocpi-exchanges/{id}/retry', { params: { path: { id } } }),
    invalidates: ['ocpi-exchanges'],
    done: () => t('exchanges.queued'),
    onError: notifyFailure,
  });
  if (exchange === undefined) return <QueryPending query={{ error, refetch }} height={320} />;
  return (
    <div className={styles['form']}>
      <code className={styles['url']}>
        {exchange.method} {exchange.url}
      </code>
      <Facts
        facts={[
          [t('exchanges.time'), formats.dateTime(exchange.time)],
          [
            t('exchanges.partner'),
            <Link key="partner" to="/roaming/partners/$uuid" params={{ uuid: exchange.partnerId }}>
              {exchange.partnerName}
            </Link>,
          ],
          [t('exchanges.direction'), t(`exchanges.${exchange.direction}`)],
          [
            t('exchanges.status'),
            exchange.httpStatus === null ? t('exchanges.noAnswer') : `HTTP ${exchange.httpStatus}`,
          ],
          [t('exchanges.ocpiStatus'), exchange.ocpiStatus === null ? absent : String(exchange.ocpiStatus)],
          [t('exchanges.latency'), `${formats.integer(exchange.latencyMs)} ms`],
          [t('exchanges.correlation'), exchange.correlationId || absent],
        ]}
      />
      {exchange.error !== null && <p className={styles['failure']}>{exchange.error}</p>}
      {mayRetry && exchange.isRepeatable && hasFailed(exchange) && (
        <div>
          <Button kind="primary" isDisabled={retrying.isPending} onPress={() => retrying.mutate()}>
            {t('exchanges.retry')}
          </Button>
          <p className={styles['muted']}>{t('exchanges.retryHint')}</p>
        </div>
      )}
      <Body title={t('exchanges.requestBody')} text={exchange.request} />
      <Body title={t('exchanges.responseBody')} text={exchange.response} />
    </div>
  );
}

function Body({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('roaming');
  if (text === '') return <p className={styles['muted']}>{t('exchanges.noBody', { title })}</p>;
  return (
    <section>
      <header className={styles['bodyHeader']}>
        <h3>{title}</h3>
        <CopyButton text={text} />
      </header>
      <JsonView value={valueOf(text)} label={title} />
    </section>
  );
}

/** Returns the JSON of a body; a body that was cut or is no JSON stays a text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
