import type { MarketingProvider } from './marketing-provider.ts';
import { activecampaign } from './providers/activecampaign/activecampaign.ts';
import { brevoMarketing } from './providers/brevo/brevo-marketing.ts';
import { hubspot } from './providers/hubspot/hubspot.ts';
import { kit } from './providers/kit/kit.ts';
import { klaviyo } from './providers/klaviyo/klaviyo.ts';
import { mailchimp } from './providers/mailchimp/mailchimp.ts';

export * from './field-value.ts';
export type * from './marketing-provider.ts';

/** All marketing tools. A new one is a file and a line here. */
const providers = [klaviyo, hubspot, mailchimp, activecampaign, kit, brevoMarketing] as const;

export type ProviderId = (typeof providers)[number]['id'];

export const marketingProviders = providers as readonly MarketingProvider<unknown, ProviderId>[];
