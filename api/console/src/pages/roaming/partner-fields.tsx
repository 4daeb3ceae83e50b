import { bound } from '../../ui/bound.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { partiesOf } from './parties.ts';
import { countOf, hubPartiesOf, maxTokenDays, noHub } from './partner-values.ts';
import { HubField, TokenDaysField, type Trust } from './trust-fields.tsx';

/** Entries of a new partner. */
interface Draft extends Trust {
  name: string;
  parties: string;
  networkUuid: string | null;
}

/** Returns the entries of a new partner, and the request that creates it. */
export function useNewPartner() {
  const networks = useNetworks();
  const chosen = useNetworkQuery().networkUuid ?? networks[0]?.id ?? null;
  const [draft, setDraft] = useState<Draft>({
    name: '',
    parties: '',
    networkUuid: chosen,
    hubParties: noHub,
    tokenValidDays: '',
  });
  const parties = partiesOf(draft.parties);
  const tokenValidDays = countOf(draft.tokenValidDays, maxTokenDays);
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    isComplete:
      draft.name.trim() !== '' && parties !== null && parties.length > 0 && tokenValidDays !== undefined,
    create: () =>
      api.POST('/cpms/v1/ocpi-partners', {
        body: {
          name: draft.name.trim(),
          parties: parties ?? [],
          hubParties: hubPartiesOf(draft.hubParties),
          tokenValidDays: tokenValidDays ?? null,
          ...(draft.networkUuid !== null && { networkUuid: draft.networkUuid }),
        },
      }),
  };
}

/** Fields of a new partner: name, parties, hub, validity of its tokens, and its network where there are several. */
export function PartnerFields({ draft, change }: Pick<ReturnType<typeof useNewPartner>, 'draft' | 'change'>) {
  const { t } = useTranslation(['roaming', 'common']);
  const networks = useNetworks();
  return (
    <>
      {networks.length > 1 && (
        <Select
          label={t('common:network.label')}
          options={networks.map(({ id, name }) => ({ id, text: name }))}
          {...bound(draft, change, 'networkUuid')}
        />
      )}
      <TextField label={t('column.name')} {...bound(draft, change, 'name')} isRequired maxLength={100} />
      <TextField
        label={t('wizard.parties')}
        description={t('wizard.partiesHint')}
        placeholder="DE-EMS"
        {...bound(draft, change, 'parties')}
        isRequired
        isInvalid={partiesOf(draft.parties) === null}
        errorMessage={t('wizard.partiesWrong')}
      />
      <HubField draft={draft} onChange={change} />
      <TokenDaysField draft={draft} onChange={change} />
    </>
  );
}
