import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { notify } from '../../../ui/toast.tsx';
import { type Tariff, tariffQuery, unchanged, useTariffNetwork } from '../tariff-queries.ts';
import type { SimulationSearch } from '../tariff-search.ts';
import { Conflict } from './conflict.tsx';
import { bodyOf, draftOf } from './draft.ts';
import { Editor } from './editor.tsx';
import { isConflict, useSaving } from './use-saving.ts';

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
  const timeZone = network?.timeZone ?? 'UTC';
  // The version that the draft began with: the server refuses the draft when there is a later one.
  const [base, setBase] = useState(shown);
  const [draft, setDraft] = useState(() => draftOf(shown, timeZone));
  const [isChanged, setChanged] = useState(false);
  const saving = useSaving(
    (replaced: Tariff) =>
      dataOf(
        api.PATCH('/cpms/v1/tariffs/{uuid}', {
          params: { path: { uuid: replaced.id }, header: unchanged(replaced) },
          body: bodyOf(draft, timeZone, base),
        }),
      ),
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
