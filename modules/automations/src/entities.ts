import { Execution } from './execution/execution.ts';
import { Firing } from './execution/firing.ts';
import { RuleSet } from './rule/rule-set.ts';
import { Rule } from './rule/rule.ts';
import { Subscription } from './subscription/subscription.ts';
import { Timer } from './timer/timer.ts';

export const automationEntities = [Rule, RuleSet, Subscription, Execution, Firing, Timer];
