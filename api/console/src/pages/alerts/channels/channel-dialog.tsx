import { type AlertChannelFormat, alertChannelFormats } from '#shared/domain/fleet/alert-channel.ts';
import { type AlertKind, alertKinds, alertSeverities } from '#shared/domain/fleet/alert.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworkQuery } from '../../../app/network-switcher.tsx';
import { bound } from '../../../ui/bound.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { type Channel, useChannelSaving } from './channel-queries.ts';

const languages = ['network', 'en', 'de', 'fr', 'nl'] as const;
const selections = ['all', 'some'] as const;

interface Draft {
  name: string;
  format: AlertChannelFormat;
  url: string;
  routingKey: string;
  signingSecret: string;
  selection: (typeof selections)[number];
  kinds: AlertKind[];
  minimumSeverity: Channel['minimumSeverity'];
  language: (typeof languages)[number];
  isEnabled: boolean;
}

function draftOf(channel: Channel | null): Draft {
  return {
    name: channel?.name ?? '',
    format: channel?.format ?? 'slack',
    url: '',
    routingKey: '',
    signingSecret: '',
    selection: channel === null || channel.kinds.length === 0 ? 'all' : 'some',
    kinds: [...(channel?.kinds ?? [])],
    minimumSeverity: channel?.minimumSeverity ?? 'warning',
    language: channel?.language ?? 'network',
    isEnabled: channel?.isEnabled ?? true,
  };
}

/** Returns a secret of a request: only what was entered. */
const entered = <Name extends string>(name: Name, text: string) =>
  (text.trim() === '' ? {} : { [name]: text.trim() }) as { [Each in Name]?: string };

function bodyOf(draft: Draft, networkUuid: string | undefined) {
  const { name, format, url, routingKey, signingSecret, selection, kinds, language, ...rest } = draft;
  return {
    ...(networkUuid === undefined ? {} : { networkUuid }),
    name: name.trim(),
    format,
    ...entered('url', url),
    ...(format === 'pagerduty' ? entered('routingKey', routingKey) : {}),
    ...(format === 'webhook' ? entered('signingSecret', signingSecret) : {}),
    kinds: selection === 'all' ? [] : kinds,
    minimumSeverity: rest.minimumSeverity,
    language: language === 'network' ? null : language,
    isEnabled: rest.isEnabled,
  };
}

/** Kinds of networks. Alerts of the whole system reach no channel. */
const kindsOfNetworks = alertKinds.filter((kind) => kind !== 'gateway-spooling');

const shown = ['name', 'url', 'routingKey', 'signingSecret'];

/** Creates a channel, or edits one. Its address and keys are entered, and never shown. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | null; onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common']);
  const { networkUuid } = useNetworkQuery();
  const [draft, setDraft] = useState(() => draftOf(channel));
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const saving = useChannelSaving(channel, onClose);
  const errorOf = fieldErrors(saving.error);
  const isKept = channel !== null;
  const { format } = draft;
  return (
    <FormDialog
      title={channel === null ? t('channels.new') : t('channels.edit', { name: channel.name })}
      saving={saving}
      shown={shown}
      isReady={draft.selection === 'all' || draft.kinds.length > 0}
      onSubmit={() => saving.mutate(bodyOf(draft, networkUuid))}
      onClose={onClose}
    >
      {!isKept && (
        <Select
          label={t('channels.format')}
          options={alertChannelFormats.map((id) => ({ id, text: t(`channels.formats.${id}`) }))}
          {...bound(draft, change, 'format')}
        />
      )}
      <TextField
        label={t('channels.name')}
        isRequired
        maxLength={100}
        {...bound(draft, change, 'name')}
        {...errorOf('name')}
      />
      {format === 'pagerduty' && (
        <TextField
          label={t('channels.routingKey')}
          description={isKept ? t('channels.kept') : t('channels.routingKeyHint')}
          isRequired={!isKept}
          autoComplete="off"
          {...bound(draft, change, 'routingKey')}
          {...errorOf('routingKey')}
        />
      )}
      <TextField
        label={t('channels.url')}
        description={isKept ? t('channels.kept') : t(`channels.urlHint.${format}`)}
        type="url"
        placeholder="https://"
        autoComplete="off"
        isRequired={!isKept && format !== 'pagerduty'}
        {...bound(draft, change, 'url')}
        {...errorOf('url')}
      />
      {format === 'webhook' && (
        <TextField
          label={t('channels.signingSecret')}
          description={isKept ? t('channels.kept') : t('channels.signingSecretHint')}
          placeholder="whsec_"
          autoComplete="off"
          {...bound(draft, change, 'signingSecret')}
          {...errorOf('signingSecret')}
        />
      )}
      <Select
        label={t('channels.severity')}
        options={alertSeverities.map((id) => ({ id, text: t(`channels.severities.${id}`) }))}
        {...bound(draft, change, 'minimumSeverity')}
      />
      <Select
        label={t('channels.kinds')}
        options={selections.map((id) => ({ id, text: t(`channels.selections.${id}`) }))}
        {...bound(draft, change, 'selection')}
      />
      {draft.selection === 'some' && (
        <CheckboxGroup
          label={t('columns.kind')}
          options={kindsOfNetworks.map((id) => ({ id, text: t(`kind.${id}`) }))}
          {...bound(draft, change, 'kinds')}
        />
      )}
      <Select
        label={t('channels.language')}
        options={languages.map((id) => ({ id, text: t(`channels.languages.${id}`) }))}
        {...bound(draft, change, 'language')}
      />
      <Checkbox isSelected={draft.isEnabled} onChange={(isEnabled) => change({ isEnabled })}>
        {t('channels.enabled')}
      </Checkbox>
    </FormDialog>
  );
}
