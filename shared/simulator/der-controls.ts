import type { Controls } from './dialect.ts';
import { number, type Payload, text } from './payload.ts';
import type { Answer } from './rpc.ts';

/** Fields of the settings of a control, which are also its lists in a report. */
const settings = [
  'curve',
  'enterService',
  'fixedPFAbsorb',
  'fixedPFInject',
  'fixedVar',
  'freqDroop',
  'gradient',
  'limitMaxDischarge',
] as const;

/** DER controls of a station of 2.1 (R04): they are kept and reported, and do not change its power. */
export class DerControls {
  #controls: Payload[] = [];

  /** Takes a control, which supersedes the former ones of its type. */
  set(controls: Controls, control: Payload): Answer {
    const { controlType, isDefault, controlId } = control;
    const superseded = this.#remove({ controlType, isDefault })
      .map((former) => former.controlId)
      .filter((id) => id !== controlId);
    this.#controls.push(control);
    const supersededIds = superseded.length === 0 ? undefined : superseded;
    return {
      payload: { status: 'Accepted', supersededIds },
      after: () => notify(controls, control, true, supersededIds),
    };
  }

  /** Removes the controls that match. */
  clear(controls: Controls, { isDefault, controlType, controlId }: Payload): Answer {
    const cleared = this.#remove({ isDefault, controlType, controlId });
    return {
      payload: { status: cleared.length === 0 ? 'NotFound' : 'Accepted' },
      after: () => {
        for (const control of cleared) notify(controls, control, false);
      },
    };
  }

  /** Reports the controls that match in one message. */
  report(controls: Controls, request: Payload): Answer {
    const { isDefault, controlType, controlId } = request;
    const found = this.#controls.filter(matches({ isDefault, controlType, controlId }));
    if (found.length === 0) return { payload: { status: 'NotFound' } };
    const lists: Partial<Record<string, Payload[]>> = {};
    for (const control of found) {
      const name = settings.find((field) => control[field] !== undefined);
      if (name !== undefined) (lists[name] ??= []).push(reported(control, name));
    }
    const requestId = number(request, 'requestId') ?? 0;
    return {
      payload: { status: 'Accepted' },
      after: () => controls.send({ action: 'ReportDERControl', payload: { requestId, ...lists } }),
    };
  }

  #remove(criteria: Payload): Payload[] {
    const removed = this.#controls.filter(matches(criteria));
    this.#controls = this.#controls.filter((control) => !removed.includes(control));
    return removed;
  }
}

const matches = (criteria: Payload) => (control: Payload) =>
  Object.entries(criteria).every(([name, value]) => value === undefined || control[name] === value);

function reported(control: Payload, name: (typeof settings)[number]): Payload {
  const { controlId: id, controlType, isDefault } = control;
  const setting = control[name];
  if (name === 'enterService' || name === 'gradient') return { id, [name]: setting };
  const state = { id, isDefault, isSuperseded: false };
  if (name === 'curve') return { ...state, curveType: controlType, curve: setting };
  return { ...state, [name.startsWith('fixedPF') ? 'fixedPF' : name]: setting };
}

/** Reports that a control begins or ends; a default one has no begin. */
function notify(controls: Controls, control: Payload, started: boolean, supersededIds?: unknown): void {
  if (control.isDefault === true) return;
  const timestamp = new Date().toISOString();
  const payload = { controlId: text(control, 'controlId'), started, timestamp, supersededIds };
  controls.send({ action: 'NotifyDERStartStop', payload });
}
