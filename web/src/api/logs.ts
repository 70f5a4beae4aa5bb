import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { log } from '@quayside/contract/clusters/logs'
import type { Api } from '../lib/api/api.ts'
import { stream } from './client.ts'

export interface WantedLog {
  appId: string
  follow: boolean
  tailLines: number
  sinceSeconds: number | undefined
  search: string | undefined
  /** The name of one pod; undefined: all of the app's. */
  pod: string | undefined
}

/** Entries of an app's log as they come, in batches as they arrive. */
export async function* readAppLog(api: Api, wanted: WantedLog, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
  const { appId, follow, pod, ...others } = wanted
  const query = { ...others, follow: follow ? 'true' : 'false', pods: pod } as const
  const { body } = await stream(api, log.appLog, { params: { id: appId }, query, signal })
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
