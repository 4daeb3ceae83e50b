import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { textOf } from '../../texts/numbers.ts';
import { notify } from '../../ui/toast.tsx';
import { partiesOf, partyName } from './parties.ts';
import { countOf, hubPartiesOf, maxOrder, maxRate, maxTokenDays, noHub } from './partner-values.ts';
import { changePartner, type Partner, partnerQuery } from './roaming-queries.ts';

type Opened = Pick<
  Partner,
  | 'id'
  | 'version'
  | 'name'
  | 'parties'
  | 'quirks'
  | 'hubParties'
  | 'writeScopes'
  | 'rateLimitPerHour'
  | 'authorizationOrder'
  | 'tokenValidDays'
  | 'isNationalAccessPoint'
>;

/** Settings of a partner as the inputs hold them. */
export type PartnerDraft = ReturnType<typeof draftOf>;

const draftOf = (partner: Opened) => ({
  name: partner.name,
  parties: partner.parties.map(partyName).join(', '),
  hubParties: partner.hubParties ?? noHub,
  tokenEncoding: partner.quirks.tokenEncoding,
  httpStatus: partner.quirks.httpStatus,
  writesLocations: partner.writeScopes.includes('locations'),
  rateLimit: textOf(partner.rateLimitPerHour),
  authorizationOrder: textOf(partner.authorizationOrder),
  tokenValidDays: textOf(partner.tokenValidDays),
  isAccessPoint: partner.isNationalAccessPoint,
});

const namesOf = (draft: PartnerDraft) => Object.keys(draft) as (keyof PartnerDraft)[];

/** Edits of the settings of a partner and their saving, which refuses to overwrite a change of another user. */
export function usePartnerEdits(partner: Partner) {
  const { t } = useTranslation('roaming');
  const queries = useQueryClient();
  // The draft belongs to a version. What is read later replaces it while nothing is entered.
  const [opened, setOpened] = useState<Opened>(partner);
  const before = draftOf(opened);
  const [draft, setDraft] = useState(before);
  // Settings that another user also changed while they were edited, or null if the partner is unchanged.
  const [conflict, setConflict] = useState<(keyof PartnerDraft)[] | null>(null);
  const changed = namesOf(draft).filter((name) => draft[name] !== before[name]);
  const isChanged = (name: keyof PartnerDraft) => changed.includes(name);
  const open = (next: Opened) => {
    setOpened(next);
    setDraft(draftOf(next));
    setConflict(null);
  };
  if (changed.length === 0 && partner.version > opened.version) open(partner);
  const parties = partiesOf(draft.parties);
  const rate = countOf(draft.rateLimit, maxRate);
  const order = countOf(draft.authorizationOrder, maxOrder);
  const tokenDays = countOf(draft.tokenValidDays, maxTokenDays);
  const saving = useMutation({
    mutationFn: () =>
      changePartner(opened, {
        ...(isChanged('name') && { name: draft.name.trim() }),
        ...(isChanged('parties') && { parties: parties ?? [] }),
        ...(isChanged('hubParties') && { hubParties: hubPartiesOf(draft.hubParties) }),
        ...((isChanged('tokenEncoding') || isChanged('httpStatus')) && {
          quirks: {
            ...(isChanged('tokenEncoding') && { tokenEncoding: draft.tokenEncoding }),
            ...(isChanged('httpStatus') && { httpStatus: draft.httpStatus }),
          },
        }),
        ...(isChanged('writesLocations') && { writeScopes: draft.writesLocations ? ['locations'] : [] }),
        ...(isChanged('rateLimit') && { rateLimitPerHour: rate ?? null }),
        ...(isChanged('authorizationOrder') && { authorizationOrder: order ?? null }),
        ...(isChanged('tokenValidDays') && { tokenValidDays: tokenDays ?? null }),
        ...(isChanged('isAccessPoint') && { isNationalAccessPoint: draft.isAccessPoint }),
      }),
    onSuccess: async (saved) => {
      open(saved);
      notify('done', t('settings.done'));
      await queries.invalidateQueries({ queryKey: ['ocpi-partner', partner.id] });
      await queries.invalidateQueries({ queryKey: ['ocpi-partners'] });
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return;
      const now = await queries.fetchQuery({ ...partnerQuery(partner.id), staleTime: 0 });
      const theirs = draftOf(now);
      setOpened(now);
      setDraft({ ...theirs, ...Object.fromEntries(changed.map((name) => [name, draft[name]])) });
      setConflict(changed.filter((name) => theirs[name] !== before[name]));
      saving.reset();
    },
  });
  return {
    draft,
    /** Settings as they are stored. */
    before,
    change: (part: Partial<PartnerDraft>) => setDraft({ ...draft, ...part }),
    discard: () => open(opened),
    saving,
    conflict,
    isChanged: changed.length > 0,
    /** Inputs whose text cannot be sent. */
    wrong: {
      parties: parties === null,
      rate: rate === undefined,
      order: order === undefined,
      tokenDays: tokenDays === undefined,
    },
  };
}
