import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Logger } from '../../platform/logging/logger.ts'
import type { KubeObject, ListSelection, WatchHandlers } from './kubernetes.ts'
import { asObject, type ListPage } from './objects.ts'
import { pathOfResource } from './resource-path.ts'
import { KubeRefusal, type Transport } from './transport.ts'

interface WatchDeps {
  transport: Transport
  log: Logger
  listAll(resource: string, selection: ListSelection): Promise<Pick<ListPage, 'items' | 'resourceVersion'>>
}

const serverSeconds = 280
const longestRestMs = 15_000
const maxLineBytes = 4 * 1024 * 1024
const Note = z.object({ type: z.string(), object: z.unknown() })

class Expired extends Error {}

/** Lists, then follows; after a break it goes on from where it was, or says that there is a gap and lists again. */
export function startWatch(deps: WatchDeps, resource: string, selection: ListSelection, on: WatchHandlers) {
  const stopping = new AbortController()
  const { signal } = stopping
  let version: string | undefined
  let restMs = 500

  async function list() {
    const { items, resourceVersion } = await deps.listAll(resource, selection)
    if (signal.aborted) return
    for (const item of items) on.change('ADDED', item)
    version = resourceVersion
    restMs = 500
    on.synced?.()
  }

  async function follow() {
    const response = await openWatch(deps.transport, resource, selection, version, signal)
    // A cluster that vanished without a word is found out a little after it should have ended the watch.
    const deadline = setTimeout(() => response.destroy(), (serverSeconds + 20) * 1000)
    try {
      for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line.length > maxLineBytes) throw new Error('a line of the watch is too long')
        if (line) take(line)
      }
    } finally {
      clearTimeout(deadline)
      response.destroy()
    }
  }

  function take(line: string) {
    const { type, object } = Note.parse(JSON.parse(line))
    if (type === 'ERROR') {
      const code = (object as { code?: unknown } | null)?.code
      throw code === 410 ? new Expired() : new Error('the watch reported an error')
    }
    if (type === 'BOOKMARK') {
      version = (object as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion ?? version
      return
    }
    const changed: KubeObject = asObject(object)
    version = changed.metadata.resourceVersion ?? version
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') on.change(type, changed)
  }

  async function round(isFirst: boolean): Promise<void> {
    if (version === undefined) {
      if (!isFirst) on.gap()
      await list()
    }
    await follow()
  }

  async function keepGoing() {
    let isFirst = true
    while (!signal.aborted) {
      try {
        await round(isFirst)
        restMs = 500
        await rest(500, signal)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof Expired || (error instanceof KubeRefusal && error.httpStatus === 410)) version = undefined
        if (error instanceof KubeRefusal && error.httpStatus === 404) on.missing?.()
        deps.log.debug({ err: error, resource }, 'watch interrupted')
        await rest(restMs * (0.75 + Math.random() / 2), signal)
        restMs = Math.min(longestRestMs, restMs * 2)
      }
      isFirst = isFirst && version === undefined
    }
  }

  void keepGoing()
  return { stop: () => stopping.abort(new Error('the watch was stopped')) }
}

function openWatch(
  transport: Transport,
  resource: string,
  selection: ListSelection,
  resourceVersion: string | undefined,
  signal: AbortSignal,
) {
  return transport.open(
    {
      path: pathOfResource(resource, selection.namespace),
      query: {
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion,
        timeoutSeconds: serverSeconds,
        labelSelector: selection.labelSelector,
        fieldSelector: selection.fieldSelector,
      },
    },
    signal,
  )
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
  })
}
