import { Execution } from './execution/execution.ts';
import { Rule } from './rule/rule.ts';
import { Subscription } from './subscription/subscription.ts';

export const automationEntities = [Rule, Subscription, Execution];
