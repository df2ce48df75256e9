import type { MigrationEntry } from '@service/database';
import { Migration202611250445 } from './202611250445-create-webinars.ts';
import { Migration202611252330 } from './202611252330-publish-slugs.ts';
import { Migration202611260030 } from './202611260030-add-chat-interactions.ts';
import { migration202611261550 } from './202611261550-add-start-index-of-accounts.ts';
import { migration202611271003 } from './202611271003-add-next-session-index.ts';

export const webinarMigrations: MigrationEntry[] = [
  {
    name: '202611250445-create-webinars',
    class: Migration202611250445,
  },
  { name: '202611252330-publish-slugs', class: Migration202611252330 },
  { name: '202611260030-add-chat-interactions', class: Migration202611260030 },
  migration202611261550,
  migration202611271003,
];
