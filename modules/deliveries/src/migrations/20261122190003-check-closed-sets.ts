import { CheckMigration } from '@service/database';

const failures = [
  'http_status',
  'dns',
  'blocked_address',
  'connect',
  'tls',
  'timeout',
  'reset',
  'too_many_redirects',
  'invalid_redirect',
  'invalid_url',
];

export class Migration20261122190003 extends CheckMigration {
  override readonly sets = [
    { table: 'deliveries.delivery', column: 'ended_as', values: ['failure', 'cancelled'] },
    { table: 'deliveries.attempt', column: 'failure', values: failures },
    { table: 'deliveries.endpoint_health', column: 'state', values: ['failing', 'paused', 'draining'] },
    { table: 'deliveries.endpoint_health', column: 'last_failure', values: failures },
    { table: 'deliveries.endpoint_notice', column: 'kind', values: ['paused', 'recovered'] },
    { table: 'deliveries.endpoint_notice', column: 'reason', values: failures },
    { table: 'deliveries.recovery', column: 'state', values: ['running', 'done', 'cancelled'] },
    {
      table: 'deliveries.recovery',
      column: 'cancel_reason',
      values: ['requested', 'switched_off', 'deleted'],
    },
  ];
}
