import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ApiError, dataOf } from '../../api/client.ts';
import { notify } from '../../ui/toast.tsx';
import { bodyOf, draftOf, type DraftField, differences, type WebhookDraft } from './webhook-draft.ts';
import { type Webhook, webhookQuery } from './webhook-queries.ts';

/** Saving of an edited webhook, which refuses to overwrite a change of another user. */
export function useWebhookEdits(webhook: Webhook, onSaved: () => void) {
  const { t } = useTranslation('webhooks');
  const queries = useQueryClient();
  const [opened, setOpened] = useState(webhook);
  const [first, setFirst] = useState(() => draftOf(webhook));
  // Fields that both users changed, or null if the webhook is unchanged.
  const [conflict, setConflict] = useState<DraftField[] | null>(null);
  const { id: uuid, version } = opened;
  const saving = useMutation({
    mutationFn: (draft: WebhookDraft) =>
      dataOf(
        api.PATCH('/cpms/v1/webhooks/{uuid}', {
          params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
          body: bodyOf(draft),
        }),
      ),
    onSuccess: async () => {
      onSaved();
      notify('done', t('saved'));
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
    onError: async (error, draft) => {
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return;
      const now = await queries.fetchQuery({ ...webhookQuery(uuid), staleTime: 0 });
      const [before, theirs] = [draftOf(opened), draftOf(now)];
      const mine = differences(draft, before);
      const changed = differences(theirs, before);
      setOpened(now);
      setFirst({ ...theirs, ...Object.fromEntries(mine.map((name) => [name, draft[name]])) });
      setConflict(mine.filter((name) => changed.includes(name)));
      saving.reset();
    },
  });
  return { opened, first, conflict, saving };
}
