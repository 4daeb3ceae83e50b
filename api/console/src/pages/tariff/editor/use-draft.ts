import { type Dispatch, type SetStateAction, useState } from 'react';
import { type Draft, draftInZone } from './draft.ts';

/** Keeps a draft. When the zone of the page is switched, its typed times stay the same instants. */
export function useDraft(
  first: Draft | (() => Draft),
  timeZone: string,
): [Draft, Dispatch<SetStateAction<Draft>>] {
  const [draft, setDraft] = useState(first);
  const [zone, setZone] = useState(timeZone);
  if (zone === timeZone) return [draft, setDraft];
  const moved = draftInZone(draft, zone, timeZone);
  setZone(timeZone);
  setDraft(moved);
  return [moved, setDraft];
}
