import type { CommanderKind } from '#shared/domain/commands/commands.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { Fragment, Sql } from '#shared/postgres/kernel/client.ts';

/** Outcome of a command to a charger. */
export interface CommandOutcome {
  /** Uuid of the charger. */
  chargerUuid: string;
  /** Name of the command, or its OCPP action. */
  action: string;
  outcome: 'accepted' | 'rejected' | 'failed';
  /** Status of the charger's answer; null: it has none. */
  status: string | null;
  /** Null: the charger answered. */
  errorCode: string | null;
  /** Position of the connector. Null: the command is about the whole charger. */
  position: ConnectorPosition | null;
  by: CommanderKind;
  /** Null: no operator sent it. */
  operatorUuid: string | null;
  /** Names of the settings that the command changed, without their values. */
  changedKeys: readonly string[];
}

/** Common table expressions that write the events of a command that is completed, in the statement of its audit entry. */
export function commandEvents(sql: Sql, command: CommandOutcome): Fragment {
  const { chargerUuid, action, outcome, status, errorCode, position, by, operatorUuid, changedKeys } =
    command;
  return sql`
    charger as (
      select id, uuid, network_id from chargers where uuid = ${chargerUuid}
    ), completed as (
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      select network_id, 'command.completed', id, gen_random_uuid(), id, jsonb_build_object('action', ${action}::text,
        'outcome', ${outcome}::text, 'status', ${status}::text, 'errorCode', ${errorCode}::text,
        'evse', ${position?.evse ?? null}::integer, 'connector', ${position?.connector ?? null}::integer,
        'by', ${by}::text, 'operatorId', ${operatorUuid}::uuid)
      from charger
    ), configured as (
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      select network_id, 'charger.configuration_changed', id, uuid, id, jsonb_build_object('keys', ${[...changedKeys]}::text[])
      from charger where cardinality(${[...changedKeys]}::text[]) > 0
    )`;
}
