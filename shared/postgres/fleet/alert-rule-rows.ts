import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import {
  type AlertRuleSettings,
  type AlertThreshold,
  defaultAlertRule,
} from '#shared/domain/fleet/alert-rules.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * Returns a query of the rules of a kind: one row for each network, and one for the whole system with a null network. Columns:
 * network_id, is_enabled, severity, thresholds.
 */
export function ruleRows(sql: Queryable, kind: AlertKind, settings: AlertRuleSettings): Fragment {
  const { isEnabled, severity, thresholds } = defaultAlertRule(kind, settings);
  const columns = sql`coalesce(r.is_enabled, ${isEnabled}::boolean) as is_enabled,
    coalesce(r.severity, ${severity}::text) as severity,
    ${sql.json(thresholds)}::jsonb || coalesce(r.thresholds, '{}') as thresholds`;
  return sql`
    select n.id as network_id, ${columns}
    from networks n left join alert_rules r on r.network_id = n.id and r.kind = ${kind}
    union all
    select null, ${columns}
    from (values (true)) whole(system) left join alert_rules r on r.network_id is null and r.kind = ${kind}`;
}

/** Returns a threshold of the row `rule`. */
export const threshold = (sql: Queryable, name: AlertThreshold): Fragment =>
  sql`(rule.thresholds ->> ${name})::integer`;
