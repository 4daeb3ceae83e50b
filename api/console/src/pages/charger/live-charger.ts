import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type StreamState, useEventStream } from '../../api/event-stream.ts';

/** Reading of a connector; a value is null when the charger did not report it. */
export interface LiveReading {
  time: string;
  powerKw: number | null;
  currentA: number | null;
  voltageV: number | null;
  energyRegisterKwh: number | null;
  sessionEnergyKwh: number | null;
  socPercent: number | null;
  temperatureC: number | null;
}

export interface LiveConnector {
  number: number;
  status: string;
  errorCode: string | null;
  statusAt: string | null;
  sessionId: string | null;
  reading: LiveReading | null;
}

export interface LiveCharger {
  chargerId: string;
  isOnline: boolean;
  connectors: LiveConnector[];
}

/** Live state of a charger. Null until the first event. */
export interface Live {
  charger: LiveCharger | null;
  stream: StreamState;
}

/** Follows the live values of a charger. A change of its sessions or its connection loads them again. */
export function useLiveCharger(uuid: string): Live {
  const [charger, setCharger] = useState<LiveCharger | null>(null);
  const queries = useQueryClient();
  const last = useRef('');
  const stream = useEventStream(`/cpms/v1/chargers/${uuid}/live`, ['live'], (data) => {
    const next = data as LiveCharger;
    setCharger(next);
    const marks = JSON.stringify([
      next.isOnline,
      next.connectors.map(({ sessionId, status }) => [sessionId, status]),
    ]);
    if (last.current !== '' && last.current !== marks) {
      void queries.invalidateQueries({ queryKey: ['charger', uuid] });
      void queries.invalidateQueries({ queryKey: ['sessions', 'running', uuid] });
      void queries.invalidateQueries({ queryKey: ['sessions', 'of-charger', uuid] });
    }
    last.current = marks;
  });
  return { charger: charger?.chargerId === uuid ? charger : null, stream };
}
