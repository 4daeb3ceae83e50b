import { useSuspenseQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useObjectZone } from '../../../app/page-zone.tsx';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { notify } from '../../../ui/toast.tsx';
import { type Tariff, tariffQuery, unchanged, useTariffNetwork, tariffKey } from '../tariff-queries.ts';
import type { SimulationSearch } from '../tariff-search.ts';
import { bodyOf, draftOf } from './draft.ts';
import { useDraft } from './use-draft.ts';
import { Editor } from './editor.tsx';
import { isConflict, useSaving } from './use-saving.ts';
import { Button } from '../../../ui/button.tsx';
import { ChangedValues } from '../../../ui/changed-values.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePriceWriter } from '../prices/use-price-writer.ts';
import { tariffChanges } from '../versions/tariff-changes.ts';
import styles from './editor.module.css';

/** Page that makes a new version of a tariff. */
export function EditTariffPage() {
  const { uuid } = useParams({ from: '/signed-in/money/tariffs/$uuid/edit' });
  const { data: tariff } = useSuspenseQuery({ ...tariffQuery(uuid), refetchOnWindowFocus: false });
  return <EditTariff key={uuid} tariff={tariff} />;
}

function EditTariff({ tariff: shown }: { tariff: Tariff }) {
  const { t } = useTranslation('tariffEditor');
  const search = useSearch({ from: '/signed-in/money/tariffs/$uuid/edit' });
  const navigate = useNavigate();
  const network = useTariffNetwork(shown.networkId);
  const timeZone = useObjectZone(network?.timeZone);
  // The version that the draft began with: the server refuses the draft when there is a later one.
  const [base, setBase] = useState(shown);
  const [draft, setDraft] = useDraft(() => draftOf(shown, timeZone), timeZone);
  const [isChanged, setChanged] = useState(false);
  const saving = useSaving(
    (replaced: Tariff) =>
      api.PATCH('/cpms/v1/tariffs/{uuid}', {
        params: { path: { uuid: replaced.id }, header: unchanged(replaced) },
        body: bodyOf(draft, timeZone, base),
      }),
    (tariff) => {
      setChanged(false);
      notify('done', t('saved', { name: tariff.name, version: tariff.version }));
    },
  );
  const begin = (tariff: Tariff) => {
    setBase(tariff);
    setDraft(draftOf(tariff, timeZone));
    setChanged(false);
    saving.reset();
  };
  return (
    <Editor
      title={t('editTitle', { name: base.name })}
      draft={draft}
      onChange={(next) => {
        if (!isConflict(saving.error)) saving.reset();
        setDraft(next);
        setChanged(true);
      }}
      isChanged={isChanged}
      network={null}
      currency={base.currency}
      timeZone={timeZone}
      search={search}
      onSearch={(changed: SimulationSearch) =>
        void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: true })
      }
      action={t('save', { version: base.version + 1 })}
      isSaving={saving.isPending}
      error={saving.error}
      conflict={
        isConflict(saving.error) ? (
          <Conflict
            base={base}
            onTakeOver={begin}
            onReplace={(current) => {
              setBase(current);
              saving.mutate(current);
            }}
          />
        ) : null
      }
      onSave={() => saving.mutate(base)}
      onCancel={() => void navigate({ to: '/money/tariffs/$uuid', params: { uuid: base.id } })}
    />
  );
}

interface Props {
  /** Version that the draft began with. */
  base: Tariff;
  /** Begins again with the saved version. */
  onTakeOver: (current: Tariff) => void;
  /** Saves the draft over the saved version. */
  onReplace: (current: Tariff) => void;
}

/** Shows what another user saved meanwhile, and offers both ways out. */
function Conflict({ base, onTakeOver, onReplace }: Props) {
  const { t } = useTranslation('tariffEditor');
  const writer = usePriceWriter(base.currency);
  const { data, error, refetch } = useQuery({
    queryKey: [...tariffKey(base.id), 'conflict', base.version],
    queryFn: () => api.GET('/cpms/v1/tariffs/{uuid}', { params: { path: { uuid: base.id } } }),
    staleTime: 0,
  });
  return (
    <section role="alert" className={styles['conflict']} aria-label={t('conflict.title')}>
      <h2>{t('conflict.title')}</h2>
      {error !== null ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <>
          <p>{t('conflict.detail', { version: data.version, base: base.version })}</p>
          <ChangedValues values={tariffChanges(writer, base, data)} />
          <div className={styles['actions']}>
            <Button onPress={() => onTakeOver(data)}>
              {t('conflict.takeOver', { version: data.version })}
            </Button>
            <Button kind="primary" isDangerous onPress={() => onReplace(data)}>
              {t('conflict.replace', { version: data.version })}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
