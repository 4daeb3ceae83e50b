import { PageList } from '../../ui/table/list-table.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { useExchangeColumns } from './exchange-columns.tsx';
import { ExchangePanel } from './exchange-panel.tsx';
import { readPartners } from './roaming-queries.ts';
import page from '../../ui/list-page.module.css';
import styles from './roaming.module.css';

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
  const navigate = useNavigate();
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
      body(api.GET('/cpms/v1/ocpi-exchanges', { params: { query: { pageSize: 100, ...query, cursor } } })),
    { refetchInterval: 10_000 },
  );
  const columns = useExchangeColumns();
  const change = (part: Partial<typeof search>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...part }), replace: true });
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
