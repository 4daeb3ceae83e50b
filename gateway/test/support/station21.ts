import type { RPCClient } from 'ocpp-rpc';

const boot = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };

/** Variable of a device model with its value; `instance` of the variable. */
type Variable = readonly [component: string, variable: string, value: string, instance?: string];

/** A station of OCPP 2.1 at a connected client: its messages in words of a test. */
export function station21(client: RPCClient, startedAt = Date.now() - 60 * 60_000) {
  const at = (minutes: number): string => new Date(startedAt + minutes * 60_000).toISOString();
  let seqNo = 0;
  return {
    at,
    boot: () => client.call('BootNotification', boot),
    /** Reports variables of its device model. */
    report: (...variables: Variable[]) =>
      client.call('NotifyReport', {
        requestId: 1,
        generatedAt: at(0),
        seqNo: 0,
        reportData: variables.map(([name, variable, value, instance]) => ({
          component: { name },
          variable: { name: variable, ...(instance !== undefined && { instance }) },
          variableAttribute: [{ value, mutability: 'ReadWrite' }],
        })),
      }),
    /** Sends an event at EVSE 1 with a register in kWh; `transactionInfo` and the rest of the event as given. */
    event: (
      eventType: 'Started' | 'Updated' | 'Ended',
      transactionId: string,
      { minutes = 0, kwh, info = {}, ...more }: Event = {},
    ) =>
      client.call('TransactionEvent', {
        eventType,
        timestamp: at(minutes),
        triggerReason: 'Trigger',
        seqNo: seqNo++,
        transactionInfo: { transactionId, ...info },
        evse: { id: 1, connectorId: 1 },
        ...(kwh !== undefined && {
          meterValue: [
            {
              timestamp: at(minutes),
              sampledValue: [
                {
                  value: kwh,
                  unitOfMeasure: { unit: 'kWh' },
                  measurand: 'Energy.Active.Import.Register',
                  context: contexts[eventType],
                },
              ],
            },
          ],
        }),
        ...more,
      }),
  };
}

const contexts = {
  Started: 'Transaction.Begin',
  Updated: 'Sample.Periodic',
  Ended: 'Transaction.End',
};

interface Event {
  /** Since the start. */
  minutes?: number;
  kwh?: number;
  /** Further fields of transactionInfo. */
  info?: object;
  idToken?: object;
  triggerReason?: string;
  costDetails?: object;
  offline?: boolean;
}
