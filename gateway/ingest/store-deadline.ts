/**
 * A store that has not answered a shard's read or write after so many ms has failed. Longer than its driver takes to say
 * so, shorter than what a charger is kept waiting: a second line, so that nothing waits for ever.
 */
export const storeDeadlineMs = 20_000;
