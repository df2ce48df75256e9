import type { MarketingProvider } from './marketing-provider.ts';
import { hubspot } from './providers/hubspot/hubspot.ts';
import { klaviyo } from './providers/klaviyo/klaviyo.ts';
import { mailchimp } from './providers/mailchimp/mailchimp.ts';

export type * from './marketing-provider.ts';

/** All marketing tools. A new one is a file and a line here. */
const providers = [klaviyo, hubspot, mailchimp] as const;

export type ProviderId = (typeof providers)[number]['id'];

export const marketingProviders = providers as readonly MarketingProvider<unknown, ProviderId>[];
