
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA accounts;

CREATE SCHEMA activity;

CREATE SCHEMA automations;

CREATE SCHEMA deliveries;

CREATE SCHEMA graphile_worker;

CREATE SCHEMA idempotency;

CREATE SCHEMA jobs;

CREATE SCHEMA keys;

CREATE SCHEMA webinars;

CREATE TYPE graphile_worker.job_spec AS (
	identifier text,
	payload json,
	queue_name text,
	run_at timestamp with time zone,
	max_attempts smallint,
	job_key text,
	priority smallint,
	flags text[]
);

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE graphile_worker._private_jobs (
    id bigint NOT NULL,
    job_queue_id integer,
    task_id integer NOT NULL,
    payload json DEFAULT '{}'::json NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    max_attempts smallint DEFAULT 25 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    locked_at timestamp with time zone,
    locked_by text,
    revision integer DEFAULT 0 NOT NULL,
    flags jsonb,
    is_available boolean GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED NOT NULL,
    CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512))),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1))
);

CREATE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist (insert only missing identifiers so identity is not consumed)
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    select add_job.identifier
    where not exists (
      select 1
      from "graphile_worker"._private_tasks as existing
      where existing.identifier = add_job.identifier
    )
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      select add_job.queue_name
      where not exists (
        select 1
        from "graphile_worker"._private_job_queues as existing
        where existing.queue_name = add_job.queue_name
      )
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$;

CREATE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
begin
  -- Ensure all the tasks exist (insert only missing identifiers so identity is not consumed)
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  where not exists (
    select 1
    from "graphile_worker"._private_tasks as existing
    where existing.identifier = spec.identifier
  )
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  and not exists (
    select 1
    from "graphile_worker"._private_job_queues as existing
    where existing.queue_name = spec.queue_name
  )
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$$;

CREATE FUNCTION graphile_worker.complete_jobs(job_ids bigint[]) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$;

