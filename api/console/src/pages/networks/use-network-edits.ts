import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiError } from '../../api/client.ts';
import { notify } from '../../ui/toast.tsx';
import { changeOf, type Edits, type FieldName, type Network, wrongNumbers } from './network-fields.ts';
import { networkQuery } from './network-queries.ts';

/** Change that another user made meanwhile. */
interface Conflict {
  /** Fields that both changed. */
  fields: FieldName[];
}

/**
 * Edits of a network and their saving, which refuses to overwrite a change of another user.
 * @param read the network as it was read last
 */
export function useNetworkEdits(read: Network) {
  const { t } = useTranslation('networks');
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Edits>({});
  // The network as it was when the edits began: a change that is read meanwhile is no part of the decision.
  const [base, setBase] = useState<Network | null>(null);
  const network = base ?? read;
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const change = changeOf(network, edits);
  const { queryKey } = networkQuery(network.id);
  const saving = useMutation({
    mutationFn: () =>
      api.PATCH('/cpms/v1/networks/{uuid}', {
        params: { path: { uuid: network.id }, header: { 'if-match': `"${network.version}"` } },
        body: change,
      }),
    onSuccess: async (saved) => {
      setEdits({});
      setBase(null);
      setConflict(null);
      queries.setQueryData(queryKey, saved);
      notify('done', t('saved'));
      await queries.invalidateQueries({ queryKey: ['networks'] });
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return;
      const now = await queries.fetchQuery({ ...networkQuery(network.id), staleTime: 0 });
      const names = Object.keys(change) as FieldName[];
      setBase(now);
      setConflict({ fields: names.filter((name) => now[name] !== network[name]) });
      saving.reset();
    },
  });
  return {
    /** The network that the edits are made to. */
    network,
    edits,
    edit: (name: FieldName, value: string | boolean) => {
      setBase(network);
      setEdits({ ...edits, [name]: value });
    },
    discard: () => {
      setEdits({});
      setBase(null);
      setConflict(null);
      saving.reset();
    },
    conflict,
    saving,
    wrong: wrongNumbers(edits),
    changes: Object.keys(change).length,
  };
}
