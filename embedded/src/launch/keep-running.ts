import type { Progress } from './progress.ts'
import type { Stack } from './stack.ts'

type Running = Pick<Stack, 'portal' | 'startPortal' | 'databaseLost'>

/** A portal that ends this often within a minute has a reason that no new start takes away. */
const mostRestarts = 3
const withinMs = 60_000

const readPortalLog = 'Why stands at the end of portal.log in the data folder'
const startAgain = 'Nothing that was accepted is lost: run npm start again'

/** Brings the portal back when it ends by itself; gives up when that happens over and over, and says so. */
export async function keepRunning(stack: Running, progress: Pick<Progress, 'line'>, stopped: AbortSignal) {
  const lost = stack.databaseLost.then(() => undefined)
  const ends: number[] = []
  for (;;) {
    const how = await Promise.race([stack.portal?.exited, lost])
    if (stopped.aborted) return 0
    if (how === undefined) {
      progress.line(
        `PostgreSQL ended by itself, and nothing can go on without it: everything is stopped. Why stands at the end of postgres/postgres.log in the data folder. ${startAgain}.`,
      )
      return 1
    }
    ends.push(Date.now())
    const recent = ends.filter((at) => at > Date.now() - withinMs).length
    if (recent > mostRestarts) {
      progress.line(
        `The portal (${how}) ended by itself for the ${recent}th time within a minute. It is not started again, and everything is stopped. ${readPortalLog}. ${startAgain} when that is mended.`,
      )
      return 1
    }
    progress.line(
      `The portal (${how}) ended by itself and is started again (${recent} of ${mostRestarts} times within a minute). ${readPortalLog}.`,
    )
    await stack.startPortal()
  }
}
