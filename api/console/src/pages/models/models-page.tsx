import { useSearchChange } from '../../app/use-search-change.ts';
import { allRows, ListTable } from '../../ui/table/list-table.tsx';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { ManufacturerDialog } from './manufacturer-dialog.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { ModelPanel } from './model-panel.tsx';
import { manufacturersQuery, modelsQuery } from './model-queries.ts';
import styles from './models.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';

type Model = Schemas['ChargerModel'];

/** Catalog of manufacturers and charger models, with firmware images and meter corrections. */
export function ModelsPage() {
  const { t } = useTranslation(['models', 'common']);
  const search = useSearch({ from: '/signed-in/fleet/models' });
  const mayWrite = useCan('cpms:write:catalog');
  const [creating, setCreating] = useState<'manufacturer' | 'model' | null>(null);
  const models = useQuery(modelsQuery(search.search, search.manufacturer));
  const manufacturers = useQuery(manufacturersQuery).data ?? [];
  const columns = useColumns();
  const change: (changed: { [Name in keyof typeof search]?: string | undefined }) => void = useSearchChange();
  const isFiltered = search.search !== undefined || search.manufacturer !== undefined;
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        {mayWrite && (
          <div>
            <Button onPress={() => setCreating('manufacturer')}>
              <Plus aria-hidden size={15} />
              {t('createManufacturer')}
            </Button>
            <Button
              kind="primary"
              isDisabled={manufacturers.length === 0}
              onPress={() => setCreating('model')}
            >
              <Plus aria-hidden size={15} />
              {t('createModel')}
            </Button>
          </div>
        )}
      </header>
      <div className={styles['filters']}>
        <SearchField
          label={t('search')}
          value={search.search ?? ''}
          maxLength={100}
          onChange={(text) => change({ search: text })}
        />
        <FilterSelect
          label={t('manufacturer')}
          any={t('all')}
          options={manufacturers.map(({ id, name }) => ({ id, text: name }))}
          value={search.manufacturer}
          onChange={(manufacturer) => change({ manufacturer })}
        />
      </div>
      <StaleNotice query={models} />
      <Card title={t('list')} hasPadding={false}>
        <ListTable
          list={allRows(models)}
          empty={
            <Empty title={t(isFiltered ? 'common:empty.filtered' : 'empty')}>
              {!isFiltered && <p>{t('emptyHint')}</p>}
            </Empty>
          }
          rowsAhead={8}
          label={t('list')}
          columns={columns}
          selectedKey={search.model}
          height={520}
          onOpen={({ id }) => change({ model: id })}
        />
      </Card>
      <Manufacturers />
      {search.model !== undefined && (
        <ModelPanel
          key={search.model}
          id={search.model}
          tab={search.tab}
          onTab={(tab) => change({ tab })}
          onClose={() => change({ model: undefined, tab: undefined })}
        />
      )}
      {creating === 'manufacturer' && (
        <ManufacturerDialog manufacturer={null} onClose={() => setCreating(null)} />
      )}
      {creating === 'model' && (
        <ModelDialog
          model={null}
          manufacturers={manufacturers}
          onSaved={({ id }) => change({ model: id })}
          onClose={() => setCreating(null)}
        />
      )}
    </div>
  );
}

function useColumns(): Column<Model>[] {
  const { t } = useTranslation(['models', 'chargers']);
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          manufacturer: { width: 180, phone: 126, grow: true, cell: ({ manufacturer }) => manufacturer.name },
          name: { width: 180, phone: 130, grow: true, cell: ({ modelName }) => modelName },
          version: { width: 130, phone: false, cell: ({ ocppVersion }) => ocppVersion },
          power: { width: 110, phone: 96, isNumber: true, cell: ({ maxPower }) => formats.power(maxPower) },
          connectors: {
            width: 110,
            phone: false,
            isNumber: true,
            cell: ({ numberOfConnectors }) => formats.integer(numberOfConnectors),
          },
          types: {
            width: 200,
            phone: false,
            grow: true,
            cell: ({ supportedConnectorTypes }) => supportedConnectorTypes ?? absent,
          },
        },
        (id) => (id === 'power' ? t('chargers:column.power') : t(id)),
      ),
    [t, formats],
  );
}

type Manufacturer = Schemas['Manufacturer'];

/** Manufacturers of the catalog, with the contacts of their support. */
function Manufacturers() {
  const { t } = useTranslation('models');
  const queries = useQueryClient();
  const mayWrite = useCan('cpms:write:catalog');
  const { data, error, refetch } = useQuery(manufacturersQuery);
  const [edited, setEdited] = useState<Manufacturer | null>(null);
  const [removed, setRemoved] = useState<Manufacturer | null>(null);
  const removing = useMutation({
    mutationFn: ({ id }: Manufacturer) =>
      api.DELETE('/cpms/v1/manufacturers/{id}', { params: { path: { id } } }),
    onSuccess: (_, { name }) => notify('done', t('remove.done', { name })),
    onError: (failure) => notify('failed', failure.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['manufacturers'] }),
  });
  return (
    <Card title={t('manufacturers')}>
      {error !== null && data === undefined && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty title={t('noManufacturers')} />}
      <ul className={styles['manufacturers']}>
        {data?.map((manufacturer) => (
          <li key={manufacturer.id}>
            <span>
              {manufacturer.name}{' '}
              <span className={styles['contact']}>
                {[manufacturer.supportEmail, manufacturer.supportPhone]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </span>
            </span>
            {mayWrite && (
              <span className={styles['actions']}>
                <Button
                  kind="quiet"
                  aria-label={t('editTitle', { name: manufacturer.name })}
                  onPress={() => setEdited(manufacturer)}
                >
                  {t('edit')}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={`${t('remove.action')}: ${manufacturer.name}`}
                  onPress={() => setRemoved(manufacturer)}
                >
                  {t('remove.open')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && <ManufacturerDialog manufacturer={edited} onClose={() => setEdited(null)} />}
      {removed !== null && (
        <ConfirmDialog
          title={t('remove.title', { name: removed.name })}
          action={t('remove.action')}
          onConfirm={() => removing.mutate(removed)}
          onClose={() => setRemoved(null)}
        >
          <p>{t('remove.manufacturer')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
