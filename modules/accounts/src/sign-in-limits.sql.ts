// All times are the database's, so that processes with different clocks use the same windows.
import { column, statement } from '@service/database';

/**
 * Takes one attempt from the window of a subject: $1 subject, $2 seconds of a window, $3 attempts in it. A full window is only
 * read, so refused callers do not wait for each other.
 */
export const takeAttempt = statement({
  name: 'accounts.take_attempt',
  text: `
    with taken as (
      insert into accounts.sign_in_attempt as present (subject, attempts, ends_at)
      select $1, 1, now() + make_interval(secs => $2)
      where not exists (
        select from accounts.sign_in_attempt where subject = $1 and ends_at > now() and attempts >= $3
      )
      on conflict (subject) do update set
        attempts = case when present.ends_at <= now() then 1 else present.attempts + 1 end,
        ends_at = case when present.ends_at <= now() then excluded.ends_at else present.ends_at end
      where present.ends_at <= now() or present.attempts < $3
      returning 1
    )
    select
      exists (select from taken) as admitted,
      least($2, coalesce(
        (
          select greatest(1, ceil(extract(epoch from ends_at - now())))
          from accounts.sign_in_attempt
          where subject = $1
        ),
        $2
      ))::int as wait_seconds`,
  row: { admitted: column.boolean, wait_seconds: column.integer },
});

/** Returns a row if the user with e-mail address $1 has signed in from address $2. */
export const findKnownAddress = statement({
  name: 'accounts.find_known_address',
  text: `
    select from accounts.known_address k
    join accounts."user" u on u.id = k.user_id
    where u.email = $1 and k.address = $2`,
});

/** Stores address $2 of user $1, and deletes all but the newest $3. */
export const rememberAddress = statement({
  name: 'accounts.remember_address',
  text: `
    with remembered as (
      insert into accounts.known_address (user_id, address, used_at) values ($1, $2, now())
      on conflict (user_id, address) do update set used_at = now()
    )
    delete from accounts.known_address
    where user_id = $1 and address in (
      select address from accounts.known_address
      where user_id = $1 and address <> $2
      order by used_at desc, address
      offset $3::int - 1
    )`,
});