CREATE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.remove_job(job_key text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql STRICT
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$$;

CREATE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE TABLE accounts.account (
    id text NOT NULL,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamp with time zone,
    "refreshTokenExpiresAt" timestamp with time zone,
    scope text,
    password text,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);

CREATE UNLOGGED TABLE accounts.account_window (
    account_id text NOT NULL,
    started_at timestamp(0) with time zone NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE accounts.invitation (
    id text NOT NULL,
    "organizationId" text NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    status text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "inviterId" text NOT NULL,
    CONSTRAINT invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);

CREATE TABLE accounts.known_address (
    user_id text NOT NULL,
    address text NOT NULL,
    used_at timestamp with time zone NOT NULL
);

CREATE TABLE accounts.member (
    id text NOT NULL,
    "organizationId" text NOT NULL,
    "userId" text NOT NULL,
    role text NOT NULL,
    "createdAt" timestamp with time zone NOT NULL,
    CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);

CREATE TABLE accounts.organization (
    id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    logo text,
    "createdAt" timestamp with time zone NOT NULL,
    metadata text
);

CREATE TABLE accounts.session (
    id text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    token text NOT NULL,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "userId" text NOT NULL,
    "activeOrganizationId" text
);

CREATE UNLOGGED TABLE accounts.session_window (
    session_id text NOT NULL,
    started_at timestamp(0) with time zone NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');

CREATE UNLOGGED TABLE accounts.sign_in_attempt (
    subject text NOT NULL,
    attempts integer NOT NULL,
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE accounts.suspension (
    account_id text NOT NULL,
    suspended_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE accounts."user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    "emailVerified" boolean NOT NULL,
    image text,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT user_email_lower_check CHECK ((email = lower(email)))
);

CREATE TABLE accounts.verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE activity.api_call (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
)
PARTITION BY RANGE (id);

CREATE TABLE activity.api_call_20261121 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261122 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261123 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261124 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261125 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261126 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261127 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261128 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_20261129 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE activity.api_call_count (
    account_id uuid NOT NULL,
    key_id uuid NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    surface text NOT NULL,
    key_label text NOT NULL,
    successes integer NOT NULL,
    failures integer NOT NULL,
    key_created_by jsonb
)
WITH (fillfactor='70');

CREATE TABLE activity.api_call_default (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    surface text NOT NULL,
    status smallint NOT NULL,
    method text,
    path text,
    tool text,
    replayed boolean NOT NULL,
    key_id uuid NOT NULL,
    key_label text NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
);

CREATE TABLE automations.execution (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
)
PARTITION BY RANGE (id);

CREATE TABLE automations.execution_20261121 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261122 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261123 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261124 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261125 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261126 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261127 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261128 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_20261129 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.execution_default (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    outcome text NOT NULL,
    rule_name text NOT NULL,
    delivery_id uuid,
    skip_reason text,
    condition_results jsonb DEFAULT '[]'::jsonb NOT NULL
);

CREATE TABLE automations.firing (
    account_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    session_id uuid NOT NULL,
    subject text NOT NULL,
    fired_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE automations.rule (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    subscription_id uuid,
    name text NOT NULL,
    enabled boolean NOT NULL,
    trigger_type text NOT NULL,
    endpoint_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    trigger_params jsonb DEFAULT '{}'::jsonb NOT NULL,
    conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
    fire_mode text,
    secret_rotated_at timestamp(3) with time zone
);

CREATE TABLE automations.rule_set (
    account_id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    version integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE automations.subscription (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    active boolean NOT NULL,
    secret_rotated_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE automations.timer (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    rule_id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid,
    due_at timestamp(3) with time zone NOT NULL,
    source_event text,
    source_at timestamp(3) with time zone,
    after_registration_id uuid
);

CREATE TABLE deliveries.attempt (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
)
PARTITION BY RANGE (delivery_id);

CREATE TABLE deliveries.attempt_20261121 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261122 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261123 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261124 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261125 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261126 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261127 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261128 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_20261129 (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.attempt_default (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    response_code smallint,
    response_snippet text,
    failure text,
    failure_message text,
    dns_ms integer,
    connect_ms integer,
    tls_ms integer,
    first_byte_ms integer,
    redirects text[],
    signature text,
    standard_signature text
);

CREATE TABLE deliveries.delivery (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
)
PARTITION BY RANGE (id);

CREATE TABLE deliveries.delivery_20261121 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261122 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261123 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261124 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261125 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261126 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261127 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261128 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_20261129 (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.delivery_default (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    body text NOT NULL,
    is_refire boolean NOT NULL,
    attempts_max smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    ended_as text,
    redelivery_of uuid,
    is_test boolean DEFAULT false NOT NULL
);

CREATE TABLE deliveries.due (
    delivery_id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    due_at timestamp(6) with time zone NOT NULL,
    attempts smallint NOT NULL,
    leased_until timestamp(6) with time zone,
    claim uuid,
    tries smallint NOT NULL,
    worker integer
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');

CREATE TABLE deliveries.endpoint (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    sealed_secret text NOT NULL,
    secret_last4 text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    enabled boolean DEFAULT true NOT NULL
);

CREATE TABLE deliveries.endpoint_health (
    endpoint_id uuid NOT NULL,
    account_id uuid NOT NULL,
    state text NOT NULL,
    failures integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    probe_at timestamp(3) with time zone,
    probes smallint NOT NULL,
    drain_rate integer NOT NULL,
    last_failure text,
    last_response_code smallint
)
WITH (fillfactor='50');

CREATE TABLE deliveries.endpoint_notice (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    kind text NOT NULL,
    reason text,
    at timestamp(3) with time zone NOT NULL,
    told_at timestamp(3) with time zone
);

CREATE TABLE deliveries.recovery (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    statuses text[] NOT NULL,
    event_types text[],
    state text NOT NULL,
    cancel_reason text,
    total integer NOT NULL,
    is_total_capped boolean NOT NULL,
    queued integer NOT NULL,
    cursor uuid NOT NULL,
    next_at timestamp(6) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone
)
WITH (fillfactor='50');

CREATE TABLE deliveries.suspended_account (
    account_id uuid NOT NULL,
    resumed_at timestamp(3) with time zone
);

CREATE TABLE deliveries.worker (
    number integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE graphile_worker._private_job_queues (
    id integer NOT NULL,
    queue_name text NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    is_available boolean GENERATED ALWAYS AS ((locked_at IS NULL)) STORED NOT NULL,
    CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);

CREATE TABLE graphile_worker._private_known_crontabs (
    identifier text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    last_execution timestamp with time zone
);

CREATE TABLE graphile_worker._private_tasks (
    id integer NOT NULL,
    identifier text NOT NULL,
    CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128))
);

ALTER TABLE graphile_worker._private_job_queues ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.job_queues_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW graphile_worker.jobs AS
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));

ALTER TABLE graphile_worker._private_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.jobs_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE graphile_worker.migrations (
    id integer NOT NULL,
    ts timestamp with time zone DEFAULT now() NOT NULL,
    breaking boolean DEFAULT false NOT NULL
);

ALTER TABLE graphile_worker._private_tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE idempotency.kept_answer (
    account_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    location text,
    sealed_body text,
    created_at timestamp(3) with time zone NOT NULL,
    sealed bytea,
    bytes integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY idempotency.kept_answer ALTER COLUMN sealed SET STORAGE EXTERNAL;

CREATE TABLE idempotency.kept_bytes (
    account_id uuid NOT NULL,
    slot smallint NOT NULL,
    bytes bigint NOT NULL
);

CREATE TABLE jobs.cron_run (
    name text NOT NULL,
    ran_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE keys.api_key (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    label text NOT NULL,
    prefix text NOT NULL,
    hint text NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    surfaces text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    requests bigint NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    created_by_name text
)
WITH (fillfactor='80');

CREATE UNLOGGED TABLE keys.rate_window (
    account_id uuid NOT NULL,
    started_at timestamp(0) with time zone NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE keys.suspended_account (
    account_id uuid NOT NULL
);

CREATE TABLE public.migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    executed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);

CREATE SEQUENCE public.migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migration_id_seq OWNED BY public.migration.id;

CREATE TABLE webinars.attendance (
    account_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    visits jsonb NOT NULL,
    first_visit_at timestamp(3) with time zone NOT NULL,
    first_joined_at timestamp(3) with time zone,
    join_count integer DEFAULT 0 NOT NULL,
    last_seen_at timestamp(3) with time zone,
    leaving_at timestamp(3) with time zone,
    left_at timestamp(3) with time zone,
    check_at timestamp(3) with time zone,
    position_seconds integer DEFAULT 0 NOT NULL,
    watched bytea DEFAULT '\x'::bytea NOT NULL,
    watched_seconds integer DEFAULT 0 NOT NULL,
    completion_percent integer DEFAULT 0 NOT NULL,
    completed_at timestamp(3) with time zone,
    clicks jsonb DEFAULT '{}'::jsonb NOT NULL,
    answers jsonb DEFAULT '{}'::jsonb NOT NULL,
    path jsonb
)
WITH (fillfactor='60');

CREATE TABLE webinars.attendee_event (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
)
PARTITION BY RANGE (id);

CREATE TABLE webinars.attendee_event_202603 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.attendee_event_202605 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.attendee_event_202611 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.attendee_event_202612 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.attendee_event_202701 (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.attendee_event_default (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    registration_id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data jsonb NOT NULL
);

CREATE TABLE webinars.branch (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    from_segment_id uuid NOT NULL,
    to_segment_id uuid NOT NULL,
    label text NOT NULL,
    priority integer NOT NULL,
    via text NOT NULL,
    conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
    prompt_text text,
    prompt_at_seconds integer,
    choice_timeout_seconds integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webinars.interaction (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    segment_id uuid,
    type text NOT NULL,
    internal_name text NOT NULL,
    headline text NOT NULL,
    body text,
    show_at_seconds integer NOT NULL,
    hide_at_seconds integer,
    enabled boolean NOT NULL,
    available_in_replay boolean NOT NULL,
    display text NOT NULL,
    dismissible boolean NOT NULL,
    show_when jsonb NOT NULL,
    details jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webinars.poll_count (
    account_id uuid NOT NULL,
    session_id uuid NOT NULL,
    interaction_id uuid NOT NULL,
    option_id text NOT NULL,
    count integer NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE webinars.registration (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    session_id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    source text NOT NULL,
    registered_at timestamp(3) with time zone NOT NULL,
    phone text,
    timezone text,
    locale text,
    custom_fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    utm_term text,
    utm_content text,
    referrer text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    status text DEFAULT 'registered'::text NOT NULL,
    token_version integer DEFAULT 1 NOT NULL,
    cancelled_at timestamp(3) with time zone
);

CREATE TABLE webinars.segment (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    key text NOT NULL,
    title text NOT NULL,
    video_url text,
    duration_seconds integer NOT NULL,
    is_entry boolean NOT NULL,
    is_terminal boolean NOT NULL,
    canvas jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webinars.session (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    webinar_id uuid NOT NULL,
    status text NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    control text NOT NULL,
    timezone text NOT NULL,
    recurrence_key text,
    position_seconds integer NOT NULL,
    actual_started_at timestamp(3) with time zone,
    actual_ended_at timestamp(3) with time zone,
    current_segment_id uuid,
    closing_at timestamp(3) with time zone,
    no_show_at timestamp(3) with time zone
);

CREATE TABLE webinars.webinar (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    description text,
    timezone text NOT NULL,
    duration_seconds integer NOT NULL,
    status text NOT NULL,
    published_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    public_title text,
    slug text NOT NULL,
    kind text NOT NULL,
    locale text NOT NULL,
    video jsonb,
    schedule jsonb NOT NULL,
    room jsonb NOT NULL,
    replay jsonb NOT NULL,
    registration_form jsonb NOT NULL,
    attendance jsonb NOT NULL,
    attribution jsonb NOT NULL
);

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261121 FOR VALUES FROM ('01a1fb67-1800-7000-8000-000000000000') TO ('01a2008d-7400-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261123 FOR VALUES FROM ('01a205b3-d000-7000-8000-000000000000') TO ('01a20ada-2c00-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261124 FOR VALUES FROM ('01a20ada-2c00-7000-8000-000000000000') TO ('01a21000-8800-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261125 FOR VALUES FROM ('01a21000-8800-7000-8000-000000000000') TO ('01a21526-e400-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261126 FOR VALUES FROM ('01a21526-e400-7000-8000-000000000000') TO ('01a21a4d-4000-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261127 FOR VALUES FROM ('01a21a4d-4000-7000-8000-000000000000') TO ('01a21f73-9c00-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261128 FOR VALUES FROM ('01a21f73-9c00-7000-8000-000000000000') TO ('01a22499-f800-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_20261129 FOR VALUES FROM ('01a22499-f800-7000-8000-000000000000') TO ('01a229c0-5400-7000-8000-000000000000');

ALTER TABLE ONLY activity.api_call ATTACH PARTITION activity.api_call_default DEFAULT;

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261121 FOR VALUES FROM ('01a1fb67-1800-7000-8000-000000000000') TO ('01a2008d-7400-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261123 FOR VALUES FROM ('01a205b3-d000-7000-8000-000000000000') TO ('01a20ada-2c00-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261124 FOR VALUES FROM ('01a20ada-2c00-7000-8000-000000000000') TO ('01a21000-8800-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261125 FOR VALUES FROM ('01a21000-8800-7000-8000-000000000000') TO ('01a21526-e400-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261126 FOR VALUES FROM ('01a21526-e400-7000-8000-000000000000') TO ('01a21a4d-4000-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261127 FOR VALUES FROM ('01a21a4d-4000-7000-8000-000000000000') TO ('01a21f73-9c00-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261128 FOR VALUES FROM ('01a21f73-9c00-7000-8000-000000000000') TO ('01a22499-f800-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_20261129 FOR VALUES FROM ('01a22499-f800-7000-8000-000000000000') TO ('01a229c0-5400-7000-8000-000000000000');

ALTER TABLE ONLY automations.execution ATTACH PARTITION automations.execution_default DEFAULT;

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261121 FOR VALUES FROM ('01a1fb67-1800-7000-8000-000000000000') TO ('01a2008d-7400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261123 FOR VALUES FROM ('01a205b3-d000-7000-8000-000000000000') TO ('01a20ada-2c00-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261124 FOR VALUES FROM ('01a20ada-2c00-7000-8000-000000000000') TO ('01a21000-8800-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261125 FOR VALUES FROM ('01a21000-8800-7000-8000-000000000000') TO ('01a21526-e400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261126 FOR VALUES FROM ('01a21526-e400-7000-8000-000000000000') TO ('01a21a4d-4000-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261127 FOR VALUES FROM ('01a21a4d-4000-7000-8000-000000000000') TO ('01a21f73-9c00-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261128 FOR VALUES FROM ('01a21f73-9c00-7000-8000-000000000000') TO ('01a22499-f800-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_20261129 FOR VALUES FROM ('01a22499-f800-7000-8000-000000000000') TO ('01a229c0-5400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.attempt ATTACH PARTITION deliveries.attempt_default DEFAULT;

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261121 FOR VALUES FROM ('01a1fb67-1800-7000-8000-000000000000') TO ('01a2008d-7400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261122 FOR VALUES FROM ('01a2008d-7400-7000-8000-000000000000') TO ('01a205b3-d000-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261123 FOR VALUES FROM ('01a205b3-d000-7000-8000-000000000000') TO ('01a20ada-2c00-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261124 FOR VALUES FROM ('01a20ada-2c00-7000-8000-000000000000') TO ('01a21000-8800-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261125 FOR VALUES FROM ('01a21000-8800-7000-8000-000000000000') TO ('01a21526-e400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261126 FOR VALUES FROM ('01a21526-e400-7000-8000-000000000000') TO ('01a21a4d-4000-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261127 FOR VALUES FROM ('01a21a4d-4000-7000-8000-000000000000') TO ('01a21f73-9c00-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261128 FOR VALUES FROM ('01a21f73-9c00-7000-8000-000000000000') TO ('01a22499-f800-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_20261129 FOR VALUES FROM ('01a22499-f800-7000-8000-000000000000') TO ('01a229c0-5400-7000-8000-000000000000');

ALTER TABLE ONLY deliveries.delivery ATTACH PARTITION deliveries.delivery_default DEFAULT;

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_202603 FOR VALUES FROM ('019ca6b1-dc00-7000-8000-000000000000') TO ('019d4657-0000-7000-8000-000000000000');

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_202605 FOR VALUES FROM ('019de0d5-c800-7000-8000-000000000000') TO ('019e807a-ec00-7000-8000-000000000000');

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_202611 FOR VALUES FROM ('01a19467-e800-7000-8000-000000000000') TO ('01a22ee6-b000-7000-8000-000000000000');

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_202612 FOR VALUES FROM ('01a22ee6-b000-7000-8000-000000000000') TO ('01a2ce8b-d400-7000-8000-000000000000');

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_202701 FOR VALUES FROM ('01a2ce8b-d400-7000-8000-000000000000') TO ('01a36e30-f800-7000-8000-000000000000');

ALTER TABLE ONLY webinars.attendee_event ATTACH PARTITION webinars.attendee_event_default DEFAULT;

ALTER TABLE ONLY public.migration ALTER COLUMN id SET DEFAULT nextval('public.migration_id_seq'::regclass);

INSERT INTO accounts.account VALUES
	('01a203bd-286b-7168-b3f7-2acf36f6930b', '01a203bd-2867-7566-a0ce-793e866e3c3f', 'credential', '01a203bd-2867-7566-a0ce-793e866e3c3f', NULL, NULL, NULL, NULL, NULL, NULL, '78c286028fb7b10f6d39d52a43135787:e4a2e7b1d41632d61770866ea27ebe204cc72c2c05fdbacad068491fc899f9b1cd65dbfde7271aa5cc959af8603c9f8914982c81e113f106a1f5f64ce8f0628c', '2026-11-22 14:50:58.023+00', '2026-11-22 14:50:58.023+00'),
	('01a203bd-5314-7725-80c3-849e29f7b4b1', '01a203bd-5310-73d4-85b3-477b0a529c11', 'credential', '01a203bd-5310-73d4-85b3-477b0a529c11', NULL, NULL, NULL, NULL, NULL, NULL, '88be06a75b3cdd647ed25729170fbd91:6fcdc3e0468a61d026a8ca93b7ae62c319ade9acb6f3f0a0a75ddbb53ecb3a9f417ea274779dcb67befced35b2a59052f1b54e87b70e91aecf9252a71cc9ffee', '2026-11-22 14:51:08.944+00', '2026-11-22 14:51:08.944+00'),
	('01a203bd-5be0-70ba-a822-3490ea02e42d', '01a203bd-5bdd-7433-80c9-45f6ac7f4989', 'credential', '01a203bd-5bdd-7433-80c9-45f6ac7f4989', NULL, NULL, NULL, NULL, NULL, NULL, 'cf8192936ade1238e4b5c59e26d779db:3b5af533b0677ecd7df1d98dc403ef986889edcd82c28b77bbaa74aeaf2991bd259344f32bcf85eac9a53e8317903460069d8aa45114a30b2b5964b5cb59bda9', '2026-11-22 14:51:11.197+00', '2026-11-22 14:51:11.197+00'),
	('01a203bd-6909-763b-b3cb-b8c83e7305a3', '01a203bd-68f1-76a9-b837-347b2fb9fdd9', 'credential', '01a203bd-68f1-76a9-b837-347b2fb9fdd9', NULL, NULL, NULL, NULL, NULL, NULL, '32a963607ad8b0da30d34c2c3fa17eaa:5dc3cf4bdcda590e40296d7edabfecc25f2d17f447f620e5e62d7ce8ed9475c33310f26c300cb451297263c1f8a25022d53f5730e078ad48fb7f1d599f08e442', '2026-11-22 14:51:14.545+00', '2026-11-22 14:51:14.545+00');

INSERT INTO accounts.known_address VALUES
	('01a203bd-5bdd-7433-80c9-45f6ac7f4989', 'HIls-oyzRCu4V-C0wMruBgTQZHzTwfYU_iP_7YfSrJQ', '2026-11-22 14:51:12.137168+00');

INSERT INTO accounts.member VALUES
	('01a203bd-2884-71ed-a7f4-2e66e03c864c', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-2867-7566-a0ce-793e866e3c3f', 'owner', '2026-11-22 14:50:58.049+00'),
	('01a203bd-5322-70b6-9028-3402c4d51332', '01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5310-73d4-85b3-477b0a529c11', 'owner', '2026-11-22 14:51:08.949+00'),
	('01a203bd-5be2-749c-b73f-cd3a4716db17', '01a203bd-5be1-7281-a9da-ca940c74b656', '01a203bd-5bdd-7433-80c9-45f6ac7f4989', 'owner', '2026-11-22 14:51:11.201+00'),
	('01a203bd-6910-7200-be56-c4a31cd157f8', '01a203bd-690b-75db-9f04-a6a82c6ad148', '01a203bd-68f1-76a9-b837-347b2fb9fdd9', 'owner', '2026-11-22 14:51:14.571+00');

INSERT INTO accounts.organization VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', 'Test', 'test-708edb0d', NULL, '2026-11-22 14:50:58.049+00', NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', 'Test', 'test-f7d21248', NULL, '2026-11-22 14:51:08.949+00', NULL),
	('01a203bd-5be1-7281-a9da-ca940c74b656', 'Test', 'test-1aa3f260', NULL, '2026-11-22 14:51:11.201+00', NULL),
	('01a203bd-690b-75db-9f04-a6a82c6ad148', 'Test', 'test-e4fe9b72', NULL, '2026-11-22 14:51:14.571+00', NULL);

INSERT INTO accounts.session VALUES
	('01a203bd-5f4c-70b0-8752-39d8c224a57e', '2026-11-29 14:51:12.045+00', 'AsXZTRwny98Au6zyIgnVRrzoCiehfH9O', '2026-11-22 14:51:12.06+00', '2026-11-22 14:51:12.06+00', '127.0.0.1', 'node', '01a203bd-5bdd-7433-80c9-45f6ac7f4989', NULL);

INSERT INTO accounts.sign_in_attempt VALUES
	('5vWX4LWVarjKDGTGkiChsb4yYa0sksKVOFcMiw2u0LI', 1, '2026-11-22 14:51:16.272488+00'),
	('lsl7ZhY7HnuKZIVwNgh_GaKSwXVmVCUmRCsqnU0rXM8', 2, '2026-11-22 14:52:11.222182+00');

INSERT INTO accounts.suspension VALUES
	('01a203bd-690b-75db-9f04-a6a82c6ad148', '2026-11-22 14:51:14.623+00');

INSERT INTO accounts."user" VALUES
	('01a203bd-2867-7566-a0ce-793e866e3c3f', 'owner-e98c0ec6', 'owner-e98c0ec6@example.com', false, NULL, '2026-11-22 14:50:58.023+00', '2026-11-22 14:50:58.023+00'),
	('01a203bd-5310-73d4-85b3-477b0a529c11', 'owner-f0998581', 'owner-f0998581@example.com', false, NULL, '2026-11-22 14:51:08.944+00', '2026-11-22 14:51:08.944+00'),
	('01a203bd-5bdd-7433-80c9-45f6ac7f4989', 'owner-ad6769c6', 'owner-ad6769c6@example.com', false, NULL, '2026-11-22 14:51:11.197+00', '2026-11-22 14:51:11.197+00'),
	('01a203bd-68f1-76a9-b837-347b2fb9fdd9', 'owner-eaf24fb9', 'owner-eaf24fb9@example.com', false, NULL, '2026-11-22 14:51:14.545+00', '2026-11-22 14:51:14.545+00');

INSERT INTO activity.api_call_20261122 VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-294b-779f-b191-9f2eb981bee9', 'rest', 201, 'POST', '/api/v1/webinars', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 36, '01a203bd-2946-72e1-8c92-2592155fb99a'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3112-7466-9611-f1d2e58e66f2', 'rest', 201, 'POST', '/api/v1/webinars', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 73, '01a203bd-310c-70a7-987f-e1d90ec8a050'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3186-7fd3-9689-d09bd4ff5c2c', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/segments', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 175, '01a203bd-3185-7558-9d95-896103c6b705'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3293-702b-aefc-d9bdef2cad19', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/segments', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 93, '01a203bd-3271-7290-8617-26bd7cd05c58'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-32e8-7031-bcbe-fff28e13368b', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/segments', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 93, '01a203bd-32db-717f-965b-c6a2c77c5781'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3340-7a8b-b67a-793b5799d927', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/segments', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 118, '01a203bd-333a-75f1-a8d8-e78e419c3be6'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-33e4-73a1-b97a-2464f8e81339', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/branches', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 185, '01a203bd-33e0-7275-b54e-ef458bfe3803'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-34c1-760f-aaed-13c6a359a413', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/branches', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 17, '01a203bd-34c0-7501-abe4-5608a6ecbd14'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-34df-782c-952d-566c895001f2', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/branches', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 87, '01a203bd-34d6-72dd-859c-2b3fe7d45dae'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3539-74f4-b077-2a56ac78f58f', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/branches', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 39, '01a203bd-3535-7318-86ff-cb06f6a202a2'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3562-79ab-9232-020d05a39b93', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/interactions', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 148, '01a203bd-355e-7053-ba19-8614a2dfe8af'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3722-7a46-ab0a-546ff4206ab9', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/interactions', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 78, '01a203bd-3721-73a5-8cf7-1a9e0e6585c4'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-377c-7eda-a059-43c050af816b', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/publish', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 184, '01a203bd-3779-7044-a7ca-2e7652feba6c'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-38d3-71f7-9d88-8a7c79bac429', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 167, '01a203bd-38d1-71be-b4c3-9a1cca226c74'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a18-7f0b-8b1a-3ea39adef58c', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 67, '01a203bd-3a16-7237-aece-5cbd6359cf88'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a63-7508-9df1-f923d445dcfb', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 74, '01a203bd-3a62-7069-9056-4c1c2063a7a1'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ab0-7150-89fd-41d320f6c05f', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 35, '01a203bd-3aaf-73c5-ad58-1b04f42ebe75'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ad6-72cc-8c93-a6285b82127f', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 26, '01a203bd-3ad4-7070-9bfe-76d9ac3a487d'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3af9-7082-81af-07e029eef74a', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 41, '01a203bd-3af2-7094-bf40-a08aa28c59e3'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b2f-715a-b8e7-ec2203d3f4cb', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 78, '01a203bd-3b2e-73cc-befa-fa26c379d087'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b87-7d35-b66d-a498cfb5f3c8', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/automations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 93, '01a203bd-3b82-7792-b65a-83d318aaaf71'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3be7-795c-8abb-665b2fffb714', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/webhooks', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 634, '01a203bd-3be2-75e6-b37d-7d42f5ae9ab6'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3fb4-7fb0-9a03-16d8109e6bc9', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 379, '01a203bd-3fb0-70a1-9531-e309fe93682d'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-415f-7833-9acd-c506b59109c6', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 78, '01a203bd-415d-73e6-a70a-eea1a1f8c6e7'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41d0-718c-8d44-a48b45a7ef98', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 18, '01a203bd-41cd-7267-ae6a-da3ae3dde98e'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41e4-7c6b-9f4c-9e774a877a86', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 15, '01a203bd-41e3-7239-baf6-1ed748aed5b1'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41f5-73dc-b166-0347f4554c16', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations/01a203bd-41d7-71f3-80bd-65dbeb6e1f29/cancel', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 25, '01a203bd-41f4-7176-b056-dd47aa0e8fbc'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4269-7e43-a8db-487c5b03bc47', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-3120-7614-877b-e10a217a44e3/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 34, '01a203bd-4266-7210-b07e-c14c046c1347'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c78-72e5-ad9c-340dd3d3f429', 'rest', 201, 'POST', '/api/v1/webinars', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 56, '01a203bd-4c77-73ee-b350-af7aa6bf5ecb'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4cbd-7d1f-bec4-b9f0affdef32', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/publish', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 48, '01a203bd-4cbb-760f-aca7-7a888bd0ebc0'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d00-7635-a444-580de1c2c47a', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/webhooks', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 69, '01a203bd-4cff-74c0-bf54-fc76881d5a68'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d4c-7566-a810-381e7ea70f90', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 35, '01a203bd-4d46-7124-9dab-04aa525c8240'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d7c-7c8a-9a8e-646e313a8078', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 22, '01a203bd-4d7b-7447-8328-d8ad11ce8caa'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4da3-7c16-9d1c-99b6a5c6918e', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 42, '01a203bd-4da2-71c2-9cb8-547df83397fc'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4de3-74bc-beda-b80cf06bfda5', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations/01a203bd-4db1-73bb-bab1-1b836d0cdad5/cancel', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 197, '01a203bd-4dce-770c-b675-955240345c9f'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4ea7-7eba-bf36-bf74f202a53a', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations/bulk', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 92, '01a203bd-4ea0-748d-b450-631e8a971657'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4f61-78fd-a6f6-043e43e9bacf', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/sessions', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 39, '01a203bd-4f5c-74de-adcf-8f98b8f122a4'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4fce-7635-a53b-3f9f6e5c560c', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 20, '01a203bd-4fcd-70d7-b0ba-3299c4201dd0'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4fe5-7dcc-aece-1f60705394b9', 'rest', 200, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/registrations/01a203bd-4fde-711f-9add-76c9241bf8da/cancel', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 39, '01a203bd-4fe5-71c5-b449-620ab7576db4'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-500f-79ee-bc9b-d4da481e789f', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/sessions', NULL, false, '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 75, '01a203bd-500d-7293-991f-34fae67b714d'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-53b4-7437-8a26-cd407a263995', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/webhooks', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 73, '01a203bd-53b3-7059-9488-aa6f5b438c1c'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-540c-72c0-8c78-72d2ccc7a13a', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/automations', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 148, '01a203bd-53fe-74d8-b220-3cb5eabdc375'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5499-7a1e-8dda-76b17a0d8b76', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/offers', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 60, '01a203bd-5494-766c-80df-4dc4cb4041b6'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-54ed-7a98-b8dd-19fae3ce9d35', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/ctas', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 31, '01a203bd-54e9-7679-b055-8d2231fa070c'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5512-71ae-923c-86988ec8b748', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/polls', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 8, '01a203bd-550f-777c-addc-e9ed1d0008f7'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5522-7c01-93c6-7900f0082915', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/handouts', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 104, '01a203bd-551d-7715-b104-038cdfea29bb'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-55ef-73b1-ac3e-12295a912f76', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/sessions', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 42, '01a203bd-55e8-731f-ad78-4c50ec711cbe'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5636-7010-aab3-5d41059c5fc9', 'rest', 201, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/registrations', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 101, '01a203bd-5634-7634-b107-002ace5f79bd'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-569c-71f4-aaf3-9139fc9d4511', 'rest', 200, 'GET', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/webhooks/01a203bd-53cd-72c0-950d-d2232a86db7f/deliveries', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 66, '01a203bd-569c-72ed-abfe-0ce7025ac740'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-56ea-7f83-9817-c3bcd5b4341a', 'rest', 200, 'GET', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/automations/01a203bd-545c-74c8-80ee-bc43e86b42e5/deliveries', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 97, '01a203bd-56e9-74c7-8db9-df25ba3c218b');
INSERT INTO activity.api_call_20261122 VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-577c-73c9-bec3-ac538242d867', 'rest', 202, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/webhooks/01a203bd-53cd-72c0-950d-d2232a86db7f/recoveries', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 208, '01a203bd-5777-74fb-b9b1-d0c2c5681c82'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5853-7347-98ef-a4e435547205', 'rest', 202, 'POST', '/api/v1/webinars/01a203bd-536e-74fc-bfe0-bfcd55bc8b21/automations/01a203bd-545c-74c8-80ee-bc43e86b42e5/recoveries', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 17, '01a203bd-5852-7045-b920-b40d8bb3c829'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5878-730a-99f6-8aba7f26825c', 'rest', 422, 'POST', '/api/v1/webinars/01a203bd-4c8a-74e8-8d73-0376e75f8ba7/webhooks', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 19, '01a203bd-5877-7393-a70a-20dbb645901f'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-588d-77d1-82ef-33d3cc19d525', 'rest', 201, 'POST', '/api/v1/webinars', NULL, false, '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 40, '01a203bd-588c-752f-860b-af0bea421294');

INSERT INTO activity.api_call_count VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '00000000-0000-0000-0000-000000000000', '2026-11-22 14:45:00+00', 'rest', '', 13, 1, NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-534c-750e-9515-7d5476a68aab', '2026-11-22 14:45:00+00', 'rest', 'Test', 13, 1, '{"kind": "operator"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '00000000-0000-0000-0000-000000000000', '2026-11-22 14:45:00+00', 'rest', '', 40, 0, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-28ae-7384-8214-654d2a690aa8', '2026-11-22 14:45:00+00', 'rest', 'Test', 40, 0, '{"kind": "operator"}');

INSERT INTO automations.execution_20261122 VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-40ba-73b8-b772-9d73d494cf34', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-40b8-76e1-ae14-63e7df420a55', 'registered', 'matched', 'registered', '01a203bd-40ba-73b8-b772-95b53b8ff310', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-40ba-73b8-b772-a0509a9ec9e1', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-40b8-76e1-ae14-63e7df420a55', 'registered', 'matched', 'API subscription', '01a203bd-40ba-73b8-b772-9be726ed5aa6', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-417c-77c3-a733-4fc0b513a722', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-417c-77c3-a733-41e84295582e', 'registered', 'matched', 'registered', '01a203bd-417c-77c3-a733-44e3130da505', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-417c-77c3-a733-50df3004a0db', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-417c-77c3-a733-41e84295582e', 'registered', 'matched', 'API subscription', '01a203bd-417c-77c3-a733-486bfa857e59', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41de-707c-bba5-1bc142f6f59f', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-41d7-71f3-80bd-65dbeb6e1f29', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41dd-7467-b516-7dd0cb345709', 'registered', 'matched', 'registered', '01a203bd-41dd-7467-b516-82b955b42870', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41de-707c-bba5-1ef6ec611b9f', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-41d7-71f3-80bd-65dbeb6e1f29', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41dd-7467-b516-7dd0cb345709', 'registered', 'matched', 'API subscription', '01a203bd-41dd-7467-b516-8684655f746c', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41e9-777f-bd7c-2cc3fd69491f', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41e8-7743-8837-9ce1d214f2cf', 'registered', 'matched', 'registered', '01a203bd-41e9-777f-bd7c-277c0972ae00', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41e9-777f-bd7c-314172f51df4', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41e8-7743-8837-9ce1d214f2cf', 'registered', 'matched', 'API subscription', '01a203bd-41e9-777f-bd7c-29ebaac59cd0', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4281-7695-9800-e3eb3ba2c66a', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4281-7695-9800-d50fa586848b', 'registered', 'matched', 'registered', '01a203bd-4281-7695-9800-dba37e461039', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4281-7695-9800-e6821d6e88a2', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4281-7695-9800-d50fa586848b', 'registered', 'matched', 'API subscription', '01a203bd-4281-7695-9800-dfcd6204d525', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-42b5-7594-be87-844214942412', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3b52-7135-92eb-56b0a66e5ae4', 'before_session', 'matched', 'before_session', '01a203bd-42b5-7594-be87-77c1d520a9ae', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-42b5-7594-be87-88fd2d1a7288', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3b52-7135-92eb-56b0a66e5ae4', 'before_session', 'matched', 'before_session', '01a203bd-42b5-7594-be87-7b95da180c26', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-42b5-7594-be87-8ff00e9cf0d1', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-41d7-71f3-80bd-65dbeb6e1f29', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3b52-7135-92eb-56b0a66e5ae4', 'before_session', 'skipped', 'before_session', NULL, 'registration_cancelled', '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-42b5-7594-be87-92f41d4fa7ff', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3b52-7135-92eb-56b0a66e5ae4', 'before_session', 'matched', 'before_session', '01a203bd-42b5-7594-be87-7de45387b611', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-42b5-7594-be87-940acf6666fb', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3b52-7135-92eb-56b0a66e5ae4', 'before_session', 'matched', 'before_session', '01a203bd-42b5-7594-be87-833f1fe0086a', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-43c2-73cf-aecc-603a8d34ddcb', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3a31-74d4-9e42-42c028776a72', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-43ba-7434-85f7-b50807f91150', 'joined', 'matched', 'joined', '01a203bd-43c2-73cf-aecc-5888f041082c', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-43c2-73cf-aecc-6673d059c942', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cac-70a7-b783-c546b93e8caf', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-43ba-7434-85f7-b50807f91150', 'joined', 'matched', 'API subscription', '01a203bd-43c2-73cf-aecc-5f14b2c5919a', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-446b-7781-bd97-139ec560d0f6', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3a31-74d4-9e42-42c028776a72', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4469-722f-8a97-81d2ffec1c57', 'joined', 'matched', 'joined', '01a203bd-446b-7781-bd97-0930f731d0b6', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-446b-7781-bd97-17c5be589fd9', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cac-70a7-b783-c546b93e8caf', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4469-722f-8a97-81d2ffec1c57', 'joined', 'matched', 'API subscription', '01a203bd-446b-7781-bd97-0cd3927ea1dd', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-44c1-771f-aacb-2789c786dd34', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ae4-73d6-94f3-3d71ea04be2a', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-44be-76c4-adbc-4ae0b8af5054', 'cta_click', 'matched', 'cta_click', '01a203bd-44c1-771f-aacb-1de49de1a7da', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-44c1-771f-aacb-2aff004626e8', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cad-71d0-ac93-a47b30d84269', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-44be-76c4-adbc-4ae0b8af5054', 'cta_click', 'matched', 'API subscription', '01a203bd-44c1-771f-aacb-20a18a1a7254', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-472d-7570-a390-c7b27d470812', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3b0b-7212-b40f-2f9747f30b17', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-471b-7328-9b17-c5c122eeb311', 'watched_minutes', 'matched', 'watched_minutes', '01a203bd-472d-7570-a390-c3339bca5187', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c22-75f4-968a-c43d37f5e4a6', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3a9e-7235-852f-e8dfa77848e0', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c18-722f-9d6f-0bd29eb655f4', 'left', 'matched', 'left', '01a203bd-4c22-75f4-968a-b6a9115019f0', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c22-75f4-968a-cad6d44355f9', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cad-71d0-ac93-9fd745ca56f3', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c18-722f-9d6f-0bd29eb655f4', 'left', 'matched', 'API subscription', '01a203bd-4c22-75f4-968a-b8f3fba321fe', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c22-75f4-968a-ce98046a9bfe', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3a9e-7235-852f-e8dfa77848e0', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c18-722f-9d6f-0e755bc13a28', 'left', 'matched', 'left', '01a203bd-4c22-75f4-968a-bf2fa6f1a4a3', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c22-75f4-968a-d2f339c643a8', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cad-71d0-ac93-9fd745ca56f3', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c18-722f-9d6f-0e755bc13a28', 'left', 'matched', 'API subscription', '01a203bd-4c22-75f4-968a-c34f3bf157c7', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c70-7441-9492-763df56cca99', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ac5-774d-8188-1de53b274420', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c6f-73e5-88aa-0ff3d5035151', 'no_show', 'matched', 'no_show', '01a203bd-4c70-7441-9492-665a28b23f66', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c70-7441-9492-79a8eb8350c5', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cad-71d0-ac93-a1af466e2c8b', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c6f-73e5-88aa-0ff3d5035151', 'no_show', 'matched', 'API subscription', '01a203bd-4c70-7441-9492-6b5ef696a763', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c70-7441-9492-7ee9a491b9b5', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ac5-774d-8188-1de53b274420', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c6f-73e5-88aa-12d439dfcd48', 'no_show', 'matched', 'no_show', '01a203bd-4c70-7441-9492-6c98970a44df', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c70-7441-9492-81576ff11d35', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3cad-71d0-ac93-a1af466e2c8b', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4c6f-73e5-88aa-12d439dfcd48', 'no_show', 'matched', 'API subscription', '01a203bd-4c70-7441-9492-72e7dd646043', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d62-70eb-87cc-13db271881dd', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4d5c-76a0-aece-302e0f700976', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4d62-70eb-87cc-0b365654ce67', 'registered', 'matched', 'API subscription', '01a203bd-4d62-70eb-87cc-0c124eeea168', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d8d-7311-a968-9314f4c03964', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4d8b-718a-8fc0-dc2f740b4e16', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4d8d-7311-a968-8a1bc80cb4e3', 'registered', 'matched', 'API subscription', '01a203bd-4d8d-7311-a968-8fcf712aae14', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4dbe-7041-9555-24438c3b5042', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4db1-73bb-bab1-1b836d0cdad5', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4dbc-7166-a5ea-086fcffb1a08', 'registered', 'matched', 'API subscription', '01a203bd-4dbe-7041-9555-226dc38fd943', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4eec-746e-9407-4475313fd958', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4ed4-7158-9ca2-cc8f8b19e531', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4eeb-70d9-b994-82fd76d0fb0d', 'registered', 'matched', 'API subscription', '01a203bd-4eec-746e-9407-40875f0ba7be', NULL, '[]'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4fe0-740f-91d3-17e61c7e67e2', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4fde-711f-9add-76c9241bf8da', '01a203bd-4f73-77c1-b12b-272f66b53fcf', '01a203bd-4fe0-740f-91d3-0c1b1b771bbd', 'registered', 'matched', 'API subscription', '01a203bd-4fe0-740f-91d3-1090befe5097', NULL, '[]'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-568b-738a-8012-ba0672324ebb', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-53cd-72c0-950d-d5f9388ae19c', '01a203bd-5676-764e-a5f1-8ce3c28d2e3d', '01a203bd-539c-750f-9f3f-62c2c8f9b575', '01a203bd-568b-738a-8012-afcd72d0764d', 'registered', 'matched', 'API subscription', '01a203bd-568b-738a-8012-b0d2a44b271b', NULL, '[]'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-568b-738a-8012-bfc6323fc6a9', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-545c-74c8-80ee-bc43e86b42e5', '01a203bd-5676-764e-a5f1-8ce3c28d2e3d', '01a203bd-539c-750f-9f3f-62c2c8f9b575', '01a203bd-568b-738a-8012-afcd72d0764d', 'registered', 'matched', 'Rule', '01a203bd-568b-738a-8012-b7021d8a29b6', NULL, '[]');

INSERT INTO automations.firing VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 14:57:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 14:57:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 14:57:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 14:57:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a31-74d4-9e42-42c028776a72', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cac-70a7-b783-c546b93e8caf', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a31-74d4-9e42-42c028776a72', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cac-70a7-b783-c546b93e8caf', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ae4-73d6-94f3-3d71ea04be2a', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-35ce-7577-bb51-1ec4ca24b29b', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-a47b30d84269', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-35ce-7577-bb51-1ec4ca24b29b', '2026-11-22 15:02:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b0b-7212-b40f-2f9747f30b17', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:03:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a9e-7235-852f-e8dfa77848e0', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:08:02+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a9e-7235-852f-e8dfa77848e0', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:08:02+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-9fd745ca56f3', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:08:02+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-9fd745ca56f3', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:08:02+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ac5-774d-8188-1de53b274420', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:33:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ac5-774d-8188-1de53b274420', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:33:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-a1af466e2c8b', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:33:01+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-a1af466e2c8b', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '', '2026-11-22 15:33:01+00');

INSERT INTO automations.rule VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-392c-7491-ac5d-43c0a636a9d3', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'registered', true, 'registered', '01a203bd-391a-742e-9a30-b5043ffec90d', '2026-11-22 14:51:02.227+00', '2026-11-22 14:51:02.227+00', '{}', '[]', NULL, '2026-11-22 14:51:02.227+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a31-74d4-9e42-42c028776a72', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'joined', true, 'joined', '01a203bd-3a22-76f8-ab76-11f8acf15c1f', '2026-11-22 14:51:02.552+00', '2026-11-22 14:51:02.552+00', '{}', '[]', NULL, '2026-11-22 14:51:02.552+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a9e-7235-852f-e8dfa77848e0', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'left', true, 'left', '01a203bd-3a98-7019-a173-5f2efead30be', '2026-11-22 14:51:02.627+00', '2026-11-22 14:51:02.627+00', '{}', '[]', NULL, '2026-11-22 14:51:02.627+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ac5-774d-8188-1de53b274420', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'no_show', true, 'no_show', '01a203bd-3ac4-7102-b6d3-76acffd09f0b', '2026-11-22 14:51:02.704+00', '2026-11-22 14:51:02.704+00', '{}', '[]', NULL, '2026-11-22 14:51:02.704+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ae4-73d6-94f3-3d71ea04be2a', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'cta_click', true, 'cta_click', '01a203bd-3ae1-738e-91a0-3a1c13d8219e', '2026-11-22 14:51:02.742+00', '2026-11-22 14:51:02.742+00', '{}', '[]', NULL, '2026-11-22 14:51:02.742+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b0b-7212-b40f-2f9747f30b17', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'watched_minutes', true, 'watched_minutes', '01a203bd-3b09-7059-8ee5-941a3ed7e7e6', '2026-11-22 14:51:02.777+00', '2026-11-22 14:51:02.777+00', '{"minutes": 1}', '[]', NULL, '2026-11-22 14:51:02.777+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b4c-7369-851c-47b93fb22338', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'before_session', true, 'before_session', '01a203bd-3b47-73c1-8507-d5db9c4685a8', '2026-11-22 14:51:02.831+00', '2026-11-22 14:51:02.831+00', '{"offsetMinutes": 5}', '[]', NULL, '2026-11-22 14:51:02.831+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3bb3-7436-ba1c-289e5a9d7d5c', '01a203bd-3120-7614-877b-e10a217a44e3', NULL, 'after_session', true, 'after_session', '01a203bd-3ba8-7075-ad95-4e336a099418', '2026-11-22 14:51:02.919+00', '2026-11-22 14:51:02.919+00', '{"audience": "all", "offsetMinutes": 600}', '[]', NULL, '2026-11-22 14:51:02.919+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ca1-724d-beac-ded54b294cb7', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', 'API subscription', true, 'registered', '01a203bd-3c42-7238-b50d-6810789994e0', '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00', '{}', '[]', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cac-70a7-b783-c546b93e8caf', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', 'API subscription', true, 'joined', '01a203bd-3c42-7238-b50d-6810789994e0', '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00', '{}', '[]', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-9fd745ca56f3', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', 'API subscription', true, 'left', '01a203bd-3c42-7238-b50d-6810789994e0', '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00', '{}', '[]', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-a1af466e2c8b', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', 'API subscription', true, 'no_show', '01a203bd-3c42-7238-b50d-6810789994e0', '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00', '{}', '[]', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3cad-71d0-ac93-a47b30d84269', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', 'API subscription', true, 'cta_click', '01a203bd-3c42-7238-b50d-6810789994e0', '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00', '{}', '[]', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d20-71c5-b0ab-23e77b108407', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d1f-76c6-a1c1-d1455be403b4', 'API subscription', true, 'registered', '01a203bd-4d1e-7775-a773-331b34a3cb7c', '2026-11-22 14:51:07.392+00', '2026-11-22 14:51:07.392+00', '{}', '[]', NULL, NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-53cd-72c0-950d-d5f9388ae19c', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-53cd-72c0-950d-d2232a86db7f', 'API subscription', true, 'registered', '01a203bd-53c4-7798-ab3d-edb83ff38962', '2026-11-22 14:51:09.108+00', '2026-11-22 14:51:09.108+00', '{}', '[]', NULL, NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-545c-74c8-80ee-bc43e86b42e5', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', NULL, 'Rule', true, 'registered', '01a203bd-5422-72a5-8165-5e8339711ede', '2026-11-22 14:51:09.196+00', '2026-11-22 14:51:09.196+00', '{}', '[]', NULL, '2026-11-22 14:51:09.196+00');

INSERT INTO automations.rule_set VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3120-7614-877b-e10a217a44e3', 9),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', 1),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', 2);

INSERT INTO automations.subscription VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ca0-7084-afa9-04c5eb37b78f', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-3c42-7238-b50d-6810789994e0', true, '2026-11-22 14:51:03.015+00', '2026-11-22 14:51:03.015+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1f-76c6-a1c1-d1455be403b4', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4d1e-7775-a773-331b34a3cb7c', true, '2026-11-22 14:51:07.392+00', '2026-11-22 14:51:07.392+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-53cd-72c0-950d-d2232a86db7f', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-53c4-7798-ab3d-edb83ff38962', true, '2026-11-22 14:51:09.108+00', '2026-11-22 14:51:09.108+00');

INSERT INTO automations.timer VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c36-7200-8dbc-b70f93bfbcb5', '01a203bd-3bb3-7436-ba1c-289e5a9d7d5c', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', NULL, '2026-11-23 01:22:00+00', NULL, '2026-11-22 15:22:00+00', NULL);

INSERT INTO deliveries.attempt_20261122 VALUES
	('01a203bd-40ba-73b8-b772-95b53b8ff310', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', '2026-11-22 14:51:04.493+00', 34, 200, 'ok', NULL, NULL, NULL, 30, NULL, 34, NULL, 'sha256=ee2b38ab1356474a10ff8f151f119f681c0878abc6158d8245050aa80f400036', 'v1,oDIHYkmW74G+OeAyQu5QfCjkiHWyCN/mBYawgJsY+yo='),
	('01a203bd-40ba-73b8-b772-9be726ed5aa6', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:04.496+00', 37, 200, 'ok', NULL, NULL, NULL, 27, NULL, 36, NULL, 'sha256=55d3266427e988db7658322003dd640524a0b5427e657594d31c282ef1a7e5ae', 'v1,nkmw5/h8s1f3hzdyKOUjYsq3wOTfzKE+C5HpAeIcQf8='),
	('01a203bd-417c-77c3-a733-44e3130da505', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', '2026-11-22 14:51:04.529+00', 5, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 5, NULL, 'sha256=f93900ac2235f964b313098fdb98d11f011d9f4c72a97f6980b288476cc93534', 'v1,Yn7Hf2vIV4KIP+KaSIVdjnj6hULakgvqw3z2T0tcoS8='),
	('01a203bd-417c-77c3-a733-486bfa857e59', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:04.529+00', 6, 200, 'ok', NULL, NULL, NULL, 5, NULL, 6, NULL, 'sha256=ba67d101379c263d269d372a4f9a9cdd4dacf300247a6eedf0a839eda3382d7f', 'v1,okvhs+sXhxH+29EzQ7lG6TsMXPY2Qy7zkGPRrvoLsGQ='),
	('01a203bd-41dd-7467-b516-82b955b42870', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', '2026-11-22 14:51:04.558+00', 2, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 2, NULL, 'sha256=bcf35a2b278551c5f7af7db15125bb0b8c63a615b5c410341ec0d4a39e94ec4f', 'v1,QxHHA2taNMYagyYsOISvISa2R0CjcK4RQSZPjoyBU7I='),
	('01a203bd-41dd-7467-b516-8684655f746c', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:04.558+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=8461099284cb59233ef2eff11140f820def815c64c3c7ae2fe6e90747bd67ffd', 'v1,3U2Y5eD5VBgtwTJZ6pwrD9mCpIenoxBgELE9gvn3hQg='),
	('01a203bd-41e9-777f-bd7c-277c0972ae00', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', '2026-11-22 14:51:04.581+00', 8, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 8, NULL, 'sha256=d827187c09ea0512417322d7ab43eac412692c6d17df7b1b886e86d228dbc186', 'v1,7+i6gov6UDsRvliFAiv/offxv8voCRMlA4oijwxc8Qs='),
	('01a203bd-41e9-777f-bd7c-29ebaac59cd0', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:04.581+00', 8, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 8, NULL, 'sha256=99e05229f49f997df46788cbf029d1cfbfe53fdca9957e86614d8fc3ef935f4d', 'v1,D4JqgalzbWbGBjJZvWPzcq1Twcc2ZQnZ5YtQIgBPxlQ='),
	('01a203bd-4281-7695-9800-dba37e461039', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', '2026-11-22 14:51:04.729+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=f0e2e99c1be05641f85d3e2b9df6f25037eea69d48bddf4c2bd06faaccb84019', 'v1,5WtpajpF77O6KDohDqE4EcSgkZFc73Hbeai5miVzOdw='),
	('01a203bd-4281-7695-9800-dfcd6204d525', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:04.729+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=6feb356f7d1fca94a22c534637ae87d51f3369a4e625f9fb22630777b36dc149', 'v1,Mg09BZfWcpjxlc1YPH89/7/4j8Ctle4k1SFCDjQSr2g='),
	('01a203bd-42b5-7594-be87-77c1d520a9ae', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/7', '2026-11-22 14:51:04.844+00', 14, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 14, NULL, 'sha256=b2de16f9c128aa46bc7b6033751f0627be31748060d7379008ad803c0f1231aa', 'v1,qp9ciuJu3RzmDqpzAsubsXiQQ7BI9yvMkRKBPD6y93g='),
	('01a203bd-42b5-7594-be87-7b95da180c26', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/7', '2026-11-22 14:51:04.856+00', 3, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 3, NULL, 'sha256=61a2efe8ac259fc22c037687d29998a3be399f358a45a15a9579d5f572d08dce', 'v1,8oSs/U/DaX/+SL++RxbvA+o684E9Mt562PVbpbqrJR0='),
	('01a203bd-42b5-7594-be87-7de45387b611', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/7', '2026-11-22 14:51:04.856+00', 3, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 3, NULL, 'sha256=8557d1fb68b1a7139b7dc85d4cf26ce1c51d2139981d42f83335c46732f9e3c4', 'v1,qi39QpY7jmqKCT0H6bbp69PcqsLemqT2UFLxzT18vtU='),
	('01a203bd-42b5-7594-be87-833f1fe0086a', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/7', '2026-11-22 14:51:04.856+00', 3, 200, 'ok', NULL, NULL, NULL, 2, NULL, 3, NULL, 'sha256=bbba4dd1f633e2b91f95461122906dbe516afc0ff19a552d6e7837e9e17a6577', 'v1,sKMAsqa3r0u+uR2BAyIO42cKMsff4WmK2WZtk9RzfAs='),
	('01a203bd-43c2-73cf-aecc-5888f041082c', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/2', '2026-11-22 14:51:05.132+00', 3, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 3, NULL, 'sha256=e226d05c926955dca367b8f6d45c402722536486976f12e57f57e608c72f87e4', 'v1,bXbje7c+h++orIQlkRguIYg59OnoFn3XjiGXtDkhgLg='),
	('01a203bd-43c2-73cf-aecc-5f14b2c5919a', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:05.133+00', 3, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 3, NULL, 'sha256=c5dd9129c6607e62958187f06a048efc28e4a539fabfe2bb239f598e2833f249', 'v1,7TCUS7tk0rN5WvxdbqNTbAObMqRP6LzhPUadkk8YUgI='),
	('01a203bd-446b-7781-bd97-0930f731d0b6', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/2', '2026-11-22 14:51:05.369+00', 35, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 35, NULL, 'sha256=295ddb4904cf3492ab8f9b55421509bf50fa2cff6a4a622cc67f5e81c54cf86d', 'v1,YDQHQs8E3BMtWGvcSC0Jr2haTIZg4UR2rxIl83jVxQw='),
	('01a203bd-446b-7781-bd97-0cd3927ea1dd', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:05.37+00', 35, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 35, NULL, 'sha256=840450c8be41b7e6ed7e07a409e83655489f3f6ae0867665a5d646e9fdb9922c', 'v1,O8V+GZ2D/f2EeE14Z/20aR8pJSKvT4Q6N28V1Y680iA='),
	('01a203bd-44c1-771f-aacb-1de49de1a7da', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/5', '2026-11-22 14:51:05.37+00', 36, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 36, NULL, 'sha256=6adf2762a02317c513acc7f1d7799663f7c4bca54ba2e09fc7a6e133e8269769', 'v1,lu8MbtB4+WaKQCH3bV5/5WsLxfZ9IuCORlZ319f3iTw='),
	('01a203bd-44c1-771f-aacb-20a18a1a7254', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:05.37+00', 36, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 36, NULL, 'sha256=0abd3c4aa02e4a1fa1d345fe6089fe49c5165951926118b7ed34eb0892c9894a', 'v1,T2yzT37mGT3ZxzdQqpX5Gks5Nu/nB8EhJ4zlQQza8Yc='),
	('01a203bd-472d-7570-a390-c3339bca5187', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/6', '2026-11-22 14:51:05.952+00', 6, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 6, NULL, 'sha256=a6435760db03d853e61e3b5f5a5fb9bee8f7ae584eaf7488242a7db4394e2538', 'v1,KNvCxlFDHhyrf8P5yghCK5Gcl4uzYV8chR7W92qGDc4='),
	('01a203bd-4c22-75f4-968a-b6a9115019f0', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/3', '2026-11-22 14:51:07.181+00', 6, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 6, NULL, 'sha256=fcec7598187bdb287b244c8e4ee0066163cfda558a68aac01fb8d083f6ffc1e8', 'v1,JUGWgKBwSqwyWrHem+6BsQ/EbC84IWlWc4dx2uJBWcE='),
	('01a203bd-4c22-75f4-968a-b8f3fba321fe', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:07.188+00', 7, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 7, NULL, 'sha256=71c215de65887263c981f1292350b55d7a004ac6431535eaa2292aee7f35704b', 'v1,NAkDTROoPuKSo7yRxzSIfDLk/Lq7eMFmVAgo38JnKqs='),
	('01a203bd-4c22-75f4-968a-bf2fa6f1a4a3', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/3', '2026-11-22 14:51:07.188+00', 7, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 7, NULL, 'sha256=9df90a6c3a8df1c794c89541f4640c54df4d6c54119c89caee7ea024fddd2245', 'v1,AzTOpmArR+x8PmrNUHH084GtegaMU/2y3Ldl8MbWj1E='),
	('01a203bd-4c22-75f4-968a-c34f3bf157c7', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:07.188+00', 7, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 7, NULL, 'sha256=a118dee48add437577adeba3de9210a322b1bc75c176b4a377f94e71132cbf2d', 'v1,KjLtPknuU+szU3nDs30X5C9wK1Ymwq3ZwHnxEclm49w='),
	('01a203bd-4c70-7441-9492-665a28b23f66', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/4', '2026-11-22 14:51:07.289+00', 11, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 11, NULL, 'sha256=b0e054feab03e91bcaca4f221f42d5291917aef0ea15908828164c5a3ab72ea5', 'v1,HM/q0bqA//yyCl7wleGW2FgYw++U7BUlfnZZtGHK3NE='),
	('01a203bd-4c70-7441-9492-6b5ef696a763', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:07.289+00', 12, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 12, NULL, 'sha256=7b2690a85ec0a474a134ac966a43eca01ce4248e42fcaef8e7cb06a5ee323aa6', 'v1,yEnhngeHo1VZDeWqmc9SGWy0ULwSkVwOUj7rihwrNDc='),
	('01a203bd-4c70-7441-9492-6c98970a44df', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/4', '2026-11-22 14:51:07.289+00', 12, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 12, NULL, 'sha256=24f1f09e3889ffbe4d3421594d9897ce4a23a982d2d1dc89b033a1d33852643d', 'v1,b0vJTQeQm9hw4ifcsITVHlvUxoWgGZ45BMTaXQT5vnE='),
	('01a203bd-4c70-7441-9492-72e7dd646043', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', '2026-11-22 14:51:07.289+00', 12, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 12, NULL, 'sha256=b06d7aa3b2224c39d8ef6bf7be2086681ad39d98c2300649ccab3941c3e6c62d', 'v1,kAyKkBEjLOzRy2+ONGNPDnR0q4OLSSlAiWg4g0OVGaw='),
	('01a203bd-4d62-70eb-87cc-0c124eeea168', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', '2026-11-22 14:51:07.524+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=8ffe730f2226049c54de01aeca5d25bccb0acc57b4d6013ea72a2912e39dd951', 'v1,ZMM6BHlCyRGXlignVz+F2ULZi3LgcG+0UAkcU0Orwg0='),
	('01a203bd-4d8d-7311-a968-8fcf712aae14', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', '2026-11-22 14:51:07.556+00', 2, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 2, NULL, 'sha256=789c0ff2e9f89fc7ccd64077c7ea0747a5d78e0c5fd374cf2f71ff2d11481e9a', 'v1,hRvMd7LRXtl/EEh1smIgRciCszQ3PEq6fyIfnWOpdK0='),
	('01a203bd-4dbe-7041-9555-226dc38fd943', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', '2026-11-22 14:51:07.615+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=be92f1e19afb5d7b867e66a74c77996fda0be52b1a9ae02f7dbad4d4e83d7625', 'v1,boZS3Kdak+wWPINP5KinjSN4zWwn++Y6RMMb4IbIgC4='),
	('01a203bd-4eec-746e-9407-40875f0ba7be', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', '2026-11-22 14:51:08.012+00', 1, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 1, NULL, 'sha256=c95cadb3583eba95e053ec499dcd02feaed52081d84c8319baa1f7fef68f7681', 'v1,2UKggW9menQAmtOe07rJLSuKbHlUuOtJB9aq18gONew='),
	('01a203bd-4fe0-740f-91d3-1090befe5097', 1, '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', '2026-11-22 14:51:08.149+00', 19, 200, 'ok', NULL, NULL, NULL, NULL, NULL, 19, NULL, 'sha256=43201f9c0870e159fac18e265864af669f42bcac45d37fdfd7015fe001536389', 'v1,PwDC2dsq8PxB3tpIvLGPsJ9AX147BS6mjkf7CQelHwU='),
	('01a203bd-568b-738a-8012-b0d2a44b271b', 1, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:09.876+00', 6, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=d247468c6b9412ddc2c0e109883f026d9b54e00b4a14d7a775e992b5ad0f7571', 'v1,5nPw3Fwbx8V4AldvPZksCWhgxrW1MDix6EPJkUkJyCw='),
	('01a203bd-568b-738a-8012-b7021d8a29b6', 1, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:09.878+00', 7, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=e9f84a4b85b3e70754b41ef2ea587b9cb5f2264b6fa357ec49fc4fc4a707b449', 'v1,WzX9Cr7ulCxiE3uk9ttaBVjj/887Vx1BVQNkyE9Tv5U='),
	('01a203bd-5978-77ba-8aa1-be29eda7723a', 1, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:10.589+00', 1, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=18f977455930d50dfea2c599c7e6c537d526fada7a6254cebbe45a7810269e56', 'v1,skP6qU8tkQPfhkmgLkYgr8JjCL9QrRcEh+ZoQAQDoi8='),
	('01a203bd-5990-711b-8626-7b17e7702ece', 1, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:10.616+00', 1, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=d45b0f261801544df273c5db980ee8ad5648284a2b403332b985c93dec603a24', 'v1,8u0DcdV7i/FZnoC3y7ARrwUnK5c0bl3QofBeMQmsvXE='),
	('01a203bd-5978-77ba-8aa1-be29eda7723a', 2, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:11.72+00', 12, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=18f977455930d50dfea2c599c7e6c537d526fada7a6254cebbe45a7810269e56', 'v1,LMz7ALHY5aShhZY762Q0Cb/wJyt54hX7wYP4i35ksjE='),
	('01a203bd-5990-711b-8626-7b17e7702ece', 2, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:12.84+00', 22, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=d45b0f261801544df273c5db980ee8ad5648284a2b403332b985c93dec603a24', 'v1,LPjOGG8hICQwI4814yJGzvj3UKGtkQc44Rz2qwET2rU='),
	('01a203bd-5978-77ba-8aa1-be29eda7723a', 3, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:15.152+00', 17, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=18f977455930d50dfea2c599c7e6c537d526fada7a6254cebbe45a7810269e56', 'v1,nlMEvscoAygEK4fLxEdxPtT17BpYnvcHdQu4hfC61z0='),
	('01a203bd-5990-711b-8626-7b17e7702ece', 3, '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', '2026-11-22 14:51:15.156+00', 14, NULL, NULL, 'connect', 'No connection could be made (ECONNREFUSED).', NULL, NULL, NULL, NULL, NULL, 'sha256=d45b0f261801544df273c5db980ee8ad5648284a2b403332b985c93dec603a24', 'v1,TORyXChuCOO8DX+ipkk6BDYtqHIAE2wY+f87QPzj1qQ=');

INSERT INTO deliveries.delivery_20261122 VALUES
	('01a203bd-40ba-73b8-b772-95b53b8ff310', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-391a-742e-9a30-b5043ffec90d', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:03.988Z"}', false, 3, '2026-11-22 14:51:03.988+00', NULL, NULL, false),
	('01a203bd-40ba-73b8-b772-9be726ed5aa6', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:03.988Z"}', false, 3, '2026-11-22 14:51:03.988+00', NULL, NULL, false),
	('01a203bd-417c-77c3-a733-44e3130da505', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-391a-742e-9a30-b5043ffec90d', 'registered', '{"event_type":"registered","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.415Z"}', false, 3, '2026-11-22 14:51:04.415+00', NULL, NULL, false),
	('01a203bd-417c-77c3-a733-486bfa857e59', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'registered', '{"event_type":"registered","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.415Z"}', false, 3, '2026-11-22 14:51:04.415+00', NULL, NULL, false),
	('01a203bd-41dd-7467-b516-82b955b42870', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-391a-742e-9a30-b5043ffec90d', 'registered', '{"event_type":"registered","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-41d7-71f3-80bd-65dbeb6e1f29","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.528Z"}', false, 3, '2026-11-22 14:51:04.528+00', NULL, NULL, false),
	('01a203bd-41dd-7467-b516-8684655f746c', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'registered', '{"event_type":"registered","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-41d7-71f3-80bd-65dbeb6e1f29","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.528Z"}', false, 3, '2026-11-22 14:51:04.528+00', NULL, NULL, false),
	('01a203bd-41e9-777f-bd7c-277c0972ae00', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-391a-742e-9a30-b5043ffec90d', 'registered', '{"event_type":"registered","attendee":{"name":"Dee","email":"dee@example.com","registration_id":"01a203bd-41e8-7743-8837-9ac9efb071a9","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.548Z"}', false, 3, '2026-11-22 14:51:04.548+00', NULL, NULL, false),
	('01a203bd-41e9-777f-bd7c-29ebaac59cd0', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'registered', '{"event_type":"registered","attendee":{"name":"Dee","email":"dee@example.com","registration_id":"01a203bd-41e8-7743-8837-9ac9efb071a9","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.548Z"}', false, 3, '2026-11-22 14:51:04.548+00', NULL, NULL, false),
	('01a203bd-4281-7695-9800-dba37e461039', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-391a-742e-9a30-b5043ffec90d', 'registered', '{"event_type":"registered","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-427d-73dc-bc3a-2b501efb926b","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.681Z"}', false, 3, '2026-11-22 14:51:04.681+00', NULL, NULL, false),
	('01a203bd-4281-7695-9800-dfcd6204d525', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'registered', '{"event_type":"registered","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-427d-73dc-bc3a-2b501efb926b","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T14:51:04.681Z"}', false, 3, '2026-11-22 14:51:04.681+00', NULL, NULL, false),
	('01a203bd-42b5-7594-be87-77c1d520a9ae', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b47-73c1-8507-d5db9c4685a8', 'before_session', '{"event_type":"before_session","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"sessionStartsAt":"2026-11-22T15:02:00.000Z","minutesBefore":5},"timestamp":"2026-11-22T14:57:01.000Z"}', false, 3, '2026-11-22 14:57:01+00', NULL, NULL, false),
	('01a203bd-42b5-7594-be87-7b95da180c26', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b47-73c1-8507-d5db9c4685a8', 'before_session', '{"event_type":"before_session","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"sessionStartsAt":"2026-11-22T15:02:00.000Z","minutesBefore":5},"timestamp":"2026-11-22T14:57:01.000Z"}', false, 3, '2026-11-22 14:57:01+00', NULL, NULL, false),
	('01a203bd-42b5-7594-be87-7de45387b611', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b47-73c1-8507-d5db9c4685a8', 'before_session', '{"event_type":"before_session","attendee":{"name":"Dee","email":"dee@example.com","registration_id":"01a203bd-41e8-7743-8837-9ac9efb071a9","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"sessionStartsAt":"2026-11-22T15:02:00.000Z","minutesBefore":5},"timestamp":"2026-11-22T14:57:01.000Z"}', false, 3, '2026-11-22 14:57:01+00', NULL, NULL, false),
	('01a203bd-42b5-7594-be87-833f1fe0086a', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b47-73c1-8507-d5db9c4685a8', 'before_session', '{"event_type":"before_session","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-427d-73dc-bc3a-2b501efb926b","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"sessionStartsAt":"2026-11-22T15:02:00.000Z","minutesBefore":5},"timestamp":"2026-11-22T14:57:01.000Z"}', false, 3, '2026-11-22 14:57:01+00', NULL, NULL, false),
	('01a203bd-43c2-73cf-aecc-5888f041082c', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a22-76f8-ab76-11f8acf15c1f', 'joined', '{"event_type":"joined","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-43c2-73cf-aecc-5f14b2c5919a', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'joined', '{"event_type":"joined","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-446b-7781-bd97-0930f731d0b6', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a22-76f8-ab76-11f8acf15c1f', 'joined', '{"event_type":"joined","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-446b-7781-bd97-0cd3927ea1dd', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'joined', '{"event_type":"joined","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-44c1-771f-aacb-1de49de1a7da', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ae1-738e-91a0-3a1c13d8219e', 'cta_click', '{"event_type":"cta_click","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"interactionId":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","offerId":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","interaction":{"id":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","headline":"Headline","internal_name":"Internal"}},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-44c1-771f-aacb-20a18a1a7254', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'cta_click', '{"event_type":"cta_click","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"interactionId":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","offerId":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","interaction":{"id":"01a203bd-35ce-7577-bb51-1ec4ca24b29b","headline":"Headline","internal_name":"Internal"}},"timestamp":"2026-11-22T15:02:01.000Z"}', false, 3, '2026-11-22 15:02:01+00', NULL, NULL, false),
	('01a203bd-472d-7570-a390-c3339bca5187', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3b09-7059-8ee5-941a3ed7e7e6', 'watched_minutes', '{"event_type":"watched_minutes","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"watchedSeconds":60,"completionPercent":15},"timestamp":"2026-11-22T15:03:01.000Z"}', false, 3, '2026-11-22 15:03:01+00', NULL, NULL, false),
	('01a203bd-4d62-70eb-87cc-0c124eeea168', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1e-7775-a773-331b34a3cb7c', 'registered', '{"event_type":"registered","attendee":{"name":"Eve","email":"eve@example.com","registration_id":"01a203bd-4d5c-76a0-aece-302e0f700976","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-4c8a-74e8-8d73-0376e75f8ba7","title":"Standard"},"event_data":{},"timestamp":"2026-11-22T14:51:07.468Z"}', false, 3, '2026-11-22 14:51:07.468+00', NULL, NULL, false),
	('01a203bd-4d8d-7311-a968-8fcf712aae14', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1e-7775-a773-331b34a3cb7c', 'registered', '{"event_type":"registered","attendee":{"name":"Fay","email":"fay@example.com","registration_id":"01a203bd-4d8b-718a-8fc0-dc2f740b4e16","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-4c8a-74e8-8d73-0376e75f8ba7","title":"Standard"},"event_data":{},"timestamp":"2026-11-22T14:51:07.516Z"}', false, 3, '2026-11-22 14:51:07.516+00', NULL, NULL, false),
	('01a203bd-4dbe-7041-9555-226dc38fd943', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1e-7775-a773-331b34a3cb7c', 'registered', '{"event_type":"registered","attendee":{"name":"Gus","email":"gus@example.com","registration_id":"01a203bd-4db1-73bb-bab1-1b836d0cdad5","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-4c8a-74e8-8d73-0376e75f8ba7","title":"Standard"},"event_data":{},"timestamp":"2026-11-22T14:51:07.555Z"}', false, 3, '2026-11-22 14:51:07.555+00', NULL, NULL, false),
	('01a203bd-4eec-746e-9407-40875f0ba7be', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1e-7775-a773-331b34a3cb7c', 'registered', '{"event_type":"registered","attendee":{"name":"hal","email":"hal@example.com","registration_id":"01a203bd-4ed4-7158-9ca2-cc8f8b19e531","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-4c8a-74e8-8d73-0376e75f8ba7","title":"Standard"},"event_data":{},"timestamp":"2026-11-22T14:51:07.815Z"}', false, 3, '2026-11-22 14:51:07.815+00', NULL, NULL, false),
	('01a203bd-4fe0-740f-91d3-1090befe5097', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d1e-7775-a773-331b34a3cb7c', 'registered', '{"event_type":"registered","attendee":{"name":"Jon","email":"jon@example.com","registration_id":"01a203bd-4fde-711f-9add-76c9241bf8da","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-4c8a-74e8-8d73-0376e75f8ba7","title":"Standard"},"event_data":{},"timestamp":"2026-11-22T14:51:08.110Z"}', false, 3, '2026-11-22 14:51:08.11+00', NULL, NULL, false),
	('01a203bd-568b-738a-8012-b0d2a44b271b', '01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-53c4-7798-ab3d-edb83ff38962', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-5676-764e-a5f1-8ce3c28d2e3d","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-536e-74fc-bfe0-bfcd55bc8b21","title":"Launch"},"event_data":{},"timestamp":"2026-11-22T14:51:09.750Z"}', false, 3, '2026-11-22 14:51:09.75+00', 'failure', NULL, false),
	('01a203bd-568b-738a-8012-b7021d8a29b6', '01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5422-72a5-8165-5e8339711ede', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-5676-764e-a5f1-8ce3c28d2e3d","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-536e-74fc-bfe0-bfcd55bc8b21","title":"Launch"},"event_data":{},"timestamp":"2026-11-22T14:51:09.750Z"}', false, 3, '2026-11-22 14:51:09.75+00', 'failure', NULL, false),
	('01a203bd-4c22-75f4-968a-b6a9115019f0', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a98-7019-a173-5f2efead30be', 'left', '{"event_type":"left","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"leftAt":"2026-11-22T15:07:01.000Z","reason":"closed","positionSeconds":60,"watchedSeconds":300,"completionPercent":76},"timestamp":"2026-11-22T15:08:02.000Z"}', false, 3, '2026-11-22 15:08:02+00', NULL, NULL, false),
	('01a203bd-4c22-75f4-968a-b8f3fba321fe', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'left', '{"event_type":"left","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-4092-73fb-8282-c9563f73a4b5","utm_source":"mail","utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"leftAt":"2026-11-22T15:07:01.000Z","reason":"closed","positionSeconds":60,"watchedSeconds":300,"completionPercent":76},"timestamp":"2026-11-22T15:08:02.000Z"}', false, 3, '2026-11-22 15:08:02+00', NULL, NULL, false),
	('01a203bd-4c22-75f4-968a-bf2fa6f1a4a3', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3a98-7019-a173-5f2efead30be', 'left', '{"event_type":"left","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"leftAt":"2026-11-22T15:02:01.000Z","reason":"timeout","positionSeconds":0,"watchedSeconds":0,"completionPercent":0},"timestamp":"2026-11-22T15:08:02.000Z"}', false, 3, '2026-11-22 15:08:02+00', NULL, NULL, false),
	('01a203bd-4c22-75f4-968a-c34f3bf157c7', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'left', '{"event_type":"left","attendee":{"name":"Bob","email":"bob@example.com","registration_id":"01a203bd-416a-7387-9625-62aa0bbf5393","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"leftAt":"2026-11-22T15:02:01.000Z","reason":"timeout","positionSeconds":0,"watchedSeconds":0,"completionPercent":0},"timestamp":"2026-11-22T15:08:02.000Z"}', false, 3, '2026-11-22 15:08:02+00', NULL, NULL, false),
	('01a203bd-4c70-7441-9492-665a28b23f66', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ac4-7102-b6d3-76acffd09f0b', 'no_show', '{"event_type":"no_show","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-427d-73dc-bc3a-2b501efb926b","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"detectedAt":"2026-11-22T15:33:01.000Z","sessionStartedAt":"2026-11-22T15:02:00.000Z"},"timestamp":"2026-11-22T15:33:01.000Z"}', false, 3, '2026-11-22 15:33:01+00', NULL, NULL, false),
	('01a203bd-4c70-7441-9492-6b5ef696a763', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'no_show', '{"event_type":"no_show","attendee":{"name":"Cyd","email":"cyd@example.com","registration_id":"01a203bd-427d-73dc-bc3a-2b501efb926b","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"detectedAt":"2026-11-22T15:33:01.000Z","sessionStartedAt":"2026-11-22T15:02:00.000Z"},"timestamp":"2026-11-22T15:33:01.000Z"}', false, 3, '2026-11-22 15:33:01+00', NULL, NULL, false),
	('01a203bd-4c70-7441-9492-6c98970a44df', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3ac4-7102-b6d3-76acffd09f0b', 'no_show', '{"event_type":"no_show","attendee":{"name":"Dee","email":"dee@example.com","registration_id":"01a203bd-41e8-7743-8837-9ac9efb071a9","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"detectedAt":"2026-11-22T15:33:01.000Z","sessionStartedAt":"2026-11-22T15:02:00.000Z"},"timestamp":"2026-11-22T15:33:01.000Z"}', false, 3, '2026-11-22 15:33:01+00', NULL, NULL, false),
	('01a203bd-4c70-7441-9492-72e7dd646043', '01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3c42-7238-b50d-6810789994e0', 'no_show', '{"event_type":"no_show","attendee":{"name":"Dee","email":"dee@example.com","registration_id":"01a203bd-41e8-7743-8837-9ac9efb071a9","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-3120-7614-877b-e10a217a44e3","title":"Adaptive"},"event_data":{"detectedAt":"2026-11-22T15:33:01.000Z","sessionStartedAt":"2026-11-22T15:02:00.000Z"},"timestamp":"2026-11-22T15:33:01.000Z"}', false, 3, '2026-11-22 15:33:01+00', NULL, NULL, false),
	('01a203bd-5978-77ba-8aa1-be29eda7723a', '01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-53c4-7798-ab3d-edb83ff38962', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-5676-764e-a5f1-8ce3c28d2e3d","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-536e-74fc-bfe0-bfcd55bc8b21","title":"Launch"},"event_data":{},"timestamp":"2026-11-22T14:51:10.533Z","is_refire":true}', true, 3, '2026-11-22 14:51:10.533+00', 'failure', '01a203bd-568b-738a-8012-b0d2a44b271b', false),
	('01a203bd-5990-711b-8626-7b17e7702ece', '01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5422-72a5-8165-5e8339711ede', 'registered', '{"event_type":"registered","attendee":{"name":"Ada","email":"ada@example.com","registration_id":"01a203bd-5676-764e-a5f1-8ce3c28d2e3d","utm_source":null,"utm_medium":null,"utm_campaign":null},"webinar":{"id":"01a203bd-536e-74fc-bfe0-bfcd55bc8b21","title":"Launch"},"event_data":{},"timestamp":"2026-11-22T14:51:10.533Z","is_refire":true}', true, 3, '2026-11-22 14:51:10.533+00', 'failure', '01a203bd-568b-738a-8012-b7021d8a29b6', false);

INSERT INTO deliveries.endpoint VALUES
	('01a203bd-391a-742e-9a30-b5043ffec90d', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/1', 'v1.4bb06f8e.fa772ddlutJ4NatE48g5za2ABmT7t2xvhXjXcY7rnrhARew6TmcuzUSrlQk1hp0k0TpsWhC5S-KWCntN3_W-J4UoNJwQisOlmr5DQqgW', 'JF0=', '2026-11-22 14:51:02.227+00', true),
	('01a203bd-3a22-76f8-ab76-11f8acf15c1f', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/2', 'v1.4bb06f8e.Itevj3ClH0qRC0DtjG94hC0fp0CaCqJHCuEfRPMWBwMJt3WgUJ61LuRSw6_MJzXPcUusbHH7HX4w9gkmZlILw_aUgLbDk3l6Bl3D0E4G', 'ZK0=', '2026-11-22 14:51:02.552+00', true),
	('01a203bd-3a98-7019-a173-5f2efead30be', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/3', 'v1.4bb06f8e.rwmcMTwjUyeket6wXAlipZq982FZJN7_jRmCqwcVKTtG_yRoShvsQ0GvXkUTlH3JNJ8QoEqixOrLMMezxEEUbMhSFyZx9wQcn67joc5O', 'fBs=', '2026-11-22 14:51:02.627+00', true),
	('01a203bd-3ac4-7102-b6d3-76acffd09f0b', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/4', 'v1.4bb06f8e.rsTytK-Gc-3IDGvCeQaXwNtaM_QpzsLUi1WMjsE-E2_vZNM83PKT_Xgee2J_Q_t-QLfJmDIVnrXkWEsaG5DkdL6a4M4RHlf74mZjKJ6B', 'D5g=', '2026-11-22 14:51:02.704+00', true),
	('01a203bd-3ae1-738e-91a0-3a1c13d8219e', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/5', 'v1.4bb06f8e.CEDBiOTmDX3yvbynX435AxwpmMnN_A-iWEO8txaGB_7MmW1VeDD_tC2oc9TWC01bHhqQiwLIfJcpdNPwA3TCPsVLVacwsLhyiZymx6OY', 'HqU=', '2026-11-22 14:51:02.742+00', true),
	('01a203bd-3b09-7059-8ee5-941a3ed7e7e6', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/6', 'v1.4bb06f8e.GS-SBet72rRjyx12MhVkdrAYLjvTLZbxhUufog000l385o6h8-aMmkHk3heY7Oo_H3m92-2SC-TGqbB8UVaCeWmKw6V0EzEtUv9reOKs', 'cqU=', '2026-11-22 14:51:02.777+00', true),
	('01a203bd-3b47-73c1-8507-d5db9c4685a8', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/7', 'v1.4bb06f8e.sm2MqSz_29S310ES3yBa2qHJtvR6GTTnrdXwPwZjnJq6ZM5a7fulyz0zGRK4TW4QyGn9k2KT4VxslNdAkig3BvTEmCKvxrSNx55QWt1g', 'OmM=', '2026-11-22 14:51:02.831+00', true),
	('01a203bd-3ba8-7075-ad95-4e336a099418', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/8', 'v1.4bb06f8e.9OiJXS-739txfDZRUnnN2QgnuWmqtnA_O7m7iBTZdEj19FIdGYmAKT5p_1SQBOY9gZKI1GdmRFxQ0DTw1sLmO3-3rwpHeJmyjvFt25lF', 'qmQ=', '2026-11-22 14:51:02.919+00', true),
	('01a203bd-3c42-7238-b50d-6810789994e0', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/9', 'v1.4bb06f8e.JeGvfx4QHMlqEHZr1OjSrZ8JDJyDeubhp0QQ96DO3xAzwQHYVZqg7lMUEnl6I82krfjQoWmWAkHdTNFsrHTuOluY-_8qTIuZwxfC3CzQ', 'O8w=', '2026-11-22 14:51:03.015+00', true),
	('01a203bd-4d1e-7775-a773-331b34a3cb7c', '01a203bd-2881-7280-9bd7-f65888b8c71c', 'http://127.0.0.1:36179/hook/10', 'v1.4bb06f8e.pE4m1Df-OpPfT-WMxE1MeCssLLB8sbbzz808UVJ9cxz5qaNjU90VbggOm6Zr7Aqez4jlt-ooAWswp6sAXeI2vNLPYTqm69KhzfTIzBYd', 'A3c=', '2026-11-22 14:51:07.392+00', true),
	('01a203bd-53c4-7798-ab3d-edb83ff38962', '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', 'v1.4bb06f8e.o4yaynuzpv18FQDPsnAvsqNvqPJ4nXVASo0wJTeci44yr6RFUW7cu-bdbBYbE7cQ89bJm1MZdWQiuWsKszxk9LEnHDYldRTNiUSdzLIv', 'mX4=', '2026-11-22 14:51:09.108+00', true),
	('01a203bd-5422-72a5-8165-5e8339711ede', '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'http://127.0.0.1:9/x', 'v1.4bb06f8e.FraZwHuKOtoNhyCUpcJvs3fyTBWUhlSVHLQjPZRrcEqy7bnICXzqSj8H8okfY3U1m6lmVKJjRaNnCk21dd8-ryVyc8vQg_VbAxOFuoZ0', 'KC0=', '2026-11-22 14:51:09.196+00', true);

INSERT INTO deliveries.endpoint_health VALUES
	('01a203bd-53c4-7798-ab3d-edb83ff38962', '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'failing', 4, '2026-11-22 14:51:10.028+00', NULL, 0, 0, 'connect', NULL),
	('01a203bd-5422-72a5-8165-5e8339711ede', '01a203bd-5315-73a2-97df-5fa25ae84a4b', 'failing', 4, '2026-11-22 14:51:10.028+00', NULL, 0, 0, 'connect', NULL);

INSERT INTO deliveries.recovery VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5824-74f3-9011-85ab776f53cc', '01a203bd-53c4-7798-ab3d-edb83ff38962', '2026-01-01 00:00:00+00', '2026-11-22 14:51:10.076+00', '{failure}', NULL, 'done', NULL, 1, false, 1, '01a203bd-568b-738a-8012-b0d2a44b271b', '2026-11-22 14:51:10.585542+00', '2026-11-22 14:51:10.076+00', '2026-11-22 14:51:10.533+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-585a-7406-9919-64048c051079', '01a203bd-5422-72a5-8165-5e8339711ede', '2026-01-01 00:00:00+00', '2026-11-22 14:51:10.291+00', '{failure}', NULL, 'done', NULL, 1, false, 1, '01a203bd-568b-738a-8012-b7021d8a29b6', '2026-11-22 14:51:10.609614+00', '2026-11-22 14:51:10.291+00', '2026-11-22 14:51:10.533+00');

INSERT INTO deliveries.suspended_account VALUES
	('01a203bd-690b-75db-9f04-a6a82c6ad148', NULL);

INSERT INTO deliveries.worker VALUES
	(1292621860, '2026-11-22 14:51:00.286+00');

INSERT INTO graphile_worker.migrations VALUES
	(1, '2026-11-22 14:50:38.804513+00', true),
	(2, '2026-11-22 14:50:38.91993+00', false),
	(3, '2026-11-22 14:50:38.951974+00', true),
	(4, '2026-11-22 14:50:38.963951+00', false),
	(5, '2026-11-22 14:50:38.979581+00', false),
	(6, '2026-11-22 14:50:38.983338+00', false),
	(7, '2026-11-22 14:50:38.991311+00', false),
	(8, '2026-11-22 14:50:38.999439+00', false),
	(9, '2026-11-22 14:50:39.027305+00', false),
	(10, '2026-11-22 14:50:39.035959+00', false),
	(11, '2026-11-22 14:50:39.046408+00', true),
	(12, '2026-11-22 14:50:39.234157+00', false),
	(13, '2026-11-22 14:50:39.242229+00', true),
	(14, '2026-11-22 14:50:39.248986+00', true),
	(15, '2026-11-22 14:50:39.260457+00', false),
	(16, '2026-11-22 14:50:39.267193+00', true),
	(17, '2026-11-22 14:50:39.294644+00', false),
	(18, '2026-11-22 14:50:39.308191+00', false),
	(19, '2026-11-22 14:50:39.332445+00', true),
	(20, '2026-11-22 14:50:39.360147+00', false);

INSERT INTO idempotency.kept_answer VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', 'fixture-2', '\x7e5ca97e06b55575be47bbc4045ae9295c2a030c5b6ac3fc79f1716cd2509c25', 201, '/api/v1/webinars/01a203bd-589f-73e4-a60c-951182137e58', NULL, '2026-11-22 14:51:10.349+00', '\x014bb06f8e8a336429695c0bac4defb9bcbc79729986b36c061b96b3df463b3b120e6066c94bc4f94ea6037b08aa7a48241b112450a5249f6a591d0d93ec9d387890076c10973db811d1fa107d13ab48e59c8d52eb41a855c57733e689518e54049414dee9684a6e6679a57dcdaa0a8bf5e21531f6a1a5a3207fb49efbcaf3c9ed933fe11c847ab176df7a7b8fd97c709f90dcab439583a976c7f53879d9f201593a945cfb2f75775c75605708c5c80ef4a60456c9f79476a8cbe97836ed70e5188ab55fccfda0d0dc508ccdcb2524c5882aba30d07cf35f6dc23734ac8255f7a3816b30891ef7029d10a2e40e998332da9a2672302be084d5d8e735fde43aa034c38a037dd317da78c09dd349fadc906e25647a8f0c6e6dff99815e923932817192c66913f41573afcb3558017e6fd0efb6a24ef1e6c179fb0eb988f87a6029e947eed2d49a85094369ed9ca4bd2f636896e3190dff4f6b9af3a39e7d2af05f885d0ef807917a37a1274b66b0c83259ad5f4b18def9519036b03e26df277d428680f278c93f54575f302ce25171bc5bd6deef9f404ea0783dbb1396056b25858a596001e95ad08941cee2cc47ccc2ec1ae4ab2173c365fac5e5985ef22d08d1a33760df9b13c4bc2fe7ada67eb2122af76986bccc3744691a51f925ad5d39652da95e55bf61b308e68ba8074fa15cfaf849b3794d88bd05b78e73347fdd36f9a35f044c93280552506ac1cab52f51ebf93b49ff736021898fa8594d2529eda1ef40cdb3c508b9dd6436da2b72604d', 668);

INSERT INTO idempotency.kept_bytes VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', 4, 668);

INSERT INTO keys.api_key VALUES
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-534c-750e-9515-7d5476a68aab', 'Test', 'svc_live_LRCE', '4EyX', '\xa861ea6c3218ea5949e6fcbb62b6b749d10093bfdbd8fc03a5b238b1e5902c99', '{webinars:read,webinars:write,sessions:read,sessions:write,registrations:read,registrations:write,automations:read,automations:write,interactions:read,interactions:write}', '{rest,mcp}', '2026-11-22 14:51:08.973+00', '2026-11-22 14:51:10.349+00', 14, 'operator', NULL, NULL),
	('01a203bd-690b-75db-9f04-a6a82c6ad148', '01a203bd-6930-77c6-b503-1749c6ede01a', 'Test', 'svc_live_tmyD', 'FWr4', '\x816096d833e1b2a2a6074e2a0cb7f7d4e338e4ef7c47b30ca8051ec8dda3d928', '{webinars:read,webinars:write,sessions:read,sessions:write,registrations:read,registrations:write,automations:read,automations:write,interactions:read,interactions:write}', '{rest,mcp}', '2026-11-22 14:51:14.579+00', NULL, 0, 'operator', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-6b34-7265-b870-cce9864cea84', 'Test', 'svc_live_IShv', 'GkhE', '\xf7a3e12843bdc305f9a5cd009d0644571c3300fc38485659c585c3f24bf054da', '{webinars:read,webinars:write,sessions:read,sessions:write,registrations:read,registrations:write,automations:read,automations:write,interactions:read,interactions:write}', '{rest,mcp}', '2026-11-22 14:51:15.109+00', NULL, 0, 'operator', NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-28ae-7384-8214-654d2a690aa8', 'Test', 'svc_live_uby5', 'BaQQ', '\x64654f8da9e8ebba54336479a3f0f394ebf3d1b4867b3d783e438ae30a46c76b', '{webinars:read,webinars:write,sessions:read,sessions:write,registrations:read,registrations:write,automations:read,automations:write,interactions:read,interactions:write}', '{rest,mcp}', '2026-11-22 14:50:58.057+00', '2026-11-22 14:51:08.175+00', 40, 'operator', NULL, NULL);

INSERT INTO keys.rate_window VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '2026-11-22 14:51:00+00', 39),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '2026-11-22 14:51:00+00', 14);

INSERT INTO keys.suspended_account VALUES
	('01a203bd-690b-75db-9f04-a6a82c6ad148');

INSERT INTO public.migration VALUES
	(1, '20261120-accounts-create', '2026-11-22 14:50:39.625669+00'),
	(2, '20261120-activity-create-api-call', '2026-11-22 14:50:39.625669+00'),
	(3, '20261120-activity-extend-api-call', '2026-11-22 14:50:39.625669+00'),
	(4, '20261120-automations-create', '2026-11-22 14:50:39.625669+00'),
	(5, '20261120-automations-rules-over-the-api', '2026-11-22 14:50:39.625669+00'),
	(6, '20261120-deliveries-create-deliveries', '2026-11-22 14:50:39.625669+00'),
	(7, '20261120-deliveries-redelivery', '2026-11-22 14:50:39.625669+00'),
	(8, '20261120-deliveries-redelivery-recovery', '2026-11-22 14:50:39.625669+00'),
	(9, '20261120-deliveries-scheduling', '2026-11-22 14:50:39.625669+00'),
	(10, '20261120-idempotency-create-kept-answer', '2026-11-22 14:50:39.625669+00'),
	(11, '20261120-keys-create-api-key', '2026-11-22 14:50:39.625669+00'),
	(12, '20261120-keys-create-rate-window', '2026-11-22 14:50:39.625669+00'),
	(13, '20261120-webinars-create', '2026-11-22 14:50:39.625669+00'),
	(14, '20261120-webinars-create-interaction', '2026-11-22 14:50:39.625669+00'),
	(15, '20261120-webinars-extend-registrations', '2026-11-22 14:50:39.625669+00'),
	(16, '20261120-webinars-extend-webinars', '2026-11-22 14:50:39.625669+00'),
	(17, '20261121-automations-fire-once', '2026-11-22 14:50:39.625669+00'),
	(18, '20261121-webinars-create-attendance', '2026-11-22 14:50:39.625669+00'),
	(19, '20261122-accounts-create-call-windows', '2026-11-22 14:50:39.625669+00'),
	(20, '20261122-accounts-create-suspension', '2026-11-22 14:50:39.625669+00'),
	(21, '20261122-activity-add-key-creator', '2026-11-22 14:50:39.625669+00'),
	(22, '20261122-deliveries-create-suspended-account', '2026-11-22 14:50:39.625669+00'),
	(23, '20261122-idempotency-count-kept-bytes', '2026-11-22 14:50:39.625669+00'),
	(24, '20261122-keys-add-creator', '2026-11-22 14:50:39.625669+00'),
	(25, '20261122-keys-create-suspended-account', '2026-11-22 14:50:39.625669+00'),
	(26, '20261122-limit-sign-in', '2026-11-22 14:50:39.625669+00'),
	(27, '20261122-webinars-months-of-events', '2026-11-22 14:50:39.625669+00');

INSERT INTO webinars.attendance VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '[{"id": "01a203bd-4362-745c-b579-4e4477f431a1", "seqMax": 33, "seqSeen": 4294967295, "startedAtMs": 1795359721000, "usedUntilMs": 1795360019000, "sharedUntilMs": 1795360019000, "creditedSeconds": 300}]', '2026-11-22 15:02:01+00', '2026-11-22 15:02:01+00', 1, '2026-11-22 15:07:01+00', NULL, '2026-11-22 15:07:01+00', NULL, 60, '\xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0f', 300, 76, '2026-11-22 15:05:21+00', '{"01a203bd-35ce-7577-bb51-1ec4ca24b29b": "offer"}', '{"01a203bd-375b-70a1-a469-5cbca20e7fb2": ["b"]}', '{"moves": 1, "segments": [{"segmentId": "01a203bd-31e3-73c2-b568-07dec5105df3", "offsetSeconds": 0, "durationSeconds": 300}, {"segmentId": "01a203bd-32bd-72f2-95e8-b79fa1e7903d", "offsetSeconds": 300, "durationSeconds": 60}], "currentId": "01a203bd-32bd-72f2-95e8-b79fa1e7903d", "inTransition": false, "totalSeconds": 390}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '[{"id": "01a203bd-442e-77e3-b24c-6f8893579a0b", "seqMax": 1, "seqSeen": 1, "startedAtMs": 1795359721000, "usedUntilMs": 1795359719000, "sharedUntilMs": 1795359719000, "creditedSeconds": 0}]', '2026-11-22 15:02:01+00', '2026-11-22 15:02:01+00', 1, '2026-11-22 15:02:01+00', NULL, '2026-11-22 15:02:01+00', NULL, 0, '\x', 0, 0, NULL, '{}', '{"01a203bd-375b-70a1-a469-5cbca20e7fb2": ["a"]}', '{"moves": 0, "segments": [{"segmentId": "01a203bd-31e3-73c2-b568-07dec5105df3", "offsetSeconds": 0, "durationSeconds": 300}], "currentId": "01a203bd-31e3-73c2-b568-07dec5105df3", "inTransition": false, "totalSeconds": 390}');

INSERT INTO webinars.attendee_event_202603 VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '019cd730-6900-7000-8000-00000000abcd', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'cta_click', '2026-03-10 10:00:00+00', '{"interactionId": "01a203bd-35ce-7577-bb51-1ec4ca24b29b"}');

INSERT INTO webinars.attendee_event_202605 VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '019e1154-5500-7000-8000-00000000abcd', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'cta_click', '2026-05-10 10:00:00+00', '{"interactionId": "01a203bd-35ce-7577-bb51-1ec4ca24b29b"}');

INSERT INTO webinars.attendee_event_202611 VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-40b8-76e1-ae14-63e7df420a55', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'registered', '2026-11-22 14:51:03.988+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-417c-77c3-a733-41e84295582e', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-416a-7387-9625-62aa0bbf5393', 'registered', '2026-11-22 14:51:04.415+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41dd-7467-b516-7dd0cb345709', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41d7-71f3-80bd-65dbeb6e1f29', 'registered', '2026-11-22 14:51:04.528+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41e8-7743-8837-9ce1d214f2cf', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41e8-7743-8837-9ac9efb071a9', 'registered', '2026-11-22 14:51:04.548+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4281-7695-9800-d50fa586848b', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-427d-73dc-bc3a-2b501efb926b', 'registered', '2026-11-22 14:51:04.681+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-43ba-7434-85f7-b50807f91150', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'joined', '2026-11-22 15:02:01+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4469-722f-8a97-81d2ffec1c57', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-416a-7387-9625-62aa0bbf5393', 'joined', '2026-11-22 15:02:01+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-44be-76c4-adbc-4ae0b8af5054', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'cta_click', '2026-11-22 15:02:01+00', '{"offerId": "01a203bd-35ce-7577-bb51-1ec4ca24b29b", "interaction": {"id": "01a203bd-35ce-7577-bb51-1ec4ca24b29b", "headline": "Headline", "internal_name": "Internal"}, "interactionId": "01a203bd-35ce-7577-bb51-1ec4ca24b29b"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-44fa-7620-9200-252722e8ba70', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'poll_response', '2026-11-22 15:02:01+00', '{"optionId": "b", "interaction": {"id": "01a203bd-375b-70a1-a469-5cbca20e7fb2", "headline": "Headline", "internal_name": "Internal"}, "interactionId": "01a203bd-375b-70a1-a469-5cbca20e7fb2", "selectedOption": "B"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4574-753c-b0f8-8bf871c24296', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-416a-7387-9625-62aa0bbf5393', 'poll_response', '2026-11-22 15:02:01+00', '{"optionId": "a", "interaction": {"id": "01a203bd-375b-70a1-a469-5cbca20e7fb2", "headline": "Headline", "internal_name": "Internal"}, "interactionId": "01a203bd-375b-70a1-a469-5cbca20e7fb2", "selectedOption": "A"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-459d-73a8-b2bf-af944af91df2', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'chat_response', '2026-11-22 15:02:01+00', '{"message": "Hello", "sent_at": "2026-11-22T15:02:01.000Z", "message_event_id": "01a203bd-459d-73a8-b2bf-af944af91df2"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-45b8-768a-a69e-8ce20241ce8c', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-416a-7387-9625-62aa0bbf5393', 'chat_response', '2026-11-22 15:02:01+00', '{"message": "Hi", "sent_at": "2026-11-22T15:02:01.000Z", "message_event_id": "01a203bd-45b8-768a-a69e-8ce20241ce8c"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-471b-7328-9b17-c5c122eeb311', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'watched_minutes', '2026-11-22 15:03:01+00', '{"watchedSeconds": 60, "completionPercent": 15}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4973-7392-9208-b4e7d284ca8e', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'video_complete', '2026-11-22 15:05:21+00', '{"watchedSeconds": 200, "completionPercent": 51}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4b86-774b-9347-b0ea47693f90', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'segment_completed', '2026-11-22 15:07:01+00', '{"segment_id": "01a203bd-31e3-73c2-b568-07dec5105df3", "watch_duration_seconds": 300}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4bb4-7628-bcfb-1405647b0e55', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'branch_taken', '2026-11-22 15:07:01+00', '{"branch_id": "01a203bd-3490-72e1-8e89-aa66da162075", "segment_id": "01a203bd-32bd-72f2-95e8-b79fa1e7903d"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c18-722f-9d6f-0bd29eb655f4', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'left', '2026-11-22 15:08:02+00', '{"leftAt": "2026-11-22T15:07:01.000Z", "reason": "closed", "watchedSeconds": 300, "positionSeconds": 60, "completionPercent": 76}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c18-722f-9d6f-0e755bc13a28', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-416a-7387-9625-62aa0bbf5393', 'left', '2026-11-22 15:08:02+00', '{"leftAt": "2026-11-22T15:02:01.000Z", "reason": "timeout", "watchedSeconds": 0, "positionSeconds": 0, "completionPercent": 0}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c6f-73e5-88aa-0ff3d5035151', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-427d-73dc-bc3a-2b501efb926b', 'no_show', '2026-11-22 15:33:01+00', '{"detectedAt": "2026-11-22T15:33:01.000Z", "sessionStartedAt": "2026-11-22T15:02:00.000Z"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c6f-73e5-88aa-12d439dfcd48', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-41e8-7743-8837-9ac9efb071a9', 'no_show', '2026-11-22 15:33:01+00', '{"detectedAt": "2026-11-22T15:33:01.000Z", "sessionStartedAt": "2026-11-22T15:02:00.000Z"}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d62-70eb-87cc-0b365654ce67', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4d5c-76a0-aece-302e0f700976', 'registered', '2026-11-22 14:51:07.468+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d8d-7311-a968-8a1bc80cb4e3', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4d8b-718a-8fc0-dc2f740b4e16', 'registered', '2026-11-22 14:51:07.516+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4dbc-7166-a5ea-086fcffb1a08', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4db1-73bb-bab1-1b836d0cdad5', 'registered', '2026-11-22 14:51:07.555+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4eeb-70d9-b994-82fd76d0fb0d', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4ed4-7158-9ca2-cc8f8b19e531', 'registered', '2026-11-22 14:51:07.815+00', '{}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4fe0-740f-91d3-0c1b1b771bbd', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4f73-77c1-b12b-272f66b53fcf', '01a203bd-4fde-711f-9add-76c9241bf8da', 'registered', '2026-11-22 14:51:08.11+00', '{}'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-568b-738a-8012-afcd72d0764d', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-539c-750f-9f3f-62c2c8f9b575', '01a203bd-5676-764e-a5f1-8ce3c28d2e3d', 'registered', '2026-11-22 14:51:09.75+00', '{}');

INSERT INTO webinars.attendee_event_default VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '019433c2-ec00-7000-8000-00000000abcd', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-4092-73fb-8282-c9563f73a4b5', 'cta_click', '2025-01-05 00:00:00+00', '{"interactionId": "01a203bd-35ce-7577-bb51-1ec4ca24b29b"}');

INSERT INTO webinars.branch VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3490-72e1-8e89-aa66da162075', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-31e3-73c2-b568-07dec5105df3', '01a203bd-32bd-72f2-95e8-b79fa1e7903d', 'intro>short', 0, 'default', '[]', NULL, NULL, 15, '2026-11-22 14:51:00.964+00', '2026-11-22 14:51:00.964+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-34cc-7714-9acd-709c8178b2fc', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-31e3-73c2-b568-07dec5105df3', '01a203bd-331b-7567-b0ff-44403b30f157', 'intro>long', 0, 'choice', '[]', 'More?', 200, 15, '2026-11-22 14:51:01.185+00', '2026-11-22 14:51:01.185+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3506-7308-817a-e4e51d554f80', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-32bd-72f2-95e8-b79fa1e7903d', '01a203bd-33a1-706c-967f-92f20c72bfa9', 'short>end', 0, 'default', '[]', NULL, NULL, 15, '2026-11-22 14:51:01.215+00', '2026-11-22 14:51:01.215+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-354f-767e-8a7e-316cf39c7aca', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-331b-7567-b0ff-44403b30f157', '01a203bd-33a1-706c-967f-92f20c72bfa9', 'long>end', 0, 'default', '[]', NULL, NULL, 15, '2026-11-22 14:51:01.305+00', '2026-11-22 14:51:01.305+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '0b96db42-5ae3-4cd7-8d58-3017ac0c9bcc', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '2c0615a5-9805-4199-9837-05c56aeda189', '4ab0a33f-6a70-47d2-adb3-140d49921f5c', 'On', 0, 'default', '[]', NULL, NULL, 15, '2026-11-22 14:51:09.101+00', '2026-11-22 14:51:09.101+00');

INSERT INTO webinars.interaction VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-35ce-7577-bb51-1ec4ca24b29b', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-31e3-73c2-b568-07dec5105df3', 'offer', 'Internal', 'Headline', NULL, 0, NULL, true, true, 'popup', true, '[]', '{"url": "https://shop.example/", "currency": null, "imageUrl": null, "couponCode": null, "priceMinor": null, "buttonLabel": "Buy", "productRefs": [], "countdownSeconds": null}', '2026-11-22 14:51:01.346+00', '2026-11-22 14:51:01.346+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-375b-70a1-a469-5cbca20e7fb2', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-31e3-73c2-b568-07dec5105df3', 'poll', 'Internal', 'Headline', NULL, 0, NULL, true, true, 'popup', true, '[]', '{"options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}], "results": "after_vote", "multiple": false}', '2026-11-22 14:51:01.794+00', '2026-11-22 14:51:01.794+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-54ce-748d-9fb1-7c77c6710637', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', NULL, 'offer', 'Offer', 'Buy', NULL, 5, NULL, true, true, 'popup', true, '[]', '{"url": "https://example.com/buy", "currency": null, "imageUrl": null, "couponCode": null, "priceMinor": null, "buttonLabel": "Buy", "productRefs": [], "countdownSeconds": null}', '2026-11-22 14:51:09.337+00', '2026-11-22 14:51:09.337+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5505-72c4-b104-ee2e0bed6d12', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', NULL, 'cta', 'CTA', 'Read', NULL, 5, NULL, true, true, 'popup', true, '[]', '{"url": "https://example.com/read", "buttonLabel": "Read"}', '2026-11-22 14:51:09.421+00', '2026-11-22 14:51:09.421+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5515-70a2-a2ce-f3b87446a0a3', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', NULL, 'poll', 'Poll', 'Which?', NULL, 5, NULL, true, true, 'popup', true, '[]', '{"options": [{"id": "01a203bd-5515-70a2-a2ce-e82df8e529b7", "label": "One"}, {"id": "01a203bd-5515-70a2-a2ce-ed8894288782", "label": "Two"}], "results": "after_vote", "multiple": false}', '2026-11-22 14:51:09.458+00', '2026-11-22 14:51:09.458+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-556d-709a-84d9-eb41732d89ce', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', NULL, 'handout', 'Slides', 'Slides', NULL, 5, NULL, true, true, 'popup', true, '[]', '{"url": "https://example.com/a.pdf", "fileName": "a.pdf"}', '2026-11-22 14:51:09.474+00', '2026-11-22 14:51:09.474+00');

INSERT INTO webinars.poll_count VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-375b-70a1-a469-5cbca20e7fb2', 'b', 1),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-375b-70a1-a469-5cbca20e7fb2', 'a', 1);

INSERT INTO webinars.registration VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41d7-71f3-80bd-65dbeb6e1f29', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', 'Cyd', 'cyd@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:04.528+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'cancelled', 1, '2026-11-22 14:51:04.565+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4092-73fb-8282-c9563f73a4b5', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', 'Ada', 'ada@example.com', 'mail', NULL, NULL, 'api', '2026-11-22 14:51:03.988+00', NULL, NULL, NULL, '{"company": "Engines"}', NULL, NULL, NULL, '{"crm": "17"}', 'attended', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-416a-7387-9625-62aa0bbf5393', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', 'Bob', 'bob@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:04.415+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'attended', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-41e8-7743-8837-9ac9efb071a9', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', 'Dee', 'dee@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:04.548+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'no_show', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-427d-73dc-bc3a-2b501efb926b', '01a203bd-3120-7614-877b-e10a217a44e3', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', 'Cyd', 'cyd@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:04.681+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'no_show', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d5c-76a0-aece-302e0f700976', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', 'Eve', 'eve@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:07.468+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'registered', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4d8b-718a-8fc0-dc2f740b4e16', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', 'Fay', 'fay@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:07.516+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'registered', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4db1-73bb-bab1-1b836d0cdad5', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', 'Gus', 'gus@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:07.555+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'cancelled', 1, '2026-11-22 14:51:07.619+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4ed4-7158-9ca2-cc8f8b19e531', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4cd4-744f-a240-0c01475abc0f', 'hal', 'hal@example.com', NULL, NULL, NULL, 'bulk', '2026-11-22 14:51:07.815+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'registered', 1, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4fde-711f-9add-76c9241bf8da', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', '01a203bd-4f73-77c1-b12b-272f66b53fcf', 'Jon', 'jon@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:08.11+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'cancelled', 1, '2026-11-22 14:51:08.133+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-5676-764e-a5f1-8ce3c28d2e3d', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '01a203bd-539c-750f-9f3f-62c2c8f9b575', 'Ada', 'ada@example.com', NULL, NULL, NULL, 'api', '2026-11-22 14:51:09.75+00', NULL, NULL, NULL, '{}', NULL, NULL, NULL, '{}', 'registered', 1, NULL);

INSERT INTO webinars.segment VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-31e3-73c2-b568-07dec5105df3', '01a203bd-3120-7614-877b-e10a217a44e3', 'intro', 'Intro', NULL, 300, true, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:00.358+00', '2026-11-22 14:51:00.358+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-32bd-72f2-95e8-b79fa1e7903d', '01a203bd-3120-7614-877b-e10a217a44e3', 'short', 'Short', NULL, 60, false, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:00.627+00', '2026-11-22 14:51:00.627+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-331b-7567-b0ff-44403b30f157', '01a203bd-3120-7614-877b-e10a217a44e3', 'long', 'Long', NULL, 600, false, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:00.712+00', '2026-11-22 14:51:00.712+00'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-33a1-706c-967f-92f20c72bfa9', '01a203bd-3120-7614-877b-e10a217a44e3', 'end', 'End', NULL, 30, false, true, '{"x": 0, "y": 0}', '2026-11-22 14:51:00.8+00', '2026-11-22 14:51:00.8+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '2c0615a5-9805-4199-9837-05c56aeda189', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '2c0615a5-9805-4199-9837-05c56aeda189', 'Part', NULL, 60, false, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:09.092+00', '2026-11-22 14:51:09.092+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '4ab0a33f-6a70-47d2-adb3-140d49921f5c', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '4ab0a33f-6a70-47d2-adb3-140d49921f5c', 'Part', NULL, 60, false, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:09.092+00', '2026-11-22 14:51:09.092+00'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '16ba58b5-b7ee-4a8e-af72-321269a07012', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', '16ba58b5-b7ee-4a8e-af72-321269a07012', 'Part', NULL, 60, false, false, '{"x": 0, "y": 0}', '2026-11-22 14:51:09.092+00', '2026-11-22 14:51:09.092+00');

INSERT INTO webinars.session VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-37fd-74ec-8125-76b0d9a0bb0a', '01a203bd-3120-7614-877b-e10a217a44e3', 'ended', '2026-11-22 15:02:00+00', '2026-11-22 15:22:00+00', '2026-11-22 14:51:01.884+00', 'scheduled', 'clock', 'UTC', 'once-2026-11-22T15:02', 0, '2026-11-22 15:02:00+00', '2026-11-22 15:22:00+00', NULL, NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4cd4-744f-a240-0c01475abc0f', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', 'scheduled', '2026-11-22 15:44:00+00', '2026-11-22 15:54:00+00', '2026-11-22 14:51:07.325+00', 'scheduled', 'clock', 'UTC', 'once-2026-11-22T15:44', 0, NULL, NULL, NULL, NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4f73-77c1-b12b-272f66b53fcf', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', 'scheduled', '2026-11-23 15:44:00+00', '2026-11-23 15:54:00+00', '2026-11-22 14:51:08.001+00', 'scheduled', 'api', 'UTC', NULL, 0, NULL, NULL, NULL, NULL, NULL),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-503c-77a4-93a9-b4f51e86607e', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', 'scheduled', '2026-11-23 16:44:00+00', '2026-11-23 16:54:00+00', '2026-11-22 14:51:08.175+00', 'scheduled', 'api', 'UTC', NULL, 0, NULL, NULL, NULL, NULL, NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-539c-750f-9f3f-62c2c8f9b575', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', 'scheduled', '2026-11-23 14:52:00+00', '2026-11-23 15:52:00+00', '2026-11-22 14:51:09.038+00', 'scheduled', 'clock', 'UTC', 'once-2026-11-23T14:52', 0, NULL, NULL, NULL, NULL, NULL),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-55fd-77b4-8a93-3e806ed8c1d1', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', 'scheduled', '2026-11-23 16:52:00+00', '2026-11-23 17:52:00+00', '2026-11-22 14:51:09.679+00', 'scheduled', 'api', 'UTC', NULL, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO webinars.webinar VALUES
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-2952-74a5-adb9-c6aa35ea15de', 'Launch', NULL, 'UTC', 600, 'draft', NULL, '2026-11-22 14:50:58.251+00', '2026-11-22 14:50:58.251+00', NULL, 'launch', 'standard', 'en', NULL, '{"onDemand": false, "justInTime": null, "slotsShown": 3, "recurrences": [{"time": "15:01", "endDate": null, "frequency": "once", "startDate": "2026-11-22", "dayOfMonth": null, "daysOfWeek": null}], "timezoneMode": "fixed", "blackoutDates": [], "hoursOfOperation": null}', '{"chatMode": "public", "lateJoin": "in_progress", "seekAllowed": false, "lobbyMinutes": 15, "lateCutoffMinutes": null}', '{"enabled": false, "availableHours": null}', '{"fields": [], "consentText": null, "capacityPerSession": null}', '{"minSeconds": 0, "completionPercent": 95, "noShowGraceMinutes": 10}', '{"windowDays": 30}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-3120-7614-877b-e10a217a44e3', 'Adaptive', NULL, 'UTC', 1200, 'published', '2026-11-22 14:51:01.884+00', '2026-11-22 14:51:00.242+00', '2026-11-22 14:51:01.884+00', 'What attendees see', 'adaptive', 'adaptive', 'en', NULL, '{"onDemand": false, "justInTime": null, "slotsShown": 3, "recurrences": [{"time": "15:02", "endDate": null, "frequency": "once", "startDate": "2026-11-22", "dayOfMonth": null, "daysOfWeek": null}], "timezoneMode": "fixed", "blackoutDates": [], "hoursOfOperation": null}', '{"chatMode": "public", "lateJoin": "in_progress", "seekAllowed": false, "lobbyMinutes": 15, "lateCutoffMinutes": null}', '{"enabled": false, "availableHours": null}', '{"fields": [], "consentText": null, "capacityPerSession": null}', '{"minSeconds": 0, "completionPercent": 50, "noShowGraceMinutes": 10}', '{"windowDays": 30}'),
	('01a203bd-2881-7280-9bd7-f65888b8c71c', '01a203bd-4c8a-74e8-8d73-0376e75f8ba7', 'Standard', NULL, 'UTC', 600, 'published', '2026-11-22 14:51:07.325+00', '2026-11-22 14:51:07.256+00', '2026-11-22 14:51:07.325+00', 'What attendees see', 'standard', 'standard', 'en', NULL, '{"onDemand": false, "justInTime": null, "slotsShown": 3, "recurrences": [{"time": "15:44", "endDate": null, "frequency": "once", "startDate": "2026-11-22", "dayOfMonth": null, "daysOfWeek": null}], "timezoneMode": "fixed", "blackoutDates": [], "hoursOfOperation": null}', '{"chatMode": "public", "lateJoin": "in_progress", "seekAllowed": false, "lobbyMinutes": 15, "lateCutoffMinutes": null}', '{"enabled": false, "availableHours": null}', '{"fields": [], "consentText": null, "capacityPerSession": 3}', '{"minSeconds": 0, "completionPercent": 95, "noShowGraceMinutes": 10}', '{"windowDays": 30}'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-536e-74fc-bfe0-bfcd55bc8b21', 'Launch', NULL, 'UTC', 3600, 'published', '2026-11-22 14:51:09.038+00', '2026-11-22 14:51:09.038+00', '2026-11-22 14:51:09.038+00', NULL, 'launch', 'standard', 'en', NULL, '{"onDemand": false, "justInTime": null, "slotsShown": 3, "recurrences": [{"time": "14:52", "endDate": null, "frequency": "once", "startDate": "2026-11-23", "dayOfMonth": null, "daysOfWeek": null}], "timezoneMode": "fixed", "blackoutDates": [], "hoursOfOperation": null}', '{"chatMode": "public", "lateJoin": "in_progress", "seekAllowed": false, "lobbyMinutes": 15, "lateCutoffMinutes": null}', '{"enabled": false, "availableHours": null}', '{"fields": [], "consentText": null, "capacityPerSession": null}', '{"minSeconds": 0, "completionPercent": 95, "noShowGraceMinutes": 10}', '{"windowDays": 30}'),
	('01a203bd-5315-73a2-97df-5fa25ae84a4b', '01a203bd-589f-73e4-a60c-951182137e58', 'Kept', NULL, 'UTC', 3600, 'draft', NULL, '2026-11-22 14:51:10.349+00', '2026-11-22 14:51:10.349+00', NULL, 'kept', 'standard', 'en', NULL, '{"onDemand": false, "justInTime": null, "slotsShown": 3, "recurrences": [], "timezoneMode": "fixed", "blackoutDates": [], "hoursOfOperation": null}', '{"chatMode": "public", "lateJoin": "in_progress", "seekAllowed": false, "lobbyMinutes": 15, "lateCutoffMinutes": null}', '{"enabled": false, "availableHours": null}', '{"fields": [], "consentText": null, "capacityPerSession": null}', '{"minSeconds": 0, "completionPercent": 95, "noShowGraceMinutes": 10}', '{"windowDays": 30}');

SELECT pg_catalog.setval('graphile_worker.job_queues_id_seq', 1, false);

SELECT pg_catalog.setval('graphile_worker.jobs_id_seq1', 1, false);

SELECT pg_catalog.setval('graphile_worker.tasks_id_seq', 1, false);

SELECT pg_catalog.setval('public.migration_id_seq', 27, true);

ALTER TABLE ONLY accounts.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.account
    ADD CONSTRAINT account_provider_unique UNIQUE ("providerId", "accountId");

ALTER TABLE ONLY accounts.account_window
    ADD CONSTRAINT account_window_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY accounts.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.known_address
    ADD CONSTRAINT known_address_pkey PRIMARY KEY (user_id, address);

ALTER TABLE ONLY accounts.member
    ADD CONSTRAINT member_once_unique UNIQUE ("organizationId", "userId");

ALTER TABLE ONLY accounts.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.organization
    ADD CONSTRAINT organization_slug_unique UNIQUE (slug);

ALTER TABLE ONLY accounts.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.session
    ADD CONSTRAINT session_token_unique UNIQUE (token);

ALTER TABLE ONLY accounts.session_window
    ADD CONSTRAINT session_window_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY accounts.sign_in_attempt
    ADD CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY accounts.suspension
    ADD CONSTRAINT suspension_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY accounts."user"
    ADD CONSTRAINT user_email_unique UNIQUE (email);

ALTER TABLE ONLY accounts."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts.verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);

ALTER TABLE ONLY activity.api_call
    ADD CONSTRAINT api_call_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261121
    ADD CONSTRAINT api_call_20261121_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261122
    ADD CONSTRAINT api_call_20261122_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261123
    ADD CONSTRAINT api_call_20261123_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261124
    ADD CONSTRAINT api_call_20261124_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261125
    ADD CONSTRAINT api_call_20261125_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261126
    ADD CONSTRAINT api_call_20261126_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261127
    ADD CONSTRAINT api_call_20261127_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261128
    ADD CONSTRAINT api_call_20261128_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_20261129
    ADD CONSTRAINT api_call_20261129_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY activity.api_call_count
    ADD CONSTRAINT api_call_count_pkey PRIMARY KEY (account_id, key_id, starts_at, surface);

ALTER TABLE ONLY activity.api_call_default
    ADD CONSTRAINT api_call_default_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution
    ADD CONSTRAINT execution_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261121
    ADD CONSTRAINT execution_20261121_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261122
    ADD CONSTRAINT execution_20261122_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261123
    ADD CONSTRAINT execution_20261123_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261124
    ADD CONSTRAINT execution_20261124_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261125
    ADD CONSTRAINT execution_20261125_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261126
    ADD CONSTRAINT execution_20261126_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261127
    ADD CONSTRAINT execution_20261127_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261128
    ADD CONSTRAINT execution_20261128_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_20261129
    ADD CONSTRAINT execution_20261129_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.execution_default
    ADD CONSTRAINT execution_default_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.firing
    ADD CONSTRAINT firing_pkey PRIMARY KEY (account_id, rule_id, registration_id, session_id, subject);

ALTER TABLE ONLY automations.rule
    ADD CONSTRAINT rule_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.rule_set
    ADD CONSTRAINT rule_set_pkey PRIMARY KEY (account_id, webinar_id);

ALTER TABLE ONLY automations.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.timer
    ADD CONSTRAINT timer_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY automations.timer
    ADD CONSTRAINT timer_unique UNIQUE NULLS NOT DISTINCT (account_id, rule_id, session_id, registration_id);

ALTER TABLE ONLY deliveries.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261121
    ADD CONSTRAINT attempt_20261121_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261122
    ADD CONSTRAINT attempt_20261122_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261123
    ADD CONSTRAINT attempt_20261123_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261124
    ADD CONSTRAINT attempt_20261124_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261125
    ADD CONSTRAINT attempt_20261125_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261126
    ADD CONSTRAINT attempt_20261126_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261127
    ADD CONSTRAINT attempt_20261127_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261128
    ADD CONSTRAINT attempt_20261128_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_20261129
    ADD CONSTRAINT attempt_20261129_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.attempt_default
    ADD CONSTRAINT attempt_default_pkey PRIMARY KEY (delivery_id, number, account_id);

ALTER TABLE ONLY deliveries.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261121
    ADD CONSTRAINT delivery_20261121_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261122
    ADD CONSTRAINT delivery_20261122_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261123
    ADD CONSTRAINT delivery_20261123_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261124
    ADD CONSTRAINT delivery_20261124_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261125
    ADD CONSTRAINT delivery_20261125_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261126
    ADD CONSTRAINT delivery_20261126_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261127
    ADD CONSTRAINT delivery_20261127_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261128
    ADD CONSTRAINT delivery_20261128_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_20261129
    ADD CONSTRAINT delivery_20261129_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.delivery_default
    ADD CONSTRAINT delivery_default_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.due
    ADD CONSTRAINT due_pkey PRIMARY KEY (delivery_id, account_id);

ALTER TABLE ONLY deliveries.endpoint_health
    ADD CONSTRAINT endpoint_health_pkey PRIMARY KEY (endpoint_id, account_id);

ALTER TABLE ONLY deliveries.endpoint_notice
    ADD CONSTRAINT endpoint_notice_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (id, account_id);

ALTER TABLE ONLY deliveries.recovery
    ADD CONSTRAINT recovery_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY deliveries.suspended_account
    ADD CONSTRAINT suspended_account_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY deliveries.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (number);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_key_key1 UNIQUE (key);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_known_crontabs
    ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);

ALTER TABLE ONLY graphile_worker.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY idempotency.kept_answer
    ADD CONSTRAINT kept_answer_pkey PRIMARY KEY (account_id, key);

ALTER TABLE ONLY idempotency.kept_bytes
    ADD CONSTRAINT kept_bytes_pkey PRIMARY KEY (account_id, slot);

ALTER TABLE ONLY jobs.cron_run
    ADD CONSTRAINT cron_run_pkey PRIMARY KEY (name);

ALTER TABLE ONLY keys.api_key
    ADD CONSTRAINT api_key_hash_unique UNIQUE (hash);

ALTER TABLE ONLY keys.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY keys.rate_window
    ADD CONSTRAINT rate_window_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY keys.suspended_account
    ADD CONSTRAINT suspended_account_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webinars.attendance
    ADD CONSTRAINT attendance_pkey PRIMARY KEY (account_id, registration_id);

ALTER TABLE ONLY webinars.attendee_event
    ADD CONSTRAINT attendee_event_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_202603
    ADD CONSTRAINT attendee_event_202603_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_202605
    ADD CONSTRAINT attendee_event_202605_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_202611
    ADD CONSTRAINT attendee_event_202611_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_202612
    ADD CONSTRAINT attendee_event_202612_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_202701
    ADD CONSTRAINT attendee_event_202701_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.attendee_event_default
    ADD CONSTRAINT attendee_event_default_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.branch
    ADD CONSTRAINT branch_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.interaction
    ADD CONSTRAINT interaction_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.poll_count
    ADD CONSTRAINT poll_count_pkey PRIMARY KEY (account_id, session_id, interaction_id, option_id);

ALTER TABLE ONLY webinars.registration
    ADD CONSTRAINT registration_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.segment
    ADD CONSTRAINT segment_key_unique UNIQUE (account_id, webinar_id, key);

ALTER TABLE ONLY webinars.segment
    ADD CONSTRAINT segment_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.session
    ADD CONSTRAINT session_webinar_kind_starts_at_unique UNIQUE (account_id, webinar_id, kind, starts_at);

ALTER TABLE ONLY webinars.webinar
    ADD CONSTRAINT webinar_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webinars.webinar
    ADD CONSTRAINT webinar_slug_unique UNIQUE (account_id, slug);

CREATE INDEX "account_userId_idx" ON accounts.account USING btree ("userId");

CREATE INDEX invitation_email_idx ON accounts.invitation USING btree (email);

CREATE INDEX "invitation_organizationId_idx" ON accounts.invitation USING btree ("organizationId");

CREATE INDEX "member_organizationId_idx" ON accounts.member USING btree ("organizationId");

CREATE INDEX "member_userId_idx" ON accounts.member USING btree ("userId");

CREATE INDEX "session_expiresAt_idx" ON accounts.session USING btree ("expiresAt");

CREATE INDEX "session_userId_idx" ON accounts.session USING btree ("userId");

CREATE INDEX sign_in_attempt_ends_at_idx ON accounts.sign_in_attempt USING btree (ends_at);

CREATE INDEX verification_identifier_idx ON accounts.verification USING btree (identifier);

CREATE INDEX api_call_request_index ON ONLY activity.api_call USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261121_account_id_request_id_id_idx ON activity.api_call_20261121 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261122_account_id_request_id_id_idx ON activity.api_call_20261122 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261123_account_id_request_id_id_idx ON activity.api_call_20261123 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261124_account_id_request_id_id_idx ON activity.api_call_20261124 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261125_account_id_request_id_id_idx ON activity.api_call_20261125 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261126_account_id_request_id_id_idx ON activity.api_call_20261126 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261127_account_id_request_id_id_idx ON activity.api_call_20261127 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261128_account_id_request_id_id_idx ON activity.api_call_20261128 USING btree (account_id, request_id, id);

CREATE INDEX api_call_20261129_account_id_request_id_id_idx ON activity.api_call_20261129 USING btree (account_id, request_id, id);

CREATE INDEX api_call_count_starts_at_index ON activity.api_call_count USING btree (starts_at);

CREATE INDEX api_call_default_account_id_request_id_id_idx ON activity.api_call_default USING btree (account_id, request_id, id);

CREATE INDEX execution_registration_index ON ONLY automations.execution USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261121_account_id_registration_id_id_idx ON automations.execution_20261121 USING btree (account_id, registration_id, id);

CREATE INDEX execution_rule_index ON ONLY automations.execution USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261121_account_id_rule_id_id_idx ON automations.execution_20261121 USING btree (account_id, rule_id, id);

CREATE INDEX execution_webinar_index ON ONLY automations.execution USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261121_account_id_webinar_id_id_idx ON automations.execution_20261121 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261122_account_id_registration_id_id_idx ON automations.execution_20261122 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261122_account_id_rule_id_id_idx ON automations.execution_20261122 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261122_account_id_webinar_id_id_idx ON automations.execution_20261122 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261123_account_id_registration_id_id_idx ON automations.execution_20261123 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261123_account_id_rule_id_id_idx ON automations.execution_20261123 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261123_account_id_webinar_id_id_idx ON automations.execution_20261123 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261124_account_id_registration_id_id_idx ON automations.execution_20261124 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261124_account_id_rule_id_id_idx ON automations.execution_20261124 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261124_account_id_webinar_id_id_idx ON automations.execution_20261124 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261125_account_id_registration_id_id_idx ON automations.execution_20261125 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261125_account_id_rule_id_id_idx ON automations.execution_20261125 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261125_account_id_webinar_id_id_idx ON automations.execution_20261125 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261126_account_id_registration_id_id_idx ON automations.execution_20261126 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261126_account_id_rule_id_id_idx ON automations.execution_20261126 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261126_account_id_webinar_id_id_idx ON automations.execution_20261126 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261127_account_id_registration_id_id_idx ON automations.execution_20261127 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261127_account_id_rule_id_id_idx ON automations.execution_20261127 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261127_account_id_webinar_id_id_idx ON automations.execution_20261127 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261128_account_id_registration_id_id_idx ON automations.execution_20261128 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261128_account_id_rule_id_id_idx ON automations.execution_20261128 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261128_account_id_webinar_id_id_idx ON automations.execution_20261128 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_20261129_account_id_registration_id_id_idx ON automations.execution_20261129 USING btree (account_id, registration_id, id);

CREATE INDEX execution_20261129_account_id_rule_id_id_idx ON automations.execution_20261129 USING btree (account_id, rule_id, id);

CREATE INDEX execution_20261129_account_id_webinar_id_id_idx ON automations.execution_20261129 USING btree (account_id, webinar_id, id);

CREATE INDEX execution_default_account_id_registration_id_id_idx ON automations.execution_default USING btree (account_id, registration_id, id);

CREATE INDEX execution_default_account_id_rule_id_id_idx ON automations.execution_default USING btree (account_id, rule_id, id);

CREATE INDEX execution_default_account_id_webinar_id_id_idx ON automations.execution_default USING btree (account_id, webinar_id, id);

CREATE INDEX firing_fired_at_index ON automations.firing USING brin (fired_at);

CREATE INDEX rule_subscription_index ON automations.rule USING btree (account_id, subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX rule_webinar_trigger_index ON automations.rule USING btree (account_id, webinar_id, trigger_type);

CREATE INDEX subscription_webinar_index ON automations.subscription USING btree (account_id, webinar_id, id);

CREATE INDEX timer_due_index ON automations.timer USING btree (due_at);

CREATE INDEX timer_session_index ON automations.timer USING btree (account_id, session_id);

CREATE INDEX delivery_ended_index ON ONLY deliveries.delivery USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261121_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261121 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_endpoint_index ON ONLY deliveries.delivery USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261121_account_id_endpoint_id_id_idx ON deliveries.delivery_20261121 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_redelivery_index ON ONLY deliveries.delivery USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261121_account_id_redelivery_of_id_idx ON deliveries.delivery_20261121 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261122_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261122 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261122_account_id_endpoint_id_id_idx ON deliveries.delivery_20261122 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261122_account_id_redelivery_of_id_idx ON deliveries.delivery_20261122 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261123_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261123 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261123_account_id_endpoint_id_id_idx ON deliveries.delivery_20261123 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261123_account_id_redelivery_of_id_idx ON deliveries.delivery_20261123 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261124_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261124 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261124_account_id_endpoint_id_id_idx ON deliveries.delivery_20261124 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261124_account_id_redelivery_of_id_idx ON deliveries.delivery_20261124 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261125_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261125 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261125_account_id_endpoint_id_id_idx ON deliveries.delivery_20261125 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261125_account_id_redelivery_of_id_idx ON deliveries.delivery_20261125 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261126_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261126 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261126_account_id_endpoint_id_id_idx ON deliveries.delivery_20261126 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261126_account_id_redelivery_of_id_idx ON deliveries.delivery_20261126 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261127_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261127 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261127_account_id_endpoint_id_id_idx ON deliveries.delivery_20261127 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261127_account_id_redelivery_of_id_idx ON deliveries.delivery_20261127 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261128_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261128 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261128_account_id_endpoint_id_id_idx ON deliveries.delivery_20261128 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261128_account_id_redelivery_of_id_idx ON deliveries.delivery_20261128 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_20261129_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_20261129 USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_20261129_account_id_endpoint_id_id_idx ON deliveries.delivery_20261129 USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_20261129_account_id_redelivery_of_id_idx ON deliveries.delivery_20261129 USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX delivery_default_account_id_endpoint_id_ended_as_id_idx ON deliveries.delivery_default USING btree (account_id, endpoint_id, ended_as, id) WHERE (ended_as IS NOT NULL);

CREATE INDEX delivery_default_account_id_endpoint_id_id_idx ON deliveries.delivery_default USING btree (account_id, endpoint_id, id);

CREATE INDEX delivery_default_account_id_redelivery_of_id_idx ON deliveries.delivery_default USING btree (account_id, redelivery_of, id) WHERE (redelivery_of IS NOT NULL);

CREATE INDEX due_endpoint_index ON deliveries.due USING btree (account_id, endpoint_id, due_at, delivery_id);

CREATE INDEX due_first_index ON deliveries.due USING btree (due_at) WHERE (attempts = 0);

CREATE INDEX due_retry_index ON deliveries.due USING btree (due_at) WHERE (attempts > 0);

CREATE INDEX endpoint_notice_untold_index ON deliveries.endpoint_notice USING btree (id) WHERE (told_at IS NULL);

CREATE INDEX recovery_endpoint_index ON deliveries.recovery USING btree (account_id, endpoint_id, id);

CREATE INDEX recovery_next_index ON deliveries.recovery USING btree (next_at) WHERE (state = 'running'::text);

CREATE UNIQUE INDEX recovery_running_unique ON deliveries.recovery USING btree (account_id, endpoint_id) WHERE (state = 'running'::text);

CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);

CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));

CREATE INDEX kept_answer_created_at_index ON idempotency.kept_answer USING btree (created_at);

CREATE INDEX attendance_check_index ON webinars.attendance USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX attendance_present_index ON webinars.attendance USING btree (account_id, session_id) WHERE (check_at IS NOT NULL);

CREATE INDEX attendee_event_interaction_index ON ONLY webinars.attendee_event USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_202603_account_id_expr_type_id_idx ON webinars.attendee_event_202603 USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_registration_index ON ONLY webinars.attendee_event USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_202603_account_id_registration_id_id_idx ON webinars.attendee_event_202603 USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_chat_index ON ONLY webinars.attendee_event USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_202603_account_id_session_id_id_idx ON webinars.attendee_event_202603 USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_202605_account_id_expr_type_id_idx ON webinars.attendee_event_202605 USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_202605_account_id_registration_id_id_idx ON webinars.attendee_event_202605 USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_202605_account_id_session_id_id_idx ON webinars.attendee_event_202605 USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_202611_account_id_expr_type_id_idx ON webinars.attendee_event_202611 USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_202611_account_id_registration_id_id_idx ON webinars.attendee_event_202611 USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_202611_account_id_session_id_id_idx ON webinars.attendee_event_202611 USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_202612_account_id_expr_type_id_idx ON webinars.attendee_event_202612 USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_202612_account_id_registration_id_id_idx ON webinars.attendee_event_202612 USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_202612_account_id_session_id_id_idx ON webinars.attendee_event_202612 USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_202701_account_id_expr_type_id_idx ON webinars.attendee_event_202701 USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_202701_account_id_registration_id_id_idx ON webinars.attendee_event_202701 USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_202701_account_id_session_id_id_idx ON webinars.attendee_event_202701 USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX attendee_event_default_account_id_expr_type_id_idx ON webinars.attendee_event_default USING btree (account_id, ((data ->> 'interactionId'::text)), type, id) WHERE (type = ANY (ARRAY['interaction_view'::text, 'cta_click'::text, 'poll_response'::text]));

CREATE INDEX attendee_event_default_account_id_registration_id_id_idx ON webinars.attendee_event_default USING btree (account_id, registration_id, id);

CREATE INDEX attendee_event_default_account_id_session_id_id_idx ON webinars.attendee_event_default USING btree (account_id, session_id, id) WHERE (type = 'chat_response'::text);

CREATE INDEX branch_webinar_index ON webinars.branch USING btree (account_id, webinar_id, id);

CREATE INDEX interaction_webinar_index ON webinars.interaction USING btree (account_id, webinar_id, id);

CREATE INDEX registration_email_index ON webinars.registration USING btree (account_id, email, id);

CREATE UNIQUE INDEX registration_live_unique ON webinars.registration USING btree (account_id, session_id, email) WHERE (status <> 'cancelled'::text);

CREATE INDEX registration_session_index ON webinars.registration USING btree (account_id, session_id, id);

CREATE INDEX registration_status_index ON webinars.registration USING btree (account_id, webinar_id, status, id);

CREATE INDEX registration_webinar_index ON webinars.registration USING btree (account_id, webinar_id, id);

CREATE INDEX session_closing_index ON webinars.session USING btree (closing_at) WHERE (closing_at IS NOT NULL);

CREATE INDEX session_end_index ON webinars.session USING btree (ends_at) WHERE ((control = 'clock'::text) AND (status = 'live'::text));

CREATE INDEX session_no_show_index ON webinars.session USING btree (no_show_at) WHERE (no_show_at IS NOT NULL);

CREATE INDEX session_start_index ON webinars.session USING btree (starts_at) WHERE ((control = 'clock'::text) AND (status = 'scheduled'::text));

CREATE INDEX session_webinar_index ON webinars.session USING btree (account_id, webinar_id, id);

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261121_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261121_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261122_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261122_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261123_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261123_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261124_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261124_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261125_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261125_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261126_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261126_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261127_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261127_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261128_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261128_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_20261129_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_20261129_pkey;

ALTER INDEX activity.api_call_request_index ATTACH PARTITION activity.api_call_default_account_id_request_id_id_idx;

ALTER INDEX activity.api_call_pkey ATTACH PARTITION activity.api_call_default_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261121_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261121_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261121_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261121_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261122_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261122_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261122_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261122_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261123_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261123_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261123_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261123_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261124_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261124_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261124_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261124_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261125_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261125_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261125_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261125_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261126_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261126_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261126_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261126_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261127_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261127_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261127_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261127_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261128_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261128_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261128_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261128_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_20261129_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_20261129_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_20261129_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_20261129_pkey;

ALTER INDEX automations.execution_registration_index ATTACH PARTITION automations.execution_default_account_id_registration_id_id_idx;

ALTER INDEX automations.execution_rule_index ATTACH PARTITION automations.execution_default_account_id_rule_id_id_idx;

ALTER INDEX automations.execution_webinar_index ATTACH PARTITION automations.execution_default_account_id_webinar_id_id_idx;

ALTER INDEX automations.execution_pkey ATTACH PARTITION automations.execution_default_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261121_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261122_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261123_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261124_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261125_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261126_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261127_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261128_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_20261129_pkey;

ALTER INDEX deliveries.attempt_pkey ATTACH PARTITION deliveries.attempt_default_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261121_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261121_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261121_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261121_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261122_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261122_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261122_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261122_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261123_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261123_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261123_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261123_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261124_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261124_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261124_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261124_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261125_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261125_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261125_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261125_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261126_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261126_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261126_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261126_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261127_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261127_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261127_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261127_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261128_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261128_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261128_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261128_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_20261129_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_20261129_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_20261129_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_20261129_pkey;

ALTER INDEX deliveries.delivery_ended_index ATTACH PARTITION deliveries.delivery_default_account_id_endpoint_id_ended_as_id_idx;

ALTER INDEX deliveries.delivery_endpoint_index ATTACH PARTITION deliveries.delivery_default_account_id_endpoint_id_id_idx;

ALTER INDEX deliveries.delivery_redelivery_index ATTACH PARTITION deliveries.delivery_default_account_id_redelivery_of_id_idx;

ALTER INDEX deliveries.delivery_pkey ATTACH PARTITION deliveries.delivery_default_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_202603_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_202603_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_202603_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_202603_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_202605_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_202605_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_202605_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_202605_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_202611_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_202611_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_202611_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_202611_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_202612_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_202612_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_202612_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_202612_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_202701_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_202701_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_202701_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_202701_pkey;

ALTER INDEX webinars.attendee_event_interaction_index ATTACH PARTITION webinars.attendee_event_default_account_id_expr_type_id_idx;

ALTER INDEX webinars.attendee_event_registration_index ATTACH PARTITION webinars.attendee_event_default_account_id_registration_id_id_idx;

ALTER INDEX webinars.attendee_event_chat_index ATTACH PARTITION webinars.attendee_event_default_account_id_session_id_id_idx;

ALTER INDEX webinars.attendee_event_pkey ATTACH PARTITION webinars.attendee_event_default_pkey;

ALTER TABLE ONLY accounts.account
    ADD CONSTRAINT account_user_fkey FOREIGN KEY ("userId") REFERENCES accounts."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.invitation
    ADD CONSTRAINT invitation_inviter_fkey FOREIGN KEY ("inviterId") REFERENCES accounts."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.invitation
    ADD CONSTRAINT invitation_organization_fkey FOREIGN KEY ("organizationId") REFERENCES accounts.organization(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.known_address
    ADD CONSTRAINT known_address_user_fkey FOREIGN KEY (user_id) REFERENCES accounts."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.member
    ADD CONSTRAINT member_organization_fkey FOREIGN KEY ("organizationId") REFERENCES accounts.organization(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.member
    ADD CONSTRAINT member_user_fkey FOREIGN KEY ("userId") REFERENCES accounts."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.session
    ADD CONSTRAINT session_user_fkey FOREIGN KEY ("userId") REFERENCES accounts."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY accounts.suspension
    ADD CONSTRAINT suspension_organization_fkey FOREIGN KEY (account_id) REFERENCES accounts.organization(id) ON DELETE CASCADE;

ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_known_crontabs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;

