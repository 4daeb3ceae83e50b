import type { AlertKind, AlertResource } from '#shared/domain/fleet/alert.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Queries that find one kind of alert in stored data, and its end. */
export interface AlertFinder {
  kind: AlertKind;
  resource: AlertResource;
  /**
   * Returns the current conditions, one row for each resource and subject: network_id, resource_id,
   * resource_name, charger_id, session_id, subject, message, details, occurred_at.
   */
  find: (sql: Queryable) => Fragment;
  /** Severity of a row of `condition`; by default of the rule of its network. */
  severity?: (sql: Queryable) => Fragment;
  /**
   * End of an unresolved alert `a`. `gone`: as soon as the condition is no longer found. `never`: an operator
   * resolves it. A repetition is a new occurrence in these two cases only.
   */
  over: 'gone' | 'never' | ((sql: Queryable) => Fragment);
  /** True when another occurrence reopens an acknowledged alert. */
  reopens: boolean;
}

/** Columns of an alert about the charger `c`. */
export const ofCharger = (sql: Queryable) => sql`
  c.network_id, c.uuid::text as resource_id, c.uid as resource_name, c.id as charger_id, null::bigint as session_id`;
