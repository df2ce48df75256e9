// The tables better-auth 1.7 expects, with its names and types (its `getMigrations` finds nothing to add: a test
// asks it), and what it leaves out: roles we know, one membership per person and workspace, addresses in lower case.
// Below them are our own tables, since the columns of better-auth's belong to better-auth.
import { Migration } from '@mikro-orm/migrations';

export class Migration202611250441 extends Migration {
  override up(): void {
    this.addSql('create schema accounts');
    this.#createUsers();
    this.#createOrganizations();
    this.#createLimits();
    // No row: not suspended.
    this.addSql(`
      create table accounts.suspension (
        account_id text not null,
        suspended_at timestamptz(3) not null,
        constraint suspension_pkey primary key (account_id),
        constraint suspension_organization_fkey
          foreign key (account_id) references accounts.organization ("id") on delete cascade
      )`);
    // The time zone of a workspace. No row: UTC.
    this.addSql(`
      create table accounts.setting (
        account_id text not null,
        time_zone text not null,
        changed_by text not null,
        changed_at timestamptz(3) not null,
        constraint setting_pkey primary key (account_id),
        constraint setting_organization_fkey
          foreign key (account_id) references accounts.organization ("id") on delete cascade
      )`);
  }

  #createUsers(): void {
    this.addSql(`
      create table accounts."user" (
        "id" text not null,
        "name" text not null,
        "email" text not null,
        "emailVerified" boolean not null,
        "image" text null,
        "createdAt" timestamptz not null default current_timestamp,
        "updatedAt" timestamptz not null default current_timestamp,
        constraint user_pkey primary key ("id"),
        constraint user_email_unique unique ("email"),
        constraint user_email_lower_check check ("email" = lower("email"))
      )`);
    this.addSql(`
      create table accounts.session (
        "id" text not null,
        "expiresAt" timestamptz not null,
        "token" text not null,
        "createdAt" timestamptz not null default current_timestamp,
        "updatedAt" timestamptz not null,
        "ipAddress" text null,
        "userAgent" text null,
        "userId" text not null,
        "activeOrganizationId" text null,
        constraint session_pkey primary key ("id"),
        constraint session_token_unique unique ("token"),
        constraint session_user_fkey foreign key ("userId") references accounts."user" ("id") on delete cascade
      );
      create index "session_userId_idx" on accounts.session ("userId");
      create index "session_expiresAt_idx" on accounts.session ("expiresAt")`);
    this.addSql(`
      create table accounts.account (
        "id" text not null,
        "accountId" text not null,
        "providerId" text not null,
        "userId" text not null,
        "accessToken" text null,
        "refreshToken" text null,
        "idToken" text null,
        "accessTokenExpiresAt" timestamptz null,
        "refreshTokenExpiresAt" timestamptz null,
        "scope" text null,
        "password" text null,
        "createdAt" timestamptz not null default current_timestamp,
        "updatedAt" timestamptz not null,
        constraint account_pkey primary key ("id"),
        constraint account_provider_unique unique ("providerId", "accountId"),
        constraint account_user_fkey foreign key ("userId") references accounts."user" ("id") on delete cascade
      );
      create index "account_userId_idx" on accounts.account ("userId")`);
    this.addSql(`
      create table accounts.verification (
        "id" text not null,
        "identifier" text not null,
        "value" text not null,
        "expiresAt" timestamptz not null,
        "createdAt" timestamptz not null default current_timestamp,
        "updatedAt" timestamptz not null default current_timestamp,
        constraint verification_pkey primary key ("id")
      );
      create index "verification_identifier_idx" on accounts.verification ("identifier")`);
  }

  #createOrganizations(): void {
    this.addSql(`
      create table accounts.organization (
        "id" text not null,
        "name" text not null,
        "slug" text not null,
        "logo" text null,
        "createdAt" timestamptz not null,
        "metadata" text null,
        constraint organization_pkey primary key ("id"),
        constraint organization_slug_unique unique ("slug")
      )`);
    this.addSql(`
      create table accounts.member (
        "id" text not null,
        "organizationId" text not null,
        "userId" text not null,
        "role" text not null,
        "createdAt" timestamptz not null,
        constraint member_pkey primary key ("id"),
        constraint member_once_unique unique ("organizationId", "userId"),
        constraint member_role_check check ("role" in ('owner', 'member')),
        constraint member_organization_fkey
          foreign key ("organizationId") references accounts.organization ("id") on delete cascade,
        constraint member_user_fkey foreign key ("userId") references accounts."user" ("id") on delete cascade
      );
      create index "member_organizationId_idx" on accounts.member ("organizationId");
      create index "member_userId_idx" on accounts.member ("userId")`);
    this.addSql(`
      create table accounts.invitation (
        "id" text not null,
        "organizationId" text not null,
        "email" text not null,
        "role" text not null,
        "status" text not null,
        "expiresAt" timestamptz not null,
        "createdAt" timestamptz not null default current_timestamp,
        "inviterId" text not null,
        constraint invitation_pkey primary key ("id"),
        constraint invitation_role_check check ("role" in ('owner', 'member')),
        constraint invitation_organization_fkey
          foreign key ("organizationId") references accounts.organization ("id") on delete cascade,
        constraint invitation_inviter_fkey
          foreign key ("inviterId") references accounts."user" ("id") on delete cascade
      );
      create index "invitation_organizationId_idx" on accounts.invitation ("organizationId");
      create index "invitation_email_idx" on accounts.invitation ("email")`);
  }

  /**
   * Counters that all processes share. They are unlogged: they live for a minute at most, and a crash of Postgres may empty them.
   * Addresses and e-mails are stored as keyed hashes only.
   */
  #createLimits(): void {
    this.addSql(`
      create unlogged table accounts.sign_in_attempt (
        "subject" text not null,
        "attempts" integer not null,
        "ends_at" timestamptz not null,
        constraint sign_in_attempt_pkey primary key ("subject")
      );
      create index sign_in_attempt_ends_at_idx on accounts.sign_in_attempt ("ends_at")`);
    // The addresses each user has signed in from.
    this.addSql(`
      create table accounts.known_address (
        "user_id" text not null,
        "address" text not null,
        "used_at" timestamptz not null,
        constraint known_address_pkey primary key ("user_id", "address"),
        constraint known_address_user_fkey foreign key ("user_id") references accounts."user" ("id") on delete cascade
      )`);
    // Half-filled pages keep the updates of a busy row on their page and out of the index.
    for (const subject of ['session', 'account'])
      this.addSql(`
        create unlogged table accounts.${subject}_window (
          ${subject}_id text not null,
          started_at timestamptz(0) not null,
          used integer not null,
          constraint ${subject}_window_pkey primary key (${subject}_id)
        ) with (fillfactor = 50)`);
  }
}
