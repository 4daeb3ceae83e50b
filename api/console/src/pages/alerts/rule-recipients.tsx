import { bound } from '../../ui/bound.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { operatorsOf, type RuleDraft, type WrongNumber } from './rule-draft.ts';

const recipientKinds = ['owners', 'addresses'] as const;

/** Recipients of the notifications of a rule, and when they are sent. */
export function RuleRecipients({
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
