import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useObjectZone } from '../../../app/page-zone.tsx';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useSendOnce } from '../../../api/request-key.ts';
import { useNetworks } from '../../../app/caller.tsx';
import { PagePending } from '../../../app/page-states.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/toast.tsx';
import { type Tariff, tariffQuery } from '../tariff-queries.ts';
import type { SimulationSearch } from '../tariff-search.ts';
import { bodyOf, type Draft, draftOf, newDraft } from './draft.ts';
import { TemplateList } from './template-list.tsx';
import { useDraft } from './use-draft.ts';
import { Editor } from './editor.tsx';
import { useSaving } from './use-saving.ts';

/** Page that creates a tariff, empty or from another. */
export function NewTariffPage() {
  const { copy } = useSearch({ from: '/signed-in/money/tariffs/new' });
  const { data, error, refetch } = useQuery({ ...tariffQuery(copy ?? ''), enabled: copy !== undefined });
  if (copy !== undefined && data === undefined) {
    return error === null ? <PagePending /> : <ErrorNotice error={error} retry={() => void refetch()} />;
  }
  return <NewTariff key={copy} copied={data} />;
}

function NewTariff({ copied }: { copied: Tariff | undefined }) {
  const { t } = useTranslation(['tariffEditor', 'tariffs']);
  const search = useSearch({ from: '/signed-in/money/tariffs/new' });
  const { network: chosen } = useSearch({ from: '/signed-in' });
  const navigate = useNavigate();
  const networks = useNetworks();
  const [networkId, setNetworkId] = useState(
    () =>
      networks.find(({ networkId: id }) => id === copied?.networkId)?.id ?? chosen ?? networks[0]?.id ?? '',
  );
  const network = networks.find(({ id }) => id === networkId);
  const timeZone = useObjectZone(network?.timeZone);
  const [first] = useState((): Draft =>
    copied === undefined
      ? newDraft()
      : { ...draftOf(copied, timeZone), name: t('copyOf', { name: copied.name }) },
  );
  const [draft, setDraft] = useDraft(first, timeZone);
  // Templates are offered until a price is typed, which they would replace.
  const [filled, setFilled] = useState<Pick<Draft, 'elements' | 'idle'>>(first);
  const isFilled = draft.elements === filled.elements && draft.idle === filled.idle;
  const [isSaved, setSaved] = useState(false);
  const once = useSendOnce([draft, networkId]);
  const saving = useSaving(
    () =>
      once((header) =>
        api.POST('/cpms/v1/tariffs', {
          params: { header },
          body: { ...bodyOf(draft, timeZone, copied), networkUuid: networkId },
        }),
      ),
    (tariff) => {
      setSaved(true);
      notify('done', t('created', { name: tariff.name }));
    },
  );
  const change = (next: Draft) => {
    saving.reset();
    setDraft(next);
  };
  return (
    <Editor
      title={t('newTitle')}
      draft={draft}
      onChange={change}
      isChanged={!isSaved && (draft !== first || copied !== undefined)}
      network={
        networks.length > 1
          ? {
              options: networks.map(({ id, name, currency }) => ({ id, text: `${name} (${currency})` })),
              value: networkId,
              onChange: (id) => {
                change({ ...draft });
                setNetworkId(id);
              },
            }
          : null
      }
      currency={network?.currency ?? 'EUR'}
      timeZone={timeZone}
      search={search}
      onSearch={(changed: SimulationSearch) =>
        void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: true })
      }
      action={t('create')}
      isSaving={saving.isPending}
      error={saving.error}
      onSave={() => saving.mutate(undefined)}
      onCancel={() => void navigate({ to: '/money/tariffs' })}
      templates={
        copied === undefined &&
        isFilled && (
          <TemplateList
            onChoose={(prices) => {
              setFilled(prices);
              change({ ...draft, ...prices });
            }}
          />
        )
      }
    />
  );
}
