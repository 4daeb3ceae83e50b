/**
 * Time in ms after which a read or write of a store counts as failed: longer than the timeout of the driver, shorter
 * than the deadline of a charger's call. A second limit, so that nothing waits without end.
 */
export const storeDeadlineMs = 20_000;
