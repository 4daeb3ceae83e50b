import { useSuspenseQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../app/use-search-change.ts';
import { useObjectZone } from '../../app/page-zone.tsx';
import { Card } from '../../ui/card.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Assignments } from './assignments/assignments.tsx';
import { PriceList } from './prices/prices.tsx';
import { Simulator } from './simulator/simulator.tsx';
import {
  tariffQuery,
  useTariffNetwork,
  type Tariff,
  tariffKey,
  tariffsKey,
  unchanged,
} from './tariff-queries.ts';
import type { SimulationSearch } from './tariff-search.ts';
import { Versions } from './versions/versions.tsx';
import styles from './tariff-page.module.css';
import { useFormats, absent } from '../../texts/formats.ts';
import { Energy } from '../locations/energy.tsx';
import { mixOfTariff } from './energy-mix.ts';
import { Copy, Pencil, Trash2 } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Muted, ObjectHeader } from '../../ui/object-header.tsx';
import { notify } from '../../ui/toast.tsx';
import { Validity } from './validity.tsx';

/** One tariff: what it costs, where it applies, what a session would cost, and how it changed. */
export function TariffPage() {
  const { t } = useTranslation('tariffs');
  const { uuid } = useParams({ from: '/signed-in/money/tariffs/$uuid' });
  const search = useSearch({ from: '/signed-in/money/tariffs/$uuid' });
  const query = useSuspenseQuery(tariffQuery(uuid));
  const tariff = query.data;
  const network = useTariffNetwork(tariff.networkId);
  useObjectZone(network?.timeZone);
  const change: (changed: SimulationSearch) => void = useSearchChange();
  return (
    <div className={styles['page']}>
      <StaleNotice query={query} />
      <TariffHeader tariff={tariff} network={network} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Card title={t('prices')}>
            <PriceList prices={tariff} />
          </Card>
          <Descriptions tariff={tariff} />
          <Assignments tariff={tariff} network={network} showsEnded={search.assignments === 'all'} />
          <Versions tariff={tariff} />
        </div>
        <div className={styles['column']}>
          <Simulator
            key={uuid}
            subject={{ tariffId: uuid, version: tariff.version }}
            zone={network?.timeZone}
            search={search}
            onSearch={change}
          />
        </div>
      </div>
    </div>
  );
}

/** Texts that drivers and roaming partners see; nothing for a tariff without texts. */
function Descriptions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const formats = useFormats();
  const { tariff_alt_text: texts, tariff_alt_url: url, energy_mix: mix } = tariff;
  if (texts.length === 0 && url === null && mix === null) return null;
  const languages = new Intl.DisplayNames([formats.locale], { type: 'language' });
  return (
    <Card title={t('descriptions')}>
      <dl className={styles['texts']}>
        {texts.map(({ language, text }) => (
          <div key={language}>
            <dt>{languages.of(language) ?? language}</dt>
            <dd lang={language}>{text}</dd>
          </div>
        ))}
        {url !== null && (
          <div>
            <dt>{t('web')}</dt>
            <dd>
              <a href={url} rel="noreferrer" target="_blank">
                {url}
              </a>
            </dd>
          </div>
        )}
        {mix !== null && (
          <div>
            <dt>{t('energyMix')}</dt>
            <dd>
              <Energy mix={mixOfTariff(mix)} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** Identity of a tariff, and what can be done with it. */
function TariffHeader({ tariff, network }: { tariff: Tariff; network: Schemas['Network'] | undefined }) {
  const { t } = useTranslation(['tariffs', 'session', 'common']);
  const formats = useFormats();
  const canWrite = useCan('cpms:write:tariffs');
  const facts = [
    [t('common:network.label'), network?.name ?? absent],
    [t('column.currency'), tariff.currency],
    [t('audience'), t(`type.${tariff.type ?? 'ANY'}`)],
    [t('column.valid'), <Validity key="valid" tariff={tariff} />],
    [t('changed'), formats.dateTime(tariff.updatedAt)],
  ] as const;
  return (
    <ObjectHeader
      back={<Link to="/money/tariffs">{t('title')}</Link>}
      title={tariff.name}
      states={
        <>
          <Muted>{t('version', { version: tariff.version })}</Muted>
          <CopyButton text={tariff.id} label={t('copyId')} />
        </>
      }
      actions={canWrite ? <Actions tariff={tariff} /> : undefined}
      facts={facts}
    />
  );
}

function Actions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation('tariffs');
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemove(tariff);
  return (
    <>
      <Button onPress={() => void navigate({ to: '/money/tariffs/new', search: { copy: tariff.id } })}>
        <Copy aria-hidden size={15} />
        {t('duplicate')}
      </Button>
      <Button isDangerous onPress={() => setAsking(true)}>
        <Trash2 aria-hidden size={15} />
        {t('delete.open')}
      </Button>
      <Button
        kind="primary"
        onPress={() => void navigate({ to: '/money/tariffs/$uuid/edit', params: { uuid: tariff.id } })}
      >
        <Pencil aria-hidden size={15} />
        {t('edit')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('delete.title', { name: tariff.name })}
          action={t('delete.action')}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete.detail')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Deletes a tariff; the server refuses one that is assigned. */
function useRemove(tariff: Tariff) {
  const { t } = useTranslation('tariffs');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      bodies.DELETE('/cpms/v1/tariffs/{uuid}', {
        params: { path: { uuid: tariff.id }, header: unchanged(tariff) },
      }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: tariffsKey });
      await navigate({ to: '/money/tariffs' });
      queries.removeQueries({ queryKey: tariffKey(tariff.id) });
      notify('done', t('delete.done', { name: tariff.name }));
    },
    onError: (error) => {
      notify('failed', error.message);
      void queries.invalidateQueries({ queryKey: tariffKey(tariff.id) });
    },
  });
}
