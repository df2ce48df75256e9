import { CheckMigration } from '@service/database';

export class Migration20261122190000 extends CheckMigration {
  override readonly sets = [
    { table: 'webinars.webinar', column: 'kind', values: ['standard', 'adaptive'] },
    { table: 'webinars.webinar', column: 'status', values: ['draft', 'published', 'archived', 'deleted'] },
    { table: 'webinars.session', column: 'kind', values: ['scheduled', 'just_in_time', 'on_demand'] },
    { table: 'webinars.session', column: 'control', values: ['clock', 'api'] },
    { table: 'webinars.session', column: 'status', values: ['scheduled', 'live', 'ended', 'cancelled'] },
    { table: 'webinars.interaction', column: 'type', values: ['offer', 'cta', 'poll', 'handout'] },
    { table: 'webinars.interaction', column: 'display', values: ['popup', 'panel', 'banner'] },
    { table: 'webinars.branch', column: 'via', values: ['choice', 'condition', 'default'] },
  ];
}
