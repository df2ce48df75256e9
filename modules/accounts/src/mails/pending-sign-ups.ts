// With a mail server a sign-up creates nothing but a row here, for known and unknown addresses alike. The user exists once a person
// opens the link in the mail and types the password again. So a sign-up does not reveal which addresses have an account, neither by
// its answer nor by a sign-in after it, and no account gets a password that a stranger chose.
import { column, createId, nullable, statement, type Query } from '@service/database';
import { createToken, hashOfToken } from './links.ts';

const pendingHours = 24;

interface NewSignUp {
  email: string;
  name: string;
  workspaceName: string | undefined;
  passwordHash: string;
}

const insertPending = statement({
  name: 'accounts.insert_pending_sign_up',
  text: `
    insert into accounts.pending_sign_up (id, email, name, workspace_name, password_hash, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6))`,
});

/** Returns the id of the sign-up. */
export async function addPendingSignUp(query: Query, signUp: NewSignUp): Promise<string> {
  const id = createId();
  const { email, name, workspaceName, passwordHash } = signUp;
  await query(insertPending, [id, email, name, workspaceName ?? null, passwordHash, pendingHours]);
  return id;
}

const findPending = statement({
  name: 'accounts.find_pending_sign_up',
  text: `
    select p.email, p.name, u.id as user_id, u.name as user_name
    from accounts.pending_sign_up p left join accounts."user" u on u.email = p.email
    where p.id = $1 and p.expires_at > now()`,
  row: {
    email: column.text,
    name: column.text,
    user_id: nullable(column.text),
    user_name: nullable(column.text),
  },
});

/** A sign-up with the user who has its address already, if any. */
export async function findPendingSignUp(query: Query, id: string) {
  const [row] = await query(findPending, [id]);
  return row;
}

const setToken = statement({
  name: 'accounts.set_pending_sign_up_token',
  text: 'update accounts.pending_sign_up set token_hash = $2 where id = $1',
});

/** Returns the token of the link to a sign-up, and ends a former one. */
export async function createSignUpToken(query: Query, id: string): Promise<string> {
  const token = createToken();
  await query(setToken, [id, hashOfToken(token)]);
  return token;
}

const findByToken = statement({
  name: 'accounts.find_pending_sign_up_by_token',
  text: `
    select email, name, workspace_name, password_hash from accounts.pending_sign_up
    where token_hash = $1 and expires_at > now()`,
  row: {
    email: column.text,
    name: column.text,
    workspace_name: nullable(column.text),
    password_hash: column.text,
  },
});

/** The sign-up of a link. Undefined for a link that is not valid. */
export async function findSignUpOfLink(query: Query, token: string) {
  const [row] = await query(findByToken, [hashOfToken(token)]);
  return row;
}

const deletePending = statement({
  name: 'accounts.delete_pending_sign_ups',
  text: 'delete from accounts.pending_sign_up where email = $1',
});

/** Deletes all sign-ups with an address, once it has a user. */
export async function deletePendingSignUps(query: Query, email: string): Promise<void> {
  await query(deletePending, [email]);
}
