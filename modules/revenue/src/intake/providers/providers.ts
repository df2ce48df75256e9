import type { RevenueProvider } from '../provider.ts';
import { generic } from './generic/generic.ts';
import { stripe } from './stripe/stripe.ts';

/** Every provider. Adding one means its folder and its line here. */
export const revenueProviders: readonly RevenueProvider[] = [generic, stripe];
