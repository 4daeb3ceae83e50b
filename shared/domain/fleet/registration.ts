/** Responses to a charger's BootNotification. Pending and Rejected hold the charger: it serves no driver. */
export const registrations = ['Accepted', 'Pending', 'Rejected'] as const;
export type Registration = (typeof registrations)[number];

/** Registrations that a network can give its new chargers. */
export const newChargerRegistrations = ['Accepted', 'Pending'] as const;
export type NewChargerRegistration = (typeof newChargerRegistrations)[number];
