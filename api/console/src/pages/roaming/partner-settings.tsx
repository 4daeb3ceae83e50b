import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import { partiesOf, partyName } from './parties.ts';
import { changePartner, type Partner } from './roaming-queries.ts';

const encodings = ['base64', 'raw'] as const;

type Opened = Pick<Partner, 'id' | 'version' | 'name' | 'parties' | 'quirks'>;

const draftOf = ({ name, parties, quirks }: Opened) => ({
  name,
  parties: parties.map(partyName).join(', '),
  tokenEncoding: quirks.tokenEncoding,
});

/** Settings of a partner: name, parties, encoding of its token. */
export function PartnerSettings({ partner, mayWrite }: { partner: Partner; mayWrite: boolean }) {
  const { t } = useTranslation(['roaming', 'common']);
  const formats = useFormats();
  const queries = useQueryClient();
  // The draft belongs to a version. What is read later replaces it while nothing is entered.
  const [opened, setOpened] = useState<Opened>(partner);
  const before = draftOf(opened);
  const [draft, setDraft] = useState(before);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before);
  const open = (next: Opened) => {
    setOpened(next);
    setDraft(draftOf(next));
  };
  if (!isChanged && partner.version > opened.version) open(partner);
  const parties = partiesOf(draft.parties);
  const saving = useMutation({
    mutationFn: () =>
      changePartner(opened, {
        ...(draft.name !== before.name && { name: draft.name.trim() }),
        ...(draft.parties !== before.parties && { parties: parties ?? [] }),
        ...(draft.tokenEncoding !== before.tokenEncoding && {
          quirks: { tokenEncoding: draft.tokenEncoding },
        }),
      }),
    onSuccess: async (saved) => {
      open(saved);
      notify('done', t('settings.done'));
      await queries.invalidateQueries({ queryKey: ['ocpi-partner', partner.id] });
      await queries.invalidateQueries({ queryKey: ['ocpi-partners'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Card title={t('settings.title')}>
      {mayWrite ? (
        <form onSubmit={submit} className={form['form']}>
          <TextField
            label={t('column.name')}
            value={draft.name}
            onChange={(name) => setDraft({ ...draft, name })}
            isRequired
            maxLength={100}
          />
          <TextField
            label={t('wizard.parties')}
            description={t('wizard.partiesHint')}
            value={draft.parties}
            onChange={(text) => setDraft({ ...draft, parties: text })}
            isInvalid={parties === null}
            errorMessage={t('wizard.partiesWrong')}
          />
          <Select
            label={t('settings.encoding')}
            options={encodings.map((id) => ({ id, text: t(`settings.encodings.${id}`) }))}
            value={draft.tokenEncoding}
            onChange={(tokenEncoding) => setDraft({ ...draft, tokenEncoding })}
          />
          {saving.error !== null && (
            <p role="alert" className={form['error']}>
              {saving.error.message}
            </p>
          )}
          <div>
            <Button
              type="submit"
              kind="primary"
              isDisabled={!isChanged || parties === null || draft.name.trim() === '' || saving.isPending}
            >
              {t('common:action.save')}
            </Button>
          </div>
        </form>
      ) : (
        <Facts
          facts={[
            [t('settings.encoding'), t(`settings.encodings.${partner.quirks.tokenEncoding}`)],
            [
              t('settings.rateLimit'),
              partner.rateLimitPerHour === null ? absent : formats.integer(partner.rateLimitPerHour),
            ],
          ]}
        />
      )}
    </Card>
  );
}
