// The closed sets of registrations, apart from the entity, because the filters of the dashboard use them too.

export const registrationSources = ['page', 'api', 'bulk', 'mcp', 'dashboard'] as const;

/** `registered -> attending -> attended` or `no_show`. Each of them can become `cancelled`. */
export const registrationStatuses = ['registered', 'attending', 'attended', 'no_show', 'cancelled'] as const;
