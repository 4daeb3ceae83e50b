import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../../../api/client.ts';
import type { SimulatedSession } from './simulated-session.ts';

export type Simulation = Schemas['TariffSimulation'];

/** Stored tariff in a version, or a draft of one. */
export type Subject =
  | { tariffId: string; version: number }
  | { tariff: NonNullable<Schemas['SimulateTariffRequest']['tariff']> };

/** Time in ms without a change after which a session is priced. */
const settleMs = 300;

/** Points of the plot: steps of a price stay sharp at the width of a card. */
const points = 180;

/** Prices a session by a tariff, a moment after the last change. Null: a value is missing yet. */
export function useSimulation(subject: Subject | null, session: SimulatedSession | null) {
  const settled = useSettled(
    subject === null || session === null ? '' : JSON.stringify({ subject, session }),
  );
  return useQuery({
    queryKey: ['tariff-simulation', settled],
    queryFn: () => api.POST('/cpms/v1/tariffs/simulate', { body: requestOf(settled) }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

function requestOf(settled: string): Schemas['SimulateTariffRequest'] {
  const { subject, session } = JSON.parse(settled) as { subject: Subject; session: SimulatedSession };
  const priced = 'tariff' in subject ? { tariff: subject.tariff } : { tariffId: subject.tariffId };
  return { ...priced, ...session, points };
}

/** Returns a text as it was when it last stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
