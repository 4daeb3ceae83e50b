import { Gauge, type Registry } from 'prom-client';
import type { ApiDeps } from '#api/services/deps.ts';
import { pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { type PushState, readPushStates } from '#shared/postgres/roaming/ocpi-pushes.ts';

const gauges: { name: string; help: string; value: (state: PushState) => number }[] = [
  {
    name: 'sent',
    help: 'Pushes that a partner accepted since its registration',
    value: ({ sent }) => Number(sent),
  },
  {
    name: 'failed',
    help: 'Pushes that failed since the registration of a partner',
    value: ({ failed }) => Number(failed),
  },
  { name: 'waiting', help: 'Objects to be sent to a partner', value: ({ waiting }) => waiting },
  {
    name: 'lag_seconds',
    help: 'Age of the oldest object to be sent',
    value: ({ waitingSince }) =>
      waitingSince === null ? 0 : Math.max(0, (Date.now() - waitingSince.getTime()) / 1000),
  },
  {
    name: 'breaker_open',
    help: '1 while the circuit breaker of a partner holds pushes back',
    value: ({ breaker }) => (breaker === 'CLOSED' ? 0 : 1),
  },
];

/** Adds the metrics of pushes to partners. Each process reports the same values of all API processes. */
export function measurePushes(registry: Registry, { sql }: Pick<ApiDeps, 'sql'>): () => Promise<void> {
  const made = gauges.map(({ name, help, value }) => ({
    value,
    gauge: new Gauge({
      name: `chargeway_ocpi_push_${name}`,
      help: `${help}, by partner; the same at every API process.`,
      labelNames: ['partner'],
      registers: [registry],
    }),
  }));
  return async () => {
    const states = await readPushStates(sql, pushPolicy.failuresToOpen);
    for (const { gauge, value } of made) {
      gauge.reset();
      for (const state of states) gauge.set({ partner: state.partnerUuid }, value(state));
    }
  };
}
