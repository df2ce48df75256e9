export { createAttribution } from './attribution/attribution.ts';
export type { Credit } from './credit.ts';
export type { RevenueProvider } from './intake/provider.ts';
export { revenueProviders } from './intake/providers/providers.ts';
export { createRevenueDoor } from './intake/receive/door.ts';
export { createRevenueIntake, type RevenueIntake } from './intake/receive/intake.ts';
export type { Recorded } from './ledger/identify-facts.ts';
export { recordFacts } from './ledger/record-facts.ts';
export { replaceCredits } from './ledger/replace-credits.ts';
=======
export type { RevenueFact } from './ledger/revenue-fact.ts';
export { revenueModule } from './module.ts';
export { readRegistrationRevenue } from './report/registration-revenue.ts';
