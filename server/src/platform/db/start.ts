import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../config/config.ts'
import { isDatabaseTrouble } from '../http/errors.ts'
import type { Logger } from '../logging/logger.ts'

const retrySeconds = 60
const againMs = 1000

/** At the start: a database that does not answer yet is waited for, one that stays away ends it in one sentence. */
export async function untilDatabaseAnswers(
  ask: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
  seconds = retrySeconds,
): Promise<void> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error
      const { message: why } = error instanceof Error && error.cause instanceof Error ? error.cause : { message: '' }
      if (performance.now() + againMs > until)
        throw new ConfigError(
          `DATABASE_URL: the database did not answer for ${seconds} s (${why || 'connection refused'}). See that PostgreSQL runs and can be reached from here, and start again`,
        )
      log.warn({ why }, 'the database does not answer yet; waiting for it')
      await delay(againMs)
    }
  }
}
