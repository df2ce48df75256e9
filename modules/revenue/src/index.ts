export { createAttribution } from './attribution/attribution.ts';
export type { Credit } from './credit.ts';
export { recordFacts } from './ledger/record-facts.ts';
export { replaceCredits } from './ledger/replace-credits.ts';
export { revenueModule } from './module.ts';
export type { Recorded } from './ledger/identify-facts.ts';
export type { RevenueFact } from './ledger/revenue-fact.ts';
export { readRegistrationRevenue } from './report/registration-revenue.ts';
