/** The five looks a state can have; each has a shape of its own, so colour is never alone. */
export type StateLook = 'ok' | 'busy' | 'warn' | 'bad' | 'still'

const looks: Record<string, StateLook> = {
  healthy: 'ok',
  ok: 'ok',
  ready: 'ok',
  running: 'ok',
  success: 'ok',
  succeeded: 'ok',
  finished: 'ok',
  deployed: 'ok',
  bound: 'ok',
  active: 'ok',
  enabled: 'ok',
  live: 'ok',
  deploying: 'busy',
  upgrading: 'busy',
  deleting: 'busy',
  progressing: 'busy',
  pending: 'busy',
  connecting: 'busy',
  accepted: 'busy',
  preparing: 'busy',
  namespace: 'busy',
  iam: 'busy',
  helm: 'busy',
  verifying: 'busy',
  info: 'busy',
  degraded: 'warn',
  warning: 'warn',
  timeout: 'warn',
  failed: 'bad',
  error: 'bad',
  fatal: 'bad',
  unreachable: 'bad',
  offline: 'bad',
}

/** Words that say more than the state's own. */
const words: Record<string, string> = { '': 'Unknown', assigned: 'Not deployed', helm: 'Installing' }

/** How a state looks and reads; an unknown word is shown as it is. */
export function stateLookOf(state: string): { look: StateLook; word: string } {
  const key = state.toLowerCase()
  return { look: looks[key] ?? 'still', word: words[key] ?? key.charAt(0).toUpperCase() + key.slice(1) }
}
