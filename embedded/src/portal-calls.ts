import type { Call, World } from './world.ts'

/** Calls of one person against a portal: `call` gives any answer, `good` the body of one that is no refusal. */
export function callsOf(portal: Pick<World, 'api'>, token: string) {
  async function call<T>(path: string, init: Omit<Call, 'token'> = {}) {
    const answer = await portal.api(path, { ...init, token })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  async function good<T>(path: string, init: Omit<Call, 'token'> = {}): Promise<T> {
    const { status, body } = await call<T>(path, init)
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  return { call, good }
}
