import type { MessageLevel } from '@quayside/contract/deployments/endpoints'
import { isPassing, type Keycloak, KeycloakRefused } from './keycloak.ts'

/** The side that has access set up or removed: it is told what is waited for, and can end the wait. */
export interface Waits {
  say(message: string, level: MessageLevel): void
  /** Rejects as soon as there is no use in waiting any more. */
  pause(milliseconds: number): Promise<void>
}

/** How long an identity server with a passing fault is waited for, of all calls of one grant together. */
const retrySeconds = 120
const longestWaitMs = 15_000

const waitMs = (tries: number) => Math.min(longestWaitMs, 1000 * 2 ** tries)

/**
 * The identity server's Admin API for work in which every call can be repeated: one that meets a passing fault is, until it
 * is done or two minutes have gone since the first fault. `cut` is what ended the wait, when something else did.
 */
export interface RetryingKeycloak extends Keycloak {
  cut(): Error | undefined
}

export function retryingKeycloak(keycloak: Keycloak, { say, pause }: Waits): RetryingKeycloak {
  let until: number | undefined
  let cut: Error | undefined
  /** Calls run side by side, and one that waits speaks for those beside it. */
  let saidUntil = 0

  async function wait(milliseconds: number, problem: Error): Promise<void> {
    const now = performance.now()
    if (now >= saidUntil) {
      saidUntil = now + milliseconds
      say(`${nameless(problem)}: it may be a passing fault`, 'error')
      say(`Waiting for the identity server, trying again in ${milliseconds / 1000} s`, 'info')
    }
    try {
      await pause(milliseconds)
    } catch (error) {
      cut ??= error instanceof Error ? error : new Error(String(error))
      throw cut
    }
  }

  return {
    ...keycloak,
    cut: () => cut,
    async run(work) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await keycloak.run(work)
        } catch (error) {
          if (!isPassing(error)) throw error
          if (cut) throw cut
          until ??= performance.now() + retrySeconds * 1000
          const milliseconds = waitMs(tries)
          if (performance.now() + milliseconds > until) throw new Error(gaveUp(error), { cause: error })
          await wait(milliseconds, error)
        }
      }
    },
  }
}

/** Its own words for a fault are for those who read its log. */
function nameless(problem: Error): string {
  return problem instanceof KeycloakRefused
    ? `The identity server answered with ${problem.status}`
    : 'The identity server could not be reached'
}

function gaveUp(problem: Error): string {
  return `${nameless(problem)}, over and over for ${retrySeconds} s. Faults like this pass: try again in a while; its log says more`
}
