import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { useCallback, useEffect, useState } from 'react'
import { readLog, type WantedLog } from '../../api/logs.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { emptyLog, type ShownLog, withEntries } from './shown-log.ts'

const betweenReadingsMs = 2000
/** Lines that come within this time are drawn at once. */
const betweenDrawingsMs = 100

interface Reading {
  log: ShownLog
  /** The server refuses: another try would change nothing by itself. */
  error: unknown
  /** Nothing comes any more and it is tried again. */
  isLost: boolean
}

const beginning: Reading = { log: emptyLog, error: null, isLost: false }

/** The log as it is asked for, and what comes; it is read anew after a lost connection. */
export function useLog(wanted: WantedLog): Reading & { retry: () => void } {
  const { api } = usePortal()
  const [attempt, setAttempt] = useState(0)
  const [reading, setReading] = useState(beginning)
  const asked = JSON.stringify(wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the same again.
  useEffect(() => {
    const abort = new AbortController()
    const drawing = createDrawing((log) => setReading({ log, error: null, isLost: false }))
    const readOnce = async () => {
      drawing.clear()
      for await (const entries of readLog(api, JSON.parse(asked) as WantedLog, abort.signal)) drawing.add(entries)
    }
    const readOn = async () => {
      setReading(beginning)
      while (!abort.signal.aborted) {
        const error = await readOnce().catch((reason: unknown) => reason)
        if (abort.signal.aborted) return
        const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
        setReading((before) => ({ ...before, error: isRefused ? error : null, isLost: !isRefused }))
        if (isRefused) return
        await new Promise((resolve) => setTimeout(resolve, betweenReadingsMs))
      }
    }
    void readOn()
    return () => {
      abort.abort()
      drawing.stop()
    }
  }, [api, asked, attempt])
  return { ...reading, retry: useCallback(() => setAttempt((before) => before + 1), []) }
}

function createDrawing(draw: (log: ShownLog) => void) {
  let log = emptyLog
  let waiting: LogEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const drawNow = () => {
    timer = undefined
    log = withEntries(log, waiting)
    waiting = []
    draw(log)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    stop,
    clear() {
      stop()
      log = emptyLog
      waiting = []
    },
    add(entries: readonly LogEntry[]) {
      waiting.push(...entries)
      timer ??= setTimeout(drawNow, betweenDrawingsMs)
    },
  }
}
