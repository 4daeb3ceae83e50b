import { bound } from '../../ui/bound.ts';
import { FormDialog } from '../../ui/form.tsx';
import { alertSeverities } from '#shared/domain/fleet/alert.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Select, TextField, TextArea } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import {
  draftOf,
  type RuleDraft,
  settingsOf,
  wrongNumbers,
  operatorsOf,
  type WrongNumber,
} from './rule-draft.ts';
import form from '../../ui/form.module.css';

type Rule = Schemas['AlertRule'];

/** Editor of the rule of a kind of alerts. */
export function RuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { t } = useTranslation(['alerts', 'common']);
  const [draft, setDraft] = useState(() => draftOf(rule));
  const [isResetting, setResetting] = useState(false);
  const change = (changed: Partial<RuleDraft>) => setDraft({ ...draft, ...changed });
  const wrong = wrongNumbers(draft);
  const { save, reset } = useRuleChanges(rule, onClose);
  const kind = t(`kind.${rule.kind}`);
  if (isResetting) {
    return (
      <ConfirmDialog
        title={t('rules.resetTitle', { kind })}
        action={t('rules.reset')}
        onConfirm={() => reset.mutate()}
        onClose={() => setResetting(false)}
      >
        <p>{t('rules.resetDetail')}</p>
      </ConfirmDialog>
    );
  }
  return (
    <FormDialog
      title={t('rules.edit', { kind })}
      action={t('common:action.save')}
      saving={save}
      isReady={wrong.size === 0}
      buttons={!rule.isDefault && <Button onPress={() => setResetting(true)}>{t('rules.reset')}</Button>}
      onSubmit={() => save.mutate(draft)}
      onClose={onClose}
    >
      <Checkbox isSelected={draft.enabled} onChange={(enabled) => change({ enabled })}>
        {t('rules.enabled')}
      </Checkbox>
      <Select
        label={t('columns.severity')}
        options={alertSeverities.map((id) => ({ id, text: t(`severity.${id}`) }))}
        {...bound(draft, change, 'severity')}
      />
      {draft.thresholds.map(([name, value], index) => (
        <TextField
          key={name}
          label={t(`threshold.${name}`)}
          inputMode="numeric"
          isRequired
          value={value}
          isInvalid={value !== '' && wrong.has(name)}
          errorMessage={t('rules.notNumber')}
          onChange={(next) => change({ thresholds: draft.thresholds.with(index, [name, next]) })}
        />
      ))}
      <Checkbox isSelected={draft.notify} onChange={(isOn) => change({ notify: isOn })}>
        {t('rules.notify')}
      </Checkbox>
      {(draft.notify || wrong.has('group') || wrong.has('escalate')) && (
        <RuleRecipients rule={rule} draft={draft} wrong={wrong} onChange={change} />
      )}
    </FormDialog>
  );
}

function useRuleChanges(rule: Rule, onClose: () => void) {
  const { t } = useTranslation('alerts');
  const queries = useQueryClient();
  const network = useNetworkQuery();
  const params = { path: { kind: rule.kind }, query: network };
  const end = async (text: string) => {
    notify('done', text);
    onClose();
    await queries.invalidateQueries({ queryKey: ['alert-rules'] });
  };
  const save = useMutation({
    mutationFn: (draft: RuleDraft) =>
      api.PUT('/cpms/v1/alert-rules/{kind}', { params, body: settingsOf(draft, rule) }),
    onSuccess: () => end(t('rules.saved')),
  });
  const reset = useMutation({
    mutationFn: () => api.DELETE('/cpms/v1/alert-rules/{kind}', { params }),
    onSuccess: () => end(t('rules.wasReset')),
    onError: (error) => notify('failed', error.message),
  });
  return { save, reset };
}

const recipientKinds = ['owners', 'addresses'] as const;

/** Recipients of the notifications of a rule, and when they are sent. */
function RuleRecipients({
  rule,
  draft,
  wrong,
  onChange,
}: {
  rule: Schemas['AlertRule'];
  draft: RuleDraft;
  wrong: Set<WrongNumber>;
  onChange: (changed: Partial<RuleDraft>) => void;
}) {
  const { t } = useTranslation('alerts');
  const staying = (recipients: Schemas['AlertRecipient'][] | null) => {
    const count = operatorsOf(recipients).length;
    return count === 0 ? '' : t('rules.operatorsStay', { count });
  };
  return (
    <>
      <Select
        label={t('rules.recipients')}
        options={recipientKinds.map((id) => ({ id, text: t(`rules.recipientKinds.${id}`) }))}
        {...bound(draft, onChange, 'recipients')}
      />
      {draft.recipients === 'addresses' && (
        <TextArea
          label={t('rules.addresses')}
          description={staying(rule.recipients)}
          rows={3}
          {...bound(draft, onChange, 'addresses')}
        />
      )}
      <TextField
        label={t('rules.group')}
        inputMode="numeric"
        isRequired
        {...bound(draft, onChange, 'group')}
        isInvalid={draft.group !== '' && wrong.has('group')}
        errorMessage={t('rules.notNumber')}
      />
      <div className={form['pair']}>
        <TextField label={t('rules.quietFrom')} type="time" {...bound(draft, onChange, 'quietFrom')} />
        <TextField label={t('rules.quietTo')} type="time" {...bound(draft, onChange, 'quietTo')} />
      </div>
      <p className={form['hint']}>{t('rules.quietHint')}</p>
      <TextField
        label={t('rules.escalate')}
        description={t('rules.escalateHint')}
        inputMode="numeric"
        {...bound(draft, onChange, 'escalate')}
        isInvalid={wrong.has('escalate')}
        errorMessage={t('rules.notNumber')}
      />
      {draft.escalate !== '' && (
        <TextArea
          label={t('rules.escalateTo')}
          description={staying(rule.escalateTo)}
          rows={2}
          {...bound(draft, onChange, 'escalateTo')}
        />
      )}
    </>
  );
}
