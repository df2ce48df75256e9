// Links in mails to members. Only hashes of their tokens are stored (SHA-256: a token has 256 random bits).
import { Migration } from '@mikro-orm/migrations';

export class Migration202611252012 extends Migration {
  override up(): void {
    // A newer link of the same kind replaces the former one.
    this.addSql(`
      create table accounts.mail_link (
        user_id text not null,
        kind text not null,
        token_hash text not null,
        expires_at timestamptz(3) not null,
        constraint mail_link_pkey primary key (user_id, kind),
        constraint mail_link_token_hash_unique unique (token_hash),
        constraint mail_link_kind_check check (kind in ('reset', 'verification')),
        constraint mail_link_user_fkey foreign key (user_id) references accounts."user" ("id") on delete cascade
      )`);
    // Several people may type the same address, so each sign-up has a row of its own. The hash of the token is null until its mail is
    // sent.
    this.addSql(`
      create table accounts.pending_sign_up (
        id uuid not null,
        email text not null,
        name text not null,
        workspace_name text null,
        password_hash text not null,
        token_hash text null,
        expires_at timestamptz(3) not null,
        constraint pending_sign_up_pkey primary key (id),
        constraint pending_sign_up_token_hash_unique unique (token_hash)
      );
      create index pending_sign_up_email_index on accounts.pending_sign_up (email)`);
  }
}
