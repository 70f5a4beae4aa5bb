import { recordEvent } from '../directory/login-events.ts'
import { postForm } from '../http/post-form.ts'
import type { RealmHost, RealmHosts } from '../oidc/realm-host.ts'
import { signToken } from '../oidc/sign-token.ts'
import { type Db, isConnectionLoss } from '../storage/database.ts'
import { dropNotice, type LogoutNotice, takeNotices } from './logout-notices.ts'

const EVERY_MS = 1_000
const TOKEN_SECONDS = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

function logoutToken(host: RealmHost, notice: LogoutNotice): Promise<string> {
  const namesSession = notice.attributes['backchannel.logout.session.required'] !== 'false'
  const claims = {
    typ: 'Logout',
    aud: notice.client_id,
    events: { [EVENT]: {} },
    ...(namesSession ? { sid: notice.sid } : {}),
  }
  const signing = { jwk: host.keys[0], issuer: host.issuer, subject: notice.user_id, typ: 'logout+jwt' }
  return signToken(claims, { ...signing, seconds: TOKEN_SECONDS })
}

interface TellingOptions {
  db: Db
  hosts: RealmHosts
  /** `host:port` of clients that may be in a private network. */
  allowed: readonly string[]
  report: (error: Error) => void
}

/** Gives what went wrong; undefined when the client knows. One that says no will not say yes to the same again. */
async function tell(
  host: RealmHost,
  notice: LogoutNotice,
  allowed: readonly string[],
): Promise<{ problem?: string; again: boolean }> {
  const address = notice.attributes['backchannel.logout.url']
  if (!address) return { again: false }
  try {
    const status = await postForm(address, { logout_token: await logoutToken(host, notice) }, allowed)
    if (status >= 200 && status < 300) return { again: false }
    return { problem: `status ${status}`, again: status >= 500 || status === 429 }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), again: true }
  }
}

async function deliver({ db, hosts, allowed }: TellingOptions, notice: LogoutNotice): Promise<void> {
  const host = await hosts.find(notice.realm)
  if (!host) return
  const { problem, again } = await tell(host, notice, allowed)
  if (again && !notice.isLast) return
  await dropNotice(db, notice.id)
  if (problem === undefined) return
  await recordEvent(db, host.realm, {
    type: 'LOGOUT_ERROR',
    clientId: notice.client_id,
    userId: notice.user_id,
    sessionId: notice.sid,
    error: 'backchannel_logout_failed',
    details: { reason: problem },
  })
}

/** Tells clients that asked for it when a session is over (OpenID Connect Back-Channel Logout), until they know. */
export function startTellingClients(options: TellingOptions) {
  const { db, report } = options
  let running = Promise.resolve()
  let isRunning = false
  const round = async () => {
    const notices = await takeNotices(db)
    await Promise.all(notices.map((notice) => deliver(options, notice)))
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = round()
      .catch((error: unknown) => {
        // Requests say already that the database is away; this would say it again each second.
        if (!isConnectionLoss(error)) report(error instanceof Error ? error : new Error(String(error)))
      })
      .finally(() => {
        isRunning = false
      })
  }, EVERY_MS)
  timer.unref()
  return {
    stop(): Promise<void> {
      clearInterval(timer)
      return running
    },
  }
}
