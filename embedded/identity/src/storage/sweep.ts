import type { Db } from './database.ts'

const EVERY_MS = 60_000
/** Lines about mails that each realm keeps. */
const mostMailsKept = 5000

const statements = [
  'delete from oidc_artifact where expires_at < now()',
  'delete from refused_token where expires_at < now()',
  // Attempts on accounts stay, as the realm's own window counts them. Addresses and unknown names go: anybody can
  // invent them.
  "delete from login_attempt where last_failure < now() - interval '1 day' and (kind <> 'account' or key like 'name:%')",
  'delete from action_token where expires_at < now()',
  // A link that has ended opens nothing: the text with it goes, the line about it stays for a month.
  'update mail set sealed = null where sealed is not null and expires_at < now()',
  "delete from mail where created_at < now() - interval '30 days'",
  `delete from mail m using (select id, row_number() over (partition by realm_id order by created_at desc) as place from mail) old
     where old.id = m.id and old.place > ${mostMailsKept}`,
  "delete from reset_request where created_at < now() - interval '1 hour'",
  `delete from ended_session e where e.ended_at < now() - interval '1 day' and not exists (
     select 1 from oidc_artifact s where s.realm_id = e.realm_id and s.uid = e.uid and s.model = 'Session')`,
  "delete from sign_in where started_at < now() - interval '1 day'",
  "delete from broker_sign_in where started_at < now() - interval '1 hour'",
  `delete from login_event e using realm r where r.id = e.realm_id
     and (r.settings ->> 'eventsExpiration')::bigint > 0
     and e.time < now() - make_interval(secs => (r.settings ->> 'eventsExpiration')::bigint)`,
  // Keycloak keeps this time among the attributes of the realm.
  `delete from admin_event e using realm r where r.id = e.realm_id
     and r.settings -> 'attributes' ->> 'adminEventsExpiration' ~ '^[1-9][0-9]{0,9}$'
     and e.time < now() - make_interval(secs => (r.settings -> 'attributes' ->> 'adminEventsExpiration')::bigint)`,
]

/** Clears away what has expired, once a minute. */
export function startSweeping(db: Db, report: (error: Error) => void): { stop(): Promise<void> } {
  let running = Promise.resolve()
  const sweep = async () => {
    for (const statement of statements) await db.run(statement)
  }
  const timer = setInterval(() => {
    running = sweep().catch((error: unknown) => report(error instanceof Error ? error : new Error(String(error))))
  }, EVERY_MS)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
