import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useNetworks } from '../../app/caller.tsx';
import { useChange } from '../../app/use-change.ts';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { phasesOf } from './tree-draft.ts';

/** Dialog for a new site, which begins with its grid connection and is disabled. */
export function NewSiteDialog({
  onCreated,
  onClose,
}: {
  onCreated: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('load');
  const networks = useNetworks();
  const { networkUuid = networks[0]?.id } = useNetworkQuery();
  const [network, setNetwork] = useState(networkUuid);
  const [name, setName] = useState('');
  const [grid, setGrid] = useState('63');
  const amps = phasesOf(grid);
  const saving = useChange({
    mutationFn: () =>
      api.POST('/cpms/v1/load-sites', {
        body: {
          ...(network !== undefined && { networkUuid: network }),
          name,
          circuits: [
            {
              id: 'grid',
              name: t('gridConnection'),
              parentId: null,
              amps: amps ?? [0, 0, 0],
              schedule: [],
              otherLoad: { kind: 'fixed', amps: [0, 0, 0] },
              transformerRatio: null,
            },
          ],
          connectors: [],
        },
      }),
    invalidates: ['load-sites'],
    done: () => t('created'),
    onDone: ({ id }) => onCreated(id),
  });
  const errorOf = fieldErrors(saving.error);
  return (
    <FormDialog
      title={t('new')}
      saving={saving}
      isReady={name.trim() !== '' && amps !== null}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
      shown={['name']}
    >
      {networks.length > 1 && (
        <Select
          label={t('network')}
          options={networks.map(({ id, name: text }) => ({ id, text }))}
          value={network ?? null}
          onChange={setNetwork}
        />
      )}
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={100}
        isRequired
        {...errorOf('name')}
      />
      <TextField
        label={t('gridLimit')}
        description={t('phasesHint')}
        value={grid}
        onChange={setGrid}
        inputMode="decimal"
        isInvalid={amps === null}
        errorMessage={t('wrongPhases')}
      />
    </FormDialog>
  );
}
