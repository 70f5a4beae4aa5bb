import { addBuiltinScopes } from '../directory/client-scopes.ts'
import type { Database, Db } from './database.ts'
import { encryptClearRows, tablesOnceInClear } from './encrypt-clear-rows.ts'

type Migration = string | ((db: Db) => Promise<void>)

/** Applied in order, each once; a released entry is never edited, only followed. */
export const migrations: readonly Migration[] = [
  `
  create table realm (
    id text primary key,
    name text not null unique,
    settings jsonb not null,
    cookie_secret text not null,
    created_at timestamptz not null default now()
  );
  create table signing_key (
    kid text primary key,
    realm_id text not null references realm on delete cascade,
    private_jwk jsonb not null,
    created_at timestamptz not null default now()
  );
  create table client (
    id text primary key,
    realm_id text not null references realm on delete cascade,
    client_id text not null,
    settings jsonb not null,
    secret text,
    unique (realm_id, client_id)
  );
  create table role (
    id text primary key,
    realm_id text not null references realm on delete cascade,
    client text references client on delete cascade,
    name text not null,
    description text,
    attributes jsonb not null default '{}',
    unique nulls not distinct (realm_id, client, name)
  );
  create table role_composite (
    parent text not null references role on delete cascade,
    child text not null references role on delete cascade,
    primary key (parent, child)
  );
  create index role_composite_child on role_composite (child);
  create table user_account (
    id text primary key,
    realm_id text not null references realm on delete cascade,
    username text not null,
    email text,
    email_verified boolean not null default false,
    first_name text,
    last_name text,
    enabled boolean not null default true,
    attributes jsonb not null default '{}',
    required_actions text[] not null default '{}',
    service_client text references client on delete cascade,
    created_at timestamptz not null default now(),
    unique (realm_id, username)
  );
  create unique index user_account_email on user_account (realm_id, email) where email is not null;
  create table credential (
    id text primary key,
    user_id text not null references user_account on delete cascade,
    type text not null,
    label text,
    secret text not null,
    data jsonb not null default '{}',
    priority int not null default 10,
    created_at timestamptz not null default now()
  );
  create index credential_user on credential (user_id);
  create table user_role (
    user_id text not null references user_account on delete cascade,
    role_id text not null references role on delete cascade,
    primary key (user_id, role_id)
  );
  create index user_role_role on user_role (role_id);
  create table user_group (
    id text primary key,
    realm_id text not null references realm on delete cascade,
    parent text references user_group on delete cascade,
    name text not null,
    description text,
    attributes jsonb not null default '{}',
    unique nulls not distinct (realm_id, parent, name)
  );
  create index user_group_parent on user_group (parent);
  create table group_role (
    group_id text not null references user_group on delete cascade,
    role_id text not null references role on delete cascade,
    primary key (group_id, role_id)
  );
  create index group_role_role on group_role (role_id);
  create table group_member (
    group_id text not null references user_group on delete cascade,
    user_id text not null references user_account on delete cascade,
    primary key (group_id, user_id)
  );
  create index group_member_user on group_member (user_id);
  create table default_group (
    realm_id text not null references realm on delete cascade,
    group_id text not null references user_group on delete cascade,
    primary key (realm_id, group_id)
  );
  create table login_failure (
    user_id text primary key references user_account on delete cascade,
    failures int not null,
    lockouts int not null default 0,
    last_failure timestamptz not null,
    last_ip text,
    locked_until timestamptz
  );
  create table login_event (
    id bigint generated always as identity primary key,
    realm_id text not null references realm on delete cascade,
    time timestamptz not null default now(),
    type text not null,
    client_id text,
    user_id text,
    session_id text,
    ip_address text,
    error text,
    details jsonb not null default '{}'
  );
  create index login_event_time on login_event (realm_id, time desc);
  create table oidc_artifact (
    realm_id text not null references realm on delete cascade,
    model text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    uid text,
    account_id text,
    ip_address text,
    user_agent text,
    started_at timestamptz not null default now(),
    used_at timestamptz not null default now(),
    consumed_at timestamptz,
    expires_at timestamptz,
    primary key (realm_id, model, id)
  );
  create index oidc_artifact_grant on oidc_artifact (realm_id, grant_id) where grant_id is not null;
  create index oidc_artifact_uid on oidc_artifact (realm_id, uid) where uid is not null;
  create index oidc_artifact_account on oidc_artifact (realm_id, account_id) where account_id is not null;
  create index oidc_artifact_expiry on oidc_artifact (expires_at);
  create table refused_token (
    realm_id text not null references realm on delete cascade,
    jti text not null,
    expires_at timestamptz not null,
    primary key (realm_id, jti)
  );
  create table sign_in (
    interaction text primary key,
    realm_id text not null references realm on delete cascade,
    user_id text not null references user_account on delete cascade,
    otp_passed boolean not null default false,
    pending_secret text,
    started_at timestamptz not null default now()
  );
  create table consent (
    user_id text not null references user_account on delete cascade,
    client text not null references client on delete cascade,
    scopes text[] not null,
    granted_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, client)
  );
  `,
  `
  create table client_scope (
    realm_id text not null references realm on delete cascade,
    id text not null,
    name text not null,
    description text,
    attributes jsonb not null default '{}',
    mappers jsonb not null default '[]',
    primary key (realm_id, id),
    unique (realm_id, name)
  );
  create table scope_role (
    realm_id text not null references realm on delete cascade,
    client text references client on delete cascade,
    scope text,
    role_id text not null references role on delete cascade,
    unique nulls not distinct (realm_id, client, scope, role_id),
    foreign key (realm_id, scope) references client_scope on delete cascade
  );
  `,
  async (db) => {
    for (const { id } of await db.rows<{ id: string }>('select id from realm')) await addBuiltinScopes(db, id)
  },
  encryptClearRows,
  `
  create table login_attempt (
    realm_id text not null references realm on delete cascade,
    kind text not null,
    key text not null,
    failures int not null,
    lockouts int not null default 0,
    last_failure timestamptz not null,
    last_ip text,
    allowed boolean not null,
    locked_until timestamptz,
    primary key (realm_id, kind, key)
  );
  create index login_attempt_age on login_attempt (last_failure);
  insert into login_attempt (realm_id, kind, key, failures, lockouts, last_failure, last_ip, allowed, locked_until)
  select u.realm_id, 'account', f.user_id, f.failures, f.lockouts, f.last_failure, f.last_ip, true, f.locked_until
  from login_failure f join user_account u on u.id = f.user_id;
  drop table login_failure;
  `,
  // Settings that were kept and not obeyed get the value that says what was done.
  `
  alter table sign_in add column remember boolean not null default false;
  update realm set settings = settings || jsonb '{
    "registrationAllowed": false, "registrationEmailAsUsername": false, "verifyEmail": false,
    "resetPasswordAllowed": false, "quickLoginCheckMilliSeconds": 0
  }';
  update realm set settings = settings || jsonb_build_object('browserSecurityHeaders',
    coalesce(settings -> 'browserSecurityHeaders', '{}') || jsonb '{
    "xFrameOptions": "DENY", "referrerPolicy": "same-origin",
    "contentSecurityPolicy": "frame-src ''self''; frame-ancestors ''none''; object-src ''none'';"
  }');
  `,
  // A request that is under way while its session ends writes the session again.
  `
  create table ended_session (
    realm_id text not null references realm on delete cascade,
    uid text not null,
    ended_at timestamptz not null default now(),
    primary key (realm_id, uid)
  );
  alter table user_account add column sessions_ended_at timestamptz;
  `,
  // Clients that have to be told that a session is over, until they have been.
  `
  create table logout_notice (
    id bigint generated always as identity primary key,
    realm_id text not null references realm on delete cascade,
    client text not null references client on delete cascade,
    user_id text not null,
    sid text not null,
    attempts int not null default 0,
    due_at timestamptz not null default now()
  );
  create index logout_notice_due on logout_notice (due_at);
  `,
  // Links are kept as digests, mails sealed: both lead into accounts.
  `
  create table action_token (
    digest text primary key,
    realm_id text not null references realm on delete cascade,
    user_id text not null references user_account on delete cascade,
    kind text not null,
    actions text[] not null,
    email text,
    client_id text,
    return_to text,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
  );
  create index action_token_user on action_token (user_id);
  create index action_token_expiry on action_token (expires_at);
  create table mail (
    id text primary key,
    realm_id text not null references realm on delete cascade,
    user_id text not null references user_account on delete cascade,
    kind text not null,
    recipient text not null,
    subject text not null,
    sealed text,
    status text not null,
    tries int not null default 0,
    next_try_at timestamptz,
    reason text,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    sent_at timestamptz
  );
  create index mail_realm on mail (realm_id, created_at desc);
  create index mail_user on mail (user_id, created_at);
  create index mail_due on mail (next_try_at) where status = 'pending';
  create table reset_request (
    id bigint generated always as identity primary key,
    realm_id text not null references realm on delete cascade,
    typed text not null,
    client_id text,
    ip_address text,
    tries int not null default 0,
    next_try_at timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp()
  );
  create index reset_request_due on reset_request (next_try_at);
  alter table sign_in add column actions text[], add column return_to text, add column mailed_at timestamptz;
  update realm set settings =
    jsonb '{"actionTokenGeneratedByAdminLifespan": 43200, "actionTokenGeneratedByUserLifespan": 900}' || settings;
  `,
  `
  create index credential_passkey on credential ((data ->> 'credentialId')) where type like 'webauthn%';
  alter table sign_in add column by_passkey boolean not null default false;
  `,
  `
  create table admin_event (
    id bigint generated always as identity primary key,
    realm_id text not null references realm on delete cascade,
    time timestamptz not null default now(),
    operation_type text not null,
    resource_type text not null,
    resource_path text not null,
    auth_realm text not null,
    auth_client text not null,
    auth_user text not null,
    acting_for text,
    ip_address text,
    error text,
    representation text
  );
  create index admin_event_time on admin_event (realm_id, time desc);
  create index login_event_user on login_event (realm_id, user_id, time desc);
  `,
  `
  create table identity_provider (
    realm_id text not null references realm on delete cascade,
    alias text not null,
    internal_id text not null,
    settings jsonb not null,
    client_secret text,
    primary key (realm_id, alias)
  );
  create table identity_provider_mapper (
    id text primary key,
    realm_id text not null,
    alias text not null,
    name text not null,
    mapper text not null,
    config jsonb not null,
    group_id text references user_group on delete set null,
    foreign key (realm_id, alias) references identity_provider on delete cascade,
    unique (realm_id, alias, name)
  );
  create table federated_identity (
    realm_id text not null,
    user_id text not null references user_account on delete cascade,
    alias text not null,
    subject text not null,
    username text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, alias),
    unique (realm_id, alias, subject),
    foreign key (realm_id, alias) references identity_provider on delete cascade
  );
  create table broker_sign_in (
    key text primary key,
    realm_id text not null references realm on delete cascade,
    kind text not null,
    sealed text not null,
    started_at timestamptz not null default now()
  );
  alter table sign_in add column provider text;
  `,
  `
  alter table sign_in add column amr text[] not null default '{pwd}';
  update sign_in set amr = '{hwk,user}' where by_passkey;
  alter table sign_in drop column by_passkey, add column roles_when_read text[];
  alter table user_account add column email_typed boolean not null default false;
  alter table action_token add column roles_when_read text[];
  `,
]

/** Brings the database to the newest version, or to an earlier one; several starting at once wait for each other. */
export async function migrate(database: Database, newest = migrations.length): Promise<void> {
  const wasClear = await database.transaction(async (db) => {
    await db.run('select pg_advisory_xact_lock(729105)')
    await db.run(
      'create table if not exists identity_version (version int primary key, applied_at timestamptz default now())',
    )
    const current = await db.row<{ version: number }>(
      'select coalesce(max(version), 0) as version from identity_version',
    )
    for (const [index, statement] of migrations.slice(0, newest).entries()) {
      if (index < (current?.version ?? 0)) continue
      if (typeof statement === 'string') await db.run(statement)
      else await statement(db)
      await db.run('insert into identity_version (version) values ($1)', [index + 1])
    }
    const before = current?.version ?? 0
    return before > 0 && before <= migrations.indexOf(encryptClearRows)
  })
  if (wasClear) for (const table of tablesOnceInClear) await database.run(`vacuum (full) ${table}`)
}
