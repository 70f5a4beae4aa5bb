import type { ActionEvent, MessageLevel } from '@quayside/contract/deployments/endpoints'
import { mostEventsAtOnce } from '@quayside/contract/http/paging'
import type { LogLine } from '../progress/progress.ts'

const timedOut = /timed out|timeout/i

/** The log of an action: its messages in their order; results have a place of their own. */
export function linesOf(events: readonly ActionEvent[]): LogLine[] {
  return events
    .filter(({ event }) => event === 'message')
    .map(({ seq, at, payload }) => {
      const { message, level } = payload as { message: string; level: MessageLevel }
      return { seq, at, message, level, timeout: timedOut.test(message) }
    })
}

/** All events of an action, however many there are. */
export async function everyEvent(
  eventsAfter: (seq: number) => Promise<readonly ActionEvent[]>,
): Promise<ActionEvent[]> {
  const all: ActionEvent[] = []
  for (;;) {
    const more = await eventsAfter(all.at(-1)?.seq ?? 0)
    all.push(...more)
    if (more.length < mostEventsAtOnce) return all
  }
}
