import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { log } from '@quayside/contract/clusters/logs'
import type { Api } from '../lib/api/api.ts'
import { stream } from './client.ts'

export interface WantedLog {
  of: { app: string } | { space: string }
  follow: boolean
  tailLines: number
  sinceSeconds: number | undefined
  search: string | undefined
  /** The name of one pod; undefined: all of them. */
  pod?: string | undefined
  /** The id of one app of a space; undefined: all of them. */
  app?: string | undefined
}

/** Entries of the log as they come, in batches as they arrive. */
export async function* readLog(api: Api, wanted: WantedLog, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
  const { of, follow, pod, app, ...others } = wanted
  const query = { ...others, follow: follow ? 'true' : 'false', pods: pod } as const
  const { body } =
    'app' in of
      ? await stream(api, log.appLog, { params: { id: of.app }, query, signal })
      : await stream(api, log.spaceLog, { params: { id: of.space }, query: { ...query, apps: app }, signal })
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let unfinished = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = `${unfinished}${value}`.split('\n')
    unfinished = lines.pop() ?? ''
    yield lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry)
  }
}
