/** Answers with our time. That the charger was heard is noted for every message, not only for this one. */
export async function handleHeartbeat(): Promise<{ now: Date }> {
  return { now: new Date() };
}
