import { Execution } from './execution.ts';
import { Rule } from './rule.ts';
import { Subscription } from './subscription.ts';

export const automationEntities = [Rule, Subscription, Execution];
