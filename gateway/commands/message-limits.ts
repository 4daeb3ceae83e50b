import type { ConnectedCharger } from '#gateway/connections/registry.ts';
import { CallRefused } from '#gateway/frame/errors.ts';
import type { LimitName, MessageLimits } from '#gateway/protocol/divided-request.ts';
import type { Connection } from '#gateway/socket/connection.ts';
import type { VariableSelector } from '#shared/domain/commands/commands.ts';
import { InvalidPayload } from '#shared/ocpp/validators.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { readReportedLimits } from '#shared/postgres/fleet/device-records.ts';

const limitVariables = { items: 'ItemsPerMessage', bytes: 'BytesPerMessage' } as const;

/**
 * Message limits of the chargers of a shard: as reported (B07), else as read from the charger. A value that was read
 * is cached for the connection.
 */
export class LimitLookup {
  readonly #sql: Sql;
  readonly #answered = new WeakMap<Connection, Map<string, MessageLimits>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @throws {CallTimeout | SocketClosed} when the charger does not answer by `deadline` (ms, `performance.now`). */
  async of(charger: ConnectedCharger, name: LimitName, deadline: number): Promise<MessageLimits> {
    const key = `${name.component}/${name.instance}`;
    const kept = this.#answered.get(charger.connection) ?? new Map<string, MessageLimits>();
    this.#answered.set(charger.connection, kept);
    const answered = kept.get(key);
    if (answered !== undefined) return answered;
    const reported = await readReportedLimits(this.#sql, charger.charger.id, name);
    if (reported.items !== null || reported.bytes !== null) return reported;
    const limits = {
      items: await ask(charger, name, limitVariables.items, deadline),
      bytes: await ask(charger, name, limitVariables.bytes, deadline),
    };
    kept.set(key, limits);
    return limits;
  }
}

/** Reads a single variable: the charger may accept only one per message. */
async function ask(
  { protocol, connection }: ConnectedCharger,
  { component, instance }: LimitName,
  variable: string,
  deadline: number,
): Promise<number | null> {
  const selector: VariableSelector = {
    component,
    componentInstance: null,
    evseId: null,
    connectorId: null,
    variable,
    variableInstance: instance,
    attributeType: 'Actual',
  };
  const call = protocol.commands['get-variables']({ type: 'get-variables', variables: [selector] });
  const timeoutMs = Math.max(1, deadline - performance.now());
  try {
    const { variables } = call.decode(
      await connection.call(call.action, call.request, timeoutMs, (payload) => call.decode(payload)),
    );
    const value = variables?.[0]?.value ?? '';
    return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null;
  } catch (error) {
    if (error instanceof CallRefused || error instanceof InvalidPayload) return null;
    throw error;
  }
}
