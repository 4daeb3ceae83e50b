import { useSearchChange } from '../../app/use-search-change.ts';
import { allRows, ListTable } from '../../ui/table/list-table.tsx';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { KeyRound } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import page from '../../ui/list-page.module.css';
import { useMedia } from '../../ui/media.ts';
import { Empty } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './api-keys.module.css';
import { useKeyColumns } from './key-columns.tsx';
import { KeyDetails } from './key-details.tsx';
import { type ApiKey, driverKeysQuery, type Family, nameOf, operatorKeysQuery } from './key-queries.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const rowsAhead = 6;

/** Keys of the operator API and of the driver API. */
export function ApiKeysPage() {
  const { t } = useTranslation('apiKeys');
  const search = useSearch({ from: '/signed-in/settings/api-keys' });
  const network = useNetworkQuery();
  const family: Family = search.family === 'emsp' ? 'emsp' : 'cpms';
  const lists = {
    cpms: useQuery(operatorKeysQuery(network)),
    emsp: useQuery(driverKeysQuery(network)),
  };
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useCan('cpms:write:api-keys');
  const all = [...(lists.cpms.data ?? []), ...(lists.emsp.data ?? [])];
  const opened = all.find(({ id }) => id === search.key);
  const change: (changed: { family?: string; key?: string | undefined }) => void = useSearchChange();
  const list = (each: Family) => (
    <div className={styles['panel']}>
      <p className={page['hint']}>{t(`family.${each}Hint`)}</p>
      <KeyList query={lists[each]} onOpen={({ id }) => change({ key: id })} openedId={opened?.id} />
    </div>
  );
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        {mayWrite && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            <KeyRound aria-hidden size={15} />
            {t('create')}
          </Button>
        )}
      </header>
      <Tabs
        label={t('families')}
        tabs={(['cpms', 'emsp'] as const).map((id) => ({
          id,
          title: t(`family.${id}`),
          content: () => list(id),
        }))}
        selected={family}
        onSelect={(id) => change({ family: id, key: undefined })}
      />
      {isCreating && <NewKeyDialog family={family} onClose={() => setCreating(false)} />}
      <Dialog
        title={opened === undefined ? '' : nameOf(opened)}
        isOpen={opened !== undefined}
        onClose={() => change({ key: undefined })}
        shape="side"
      >
        {opened !== undefined && (
          <KeyDetails
            apiKey={opened}
            keys={all}
            mayRevoke={mayWrite}
            onRevoked={() => change({ key: undefined })}
          />
        )}
      </Dialog>
    </div>
  );
}

function KeyList({
  query,
  onOpen,
  openedId,
}: {
  query: UseQueryResult<ApiKey[]>;
  onOpen: (key: ApiKey) => void;
  openedId: string | undefined;
}) {
  const { t } = useTranslation('apiKeys');
  const isPhone = useMedia('(max-width: 700px)');
  const columns = useKeyColumns(isPhone);
  return (
    <div className={page['list']}>
      <StaleNotice query={query} />
      <ListTable
        list={allRows(query)}
        empty={<Empty title={t('empty')} />}
        rowsAhead={rowsAhead}
        label={t('title')}
        columns={columns}
        onOpen={onOpen}
        selectedKey={openedId}
        height={560}
      />
    </div>
  );
}
