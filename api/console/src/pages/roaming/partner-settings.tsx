import { bound } from '../../ui/bound.ts';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { noHub } from './partner-values.ts';
import type { Partner } from './roaming-queries.ts';
import { HubField, TokenDaysField } from './trust-fields.tsx';
import { type PartnerDraft, usePartnerEdits } from './use-partner-edits.ts';

const encodings = ['base64', 'raw'] as const;
const httpStatuses = ['ocpi', 'rest'] as const;

/** Settings of a partner: name, parties, those behind a hub, deviations, write access, request rate, position among those asked, validity of tokens, access point. */
export function PartnerSettings({ partner, mayWrite }: { partner: Partner; mayWrite: boolean }) {
  const { t } = useTranslation('roaming');
  return (
    <Card title={t('settings.title')}>
      {mayWrite ? <SettingsForm partner={partner} /> : <SettingsFacts partner={partner} />}
    </Card>
  );
}

function SettingsFacts({ partner }: { partner: Partner }) {
  const { t } = useTranslation(['roaming', 'common']);
  const formats = useFormats();
  const { quirks, hubParties, rateLimitPerHour, writeScopes, authorizationOrder, tokenValidDays } = partner;
  const yesOrNo = (value: boolean) => t(value ? 'common:yes' : 'common:no');
  const numberOrAbsent = (value: number | null) => (value === null ? absent : formats.integer(value));
  return (
    <Facts
      facts={[
        [t('settings.hubParties'), t(`settings.hubPartiesOf.${hubParties ?? noHub}`)],
        [t('settings.encoding'), t(`settings.encodings.${quirks.tokenEncoding}`)],
        [t('settings.httpStatus'), t(`settings.httpStatuses.${quirks.httpStatus}`)],
        [t('settings.writesLocations'), yesOrNo(writeScopes.includes('locations'))],
        [t('settings.rateLimit'), numberOrAbsent(rateLimitPerHour)],
        [t('settings.authorizationOrder'), numberOrAbsent(authorizationOrder)],
        [t('settings.tokenValidDays'), numberOrAbsent(tokenValidDays)],
        [t('settings.accessPoint'), yesOrNo(partner.isNationalAccessPoint)],
      ]}
    />
  );
}

function SettingsForm({ partner }: { partner: Partner }) {
  const { t } = useTranslation(['roaming', 'common']);
  const { draft, before, change, discard, saving, conflict, isChanged, wrong } = usePartnerEdits(partner);
  const labels: Record<keyof PartnerDraft, string> = {
    name: t('column.name'),
    parties: t('wizard.parties'),
    hubParties: t('settings.hubParties'),
    tokenEncoding: t('settings.encoding'),
    httpStatus: t('settings.httpStatus'),
    writesLocations: t('settings.writesLocations'),
    rateLimit: t('settings.rateLimit'),
    authorizationOrder: t('settings.authorizationOrder'),
    tokenValidDays: t('settings.tokenValidDays'),
    isAccessPoint: t('settings.accessPoint'),
  };
  const stored: Record<keyof PartnerDraft, string> = {
    ...before,
    hubParties: t(`settings.hubPartiesOf.${before.hubParties}`),
    tokenEncoding: t(`settings.encodings.${before.tokenEncoding}`),
    httpStatus: t(`settings.httpStatuses.${before.httpStatus}`),
    writesLocations: t(before.writesLocations ? 'common:yes' : 'common:no'),
    rateLimit: before.rateLimit || absent,
    authorizationOrder: before.authorizationOrder || absent,
    tokenValidDays: before.tokenValidDays || absent,
    isAccessPoint: t(before.isAccessPoint ? 'common:yes' : 'common:no'),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit} className={form['form']}>
      <TextField label={labels.name} {...bound(draft, change, 'name')} isRequired maxLength={100} />
      <TextField
        label={labels.parties}
        description={t('wizard.partiesHint')}
        {...bound(draft, change, 'parties')}
        isInvalid={wrong.parties}
        errorMessage={t('wizard.partiesWrong')}
      />
      <HubField draft={draft} onChange={change} />
      <Select
        label={labels.tokenEncoding}
        options={encodings.map((id) => ({ id, text: t(`settings.encodings.${id}`) }))}
        {...bound(draft, change, 'tokenEncoding')}
      />
      <Select
        label={labels.httpStatus}
        options={httpStatuses.map((id) => ({ id, text: t(`settings.httpStatuses.${id}`) }))}
        {...bound(draft, change, 'httpStatus')}
      />
      <TextField
        label={labels.rateLimit}
        description={t('settings.rateLimitHint')}
        inputMode="numeric"
        {...bound(draft, change, 'rateLimit')}
        isInvalid={wrong.rate}
        errorMessage={t('settings.rateLimitWrong')}
      />
      <TextField
        label={labels.authorizationOrder}
        description={t('settings.authorizationOrderHint')}
        inputMode="numeric"
        {...bound(draft, change, 'authorizationOrder')}
        isInvalid={wrong.order}
        errorMessage={t('settings.authorizationOrderWrong')}
      />
      <TokenDaysField draft={draft} onChange={change} />
      <Checkbox
        isSelected={draft.writesLocations}
        onChange={(writesLocations) => change({ writesLocations })}
      >
        {labels.writesLocations}
      </Checkbox>
      <Checkbox isSelected={draft.isAccessPoint} onChange={(isAccessPoint) => change({ isAccessPoint })}>
        {labels.isAccessPoint}
      </Checkbox>
      {saving.error !== null && (
        <p role="alert" className={form['error']}>
          {saving.error.message}
        </p>
      )}
      {conflict !== null && (
        <div role="alert" className={form['error']}>
          <p>{t('settings.conflict.text')}</p>
          {conflict.map((name) => (
            <p key={name}>{t('settings.conflict.field', { field: labels[name], value: stored[name] })}</p>
          ))}
        </div>
      )}
      <div className={form['pair']}>
        {conflict !== null && <Button onPress={discard}>{t('settings.conflict.discard')}</Button>}
        <Button
          type="submit"
          kind="primary"
          isDisabled={
            !isChanged || Object.values(wrong).includes(true) || draft.name.trim() === '' || saving.isPending
          }
        >
          {t(conflict === null ? 'common:action.save' : 'settings.conflict.save')}
        </Button>
      </div>
    </form>
  );
}
