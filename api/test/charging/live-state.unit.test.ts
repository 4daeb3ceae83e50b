import t from 'tap';
import { LiveState } from '#api/services/charging/live-state.ts';

const sessionId = '0d1a7e3c-51a2-4a63-9d12-7a86b1f4c6a5';
const position = { evse: 1, connector: 1 };
const stored = {
  ...position,
  chargerId: 1,
  number: 1,
  status: 'Charging',
  errorCode: null,
  statusAt: null,
  sessionId,
  energyWh: null,
  powerW: null,
  socPercent: null,
  liveAt: null,
};

/** State of a charger whose session was reported to run, or to have ended, in this order. */
function stateAfter(reports: readonly boolean[]): LiveState {
  const state = new LiveState();
  state.load([stored]);
  for (const isRunning of reports) {
    state.update({ readings: [], statuses: [], sessions: [{ ...position, sessionId, isRunning }] });
  }
  return state;
}

void t.test('hides an ended session that a stored state still shows', async (t) => {
  const state = stateAfter([false]);
  state.load([stored]);
  t.match(state.connectors, [{ sessionId: null }]);
});

void t.test('shows a session that runs again after it was closed by mistake', async (t) => {
  const state = stateAfter([false, true]);
  t.match(state.connectors, [{ sessionId }]);
  state.load([stored]);
  t.match(state.connectors, [{ sessionId }], 'also from the stored state');
});
