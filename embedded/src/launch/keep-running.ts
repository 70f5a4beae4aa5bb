import type { Progress } from './progress.ts'
import type { Stack } from './stack.ts'

type Running = Pick<Stack, 'portal' | 'startPortal' | 'postgres'>

/** A part that ends this often within a minute has a reason that no new start takes away. */
const mostRestarts = 3
const withinMs = 60_000

const startAgain = 'Nothing that was accepted is lost: run npm start again when that is mended'

/** A part that is brought back when it ends by itself. */
interface Part {
  name: string
  /** Where its last words stand, in the data folder. */
  log: string
  /** Resolves when it has ended, with how. */
  ended(): Promise<string>
  start(): Promise<unknown>
  /** Times at which it ended, or could not be started, in milliseconds since 1970. */
  ends: number[]
}

function partsOf(stack: Running): Part[] {
  const never = new Promise<never>(() => undefined)
  const portal: Part = {
    ...{ name: 'The portal', log: 'portal.log', ends: [] },
    ended: () => stack.portal?.exited ?? never,
    start: () => stack.startPortal(),
  }
  const { postgres } = stack
  if (!postgres) return [portal]
  const database: Part = {
    ...{ name: 'PostgreSQL', log: 'postgres/postgres.log', ends: [] },
    ended: () => postgres.exited().then(() => ''),
    start: () => postgres.start(),
  }
  return [portal, database]
}

/**
 * Brings the portal and PostgreSQL back when they end by themselves; a start that fails counts as an end. Gives up when
 * that happens over and over, and says so.
 * @returns the exit code: 0 when somebody stops everything, 1 when it gives up
 */
export async function keepRunning(stack: Running, progress: Pick<Progress, 'line'>, stopped: AbortSignal) {
  const parts = partsOf(stack)
  for (;;) {
    const { part, how } = await Promise.race(parts.map(async (part) => ({ part, how: await part.ended() })))
    if (stopped.aborted) return 0
    if (!(await bringBack(part, how, progress, stopped))) return stopped.aborted ? 0 : 1
  }
}

async function bringBack(part: Part, how: string, progress: Pick<Progress, 'line'>, stopped: AbortSignal) {
  const { name, log, ends } = part
  const why = `Why stands at the end of ${log} in the data folder`
  let what = how === '' ? 'ended by itself' : `(${how}) ended by itself`
  while (!stopped.aborted) {
    ends.push(Date.now())
    const recent = ends.filter((at) => at > Date.now() - withinMs).length
    if (recent > mostRestarts) {
      progress.line(
        `${name} ${what}, for the ${recent}th time within a minute. It is not started again, and everything is stopped. ${why}. ${startAgain}.`,
      )
      return false
    }
    progress.line(`${name} ${what} and is started again (${recent} of ${mostRestarts} times within a minute). ${why}.`)
    try {
      await part.start()
      return true
    } catch {
      // The reason stands in its log, where the line above sends people.
      what = 'could not be started'
    }
  }
  return false
}
