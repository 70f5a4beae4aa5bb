import type { Db } from './database.ts'

const EVERY_MS = 60_000

const statements = [
  'delete from oidc_artifact where expires_at < now()',
  'delete from refused_token where expires_at < now()',
  // Attempts on accounts stay, as the realm's own window counts them. Addresses and unknown names go: anybody can
  // invent them.
  "delete from login_attempt where last_failure < now() - interval '1 day' and (kind = 'address' or key like 'name:%')",
  `delete from ended_session e where e.ended_at < now() - interval '1 day' and not exists (
     select 1 from oidc_artifact s where s.realm_id = e.realm_id and s.uid = e.uid and s.model = 'Session')`,
  "delete from sign_in where started_at < now() - interval '1 day'",
  `delete from login_event e using realm r where r.id = e.realm_id
     and (r.settings ->> 'eventsExpiration')::bigint > 0
     and e.time < now() - make_interval(secs => (r.settings ->> 'eventsExpiration')::bigint)`,
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
