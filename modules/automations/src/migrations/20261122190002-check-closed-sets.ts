import { CheckMigration } from '@service/database';

export class Migration20261122190002 extends CheckMigration {
  override readonly sets = [
    { table: 'automations.rule', column: 'fire_mode', values: ['once_per_session', 'every_match'] },
    { table: 'automations.execution', column: 'outcome', values: ['matched', 'skipped'] },
    {
      table: 'automations.execution',
      column: 'skip_reason',
      values: [
        'condition_not_met',
        'already_fired',
        'rule_disabled',
        'registered_too_late',
        'registration_cancelled',
        'session_cancelled',
        'session_not_scheduled',
        'webinar_archived',
        'webinar_unpublished',
        'not_in_audience',
        'other_event_came',
        'evaluation_budget',
      ],
    },
  ];
}
