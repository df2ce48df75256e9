export { revenueModule } from './module.ts';
export { createAttribution } from './attribution/attribution.ts';
export { revenueProviders } from './intake/providers/providers.ts';
export type { RevenueProvider } from './intake/provider.ts';
export { createRevenueDoor } from './intake/receive/door.ts';
export { createRevenueIntake, type RevenueIntake } from './intake/receive/intake.ts';
export { readRegistrationRevenue } from './report/registration-revenue.ts';
