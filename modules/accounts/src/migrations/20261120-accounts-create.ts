// The tables better-auth 1.7 expects, with its names and types (its `getMigrations` finds nothing to add: a test
// asks it), and what it leaves out: roles we know, one membership per person and workspace, addresses in lower case.
import { Migration } from '@mikro-orm/migrations';

export class CreateAccounts extends Migration {
  override up(): void {
    this.addSql(`create schema accounts`);
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
      )`);
    this.addSql(`create index "session_userId_idx" on accounts.session ("userId")`);
    this.addSql(`create index "session_expiresAt_idx" on accounts.session ("expiresAt")`);
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
      )`);
    this.addSql(`create index "account_userId_idx" on accounts.account ("userId")`);
    this.addSql(`
      create table accounts.verification (
        "id" text not null,
        "identifier" text not null,
        "value" text not null,
        "expiresAt" timestamptz not null,
        "createdAt" timestamptz not null default current_timestamp,
        "updatedAt" timestamptz not null default current_timestamp,
        constraint verification_pkey primary key ("id")
      )`);
    this.addSql(`create index "verification_identifier_idx" on accounts.verification ("identifier")`);
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
      )`);
    this.addSql(`create index "member_organizationId_idx" on accounts.member ("organizationId")`);
    this.addSql(`create index "member_userId_idx" on accounts.member ("userId")`);
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
      )`);
    this.addSql(`create index "invitation_organizationId_idx" on accounts.invitation ("organizationId")`);
    this.addSql(`create index "invitation_email_idx" on accounts.invitation ("email")`);
  }
}
