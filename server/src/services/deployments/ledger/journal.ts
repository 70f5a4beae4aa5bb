import type { MessageLevel, MessageType } from '@quayside/contract/deployments/endpoints'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { NewEvent } from './event-store.ts'

/** The log of one running action. Lines become rows in small batches, in order; what is not a row yet is never sent. */
export interface Journal {
  say(type: MessageType, message: string, level?: MessageLevel): void
  add(event: NewEvent): void
  /** Hides these texts from every line from now on. */
  hide(by: (text: string) => string): void
  /** A line in which something may stand that nobody knows yet to be secret: `say` is called at the next `release`. */
  hold(say: () => void): void
  release(): void
  isHolding(): boolean
  /** Waits for what is being written and takes out what is left, for the last commit. */
  takeRest(): Promise<NewEvent[]>
  /** Takes back the events of a last commit that failed; `settle` writes them. */
  giveBack(events: readonly NewEvent[]): void
  /** Everything said so far is a row when this resolves. */
  settle(): Promise<void>
}

/** The first line after a silence is written this soon; what follows waits for company, as each write is a transaction. */
const soonMs = 30
const betweenMs = 120
const retryMs = 500
const mostInBatch = 500
const mostWaiting = 20_000
const mostHeld = 2000

export function createJournal(
  write: (events: readonly NewEvent[]) => Promise<boolean>,
  onLost: () => void,
  log: Logger,
): Journal {
  let waiting: NewEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let written = 0
  let isClosed = false
  let hide = (text: string) => text
  const held = createHeldLines()
  const missing = createMissing()

  function arm(milliseconds: number) {
    if (!isClosed) timer ??= setTimeout(flush, milliseconds)
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeBatch)
    return writing
  }

  async function writeBatch() {
    const batch = waiting.slice(0, mostInBatch)
    if (batch.length === 0) return
    written = performance.now()
    try {
      if (await write(batch)) waiting = waiting.slice(batch.length)
      else {
        waiting = []
        isClosed = true
        onLost()
      }
      if (waiting.length > 0) arm(0)
    } catch (error) {
      log.warn({ err: error, lines: waiting.length }, 'lines of an action wait for the database')
      arm(retryMs)
    }
  }

  function add(event: NewEvent) {
    if (isClosed) return
    // Only lines are left out when there is no room: what ends a step has to be heard.
    if (waiting.length >= mostWaiting && event.event === 'message') return missing.unwritten()
    waiting.push(...missing.take(), event)
    arm(Math.max(soonMs, written + betweenMs - performance.now()))
  }

  return {
    say(type, message, level = 'info') {
      add({ event: 'message', payload: { type, message: hide(message), level } })
    },
    add,
    hold(sayIt) {
      if (!isClosed && !held.add(sayIt)) missing.unread(1)
    },
    release: held.release,
    isHolding: () => held.count() > 0,
    hide(by) {
      hide = by
    },
    async takeRest() {
      missing.unread(held.drop())
      waiting.push(...missing.take())
      isClosed = true
      clearTimeout(timer)
      await writing
      const rest = waiting
      waiting = []
      return rest
    },
    giveBack(events) {
      waiting = [...events, ...waiting]
    },
    settle: flush,
  }
}

/** Lines that wait until it is known which of their words are secret. */
function createHeldLines() {
  let held: (() => void)[] = []
  const take = () => {
    const lines = held
    held = []
    return lines
  }
  return {
    count: () => held.length,
    /** False when there is no room for one more. */
    add: (sayIt: () => void) => held.length < mostHeld && held.push(sayIt) > 0,
    release() {
      for (const sayIt of take()) sayIt()
    },
    /** How many lines were given up. */
    drop: () => take().length,
  }
}

/** Counts of missing lines, said at the place where they would be. */
function createMissing() {
  let [unread, unwritten] = [0, 0]
  return {
    unread(lines: number) {
      unread += lines
    },
    unwritten() {
      unwritten += 1
    },
    take(): NewEvent[] {
      const gaps: NewEvent[] = []
      if (unwritten > 0) gaps.push(gap(unwritten, 'the database was away for so long'))
      if (unread > 0) gaps.push(gap(unread, 'the release could not be read to see what is secret in them'))
      unread = 0
      unwritten = 0
      return gaps
    },
  }
}

function gap(lines: number, because: string): NewEvent {
  const message = `${lines} ${lines === 1 ? 'line is' : 'lines are'} left out here: ${because}`
  return { event: 'message', payload: { type: 'helm', message, level: 'error' } }
}
