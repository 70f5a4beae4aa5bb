import type { MessageLevel, MessageType } from '@quayside/contract/deployment'
import type { Logger } from '../../kernel/logger.ts'
import type { NewEvent } from './event-store.ts'

/** The log of one running action. Lines become rows in small batches, in order; what is not a row yet is never sent. */
export interface Journal {
  say(type: MessageType, message: string, level?: MessageLevel): void
  add(event: NewEvent): void
  /** Hides these texts from every line from now on. */
  hide(by: (text: string) => string): void
  /** Waits for what is being written and takes out what is left, for the last commit. */
  takeRest(): Promise<NewEvent[]>
  /** Everything said so far is a row when this resolves. */
  settle(): Promise<void>
}

/** The first line after a silence is written this soon; what follows waits for company, as each write is a transaction. */
const soonMs = 30
const betweenMs = 120
const retryMs = 500
const mostInBatch = 500
const mostWaiting = 20_000

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
    if (isClosed || waiting.length >= mostWaiting) return
    waiting.push(event)
    arm(Math.max(soonMs, written + betweenMs - performance.now()))
  }

  return {
    say(type, message, level = 'info') {
      add({ event: 'message', payload: { type, message: hide(message), level } })
    },
    add,
    hide(by) {
      hide = by
    },
    async takeRest() {
      isClosed = true
      clearTimeout(timer)
      await writing
      const rest = waiting
      waiting = []
      return rest
    },
    settle: flush,
  }
}
