import type { MarketingProvider } from './marketing-provider.ts';

export type * from './marketing-provider.ts';

/** All marketing tools. A new one is a file and a line here. */
export const marketingProviders: readonly MarketingProvider[] = [];
