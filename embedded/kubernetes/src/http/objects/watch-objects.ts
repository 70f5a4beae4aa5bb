import type { ServerResponse } from 'node:http'
import { expired, type KubeError } from '../../api-error.ts'
import type { KubeObject, StoreEvent } from '../../object-store.ts'
import { apiVersionOf, inVersion } from '../../resources/resource-type.ts'
import type { Change } from '../../store/watch-cache.ts'
import { tableOf } from '../../table/table.ts'
import type { Reply } from '../reply.ts'
import { checkListOptions } from '../request-options.ts'
import { metadataOnly, tableOptions } from './present.ts'
import { askedVersion, type Match, matcherOf, matchingObjects } from './read-objects.ts'
import { namespaceOf, type ResourceRequest } from './resource-request.ts'

const BOOKMARK_EVERY = 30_000
/** Time before the end of a watch at which a last bookmark is sent, for the client to go on from; in milliseconds. */
const BEFORE_END = 2_000
const DEFAULT_TIMEOUT = 30 * 60
/** A watcher that reads so much slower than things change is cut off; it will list again. */
const MAX_BACKLOG = 32 * 1024 * 1024
const LARGE_WRITE = 64 * 1024
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

interface WatchOptions {
  version: number | undefined
  initialEvents: boolean
  bookmarks: boolean
  timeoutMs: number
}

function optionsOf(request: ResourceRequest): WatchOptions {
  const { query } = request
  checkListOptions(request, true)
  const asked = query.get('resourceVersion') ?? ''
  const version = askedVersion(request)
  const seconds = Number(query.get('timeoutSeconds') || DEFAULT_TIMEOUT)
  const send = query.get('sendInitialEvents')
  return {
    version,
    initialEvents: send === 'true' || (send === null && (asked === '' || asked === '0')),
    bookmarks: query.get('allowWatchBookmarks') === 'true',
    timeoutMs: Math.max(1, seconds) * 1000,
  }
}

/** Event for a watcher with a selector: ADDED and DELETED when a changed object starts and stops to match. */
function seen(event: StoreEvent, match: Match | undefined): { type: string; object: KubeObject } | undefined {
  if (!match) return event
  const now = match(event.object)
  if (event.type !== 'MODIFIED') return now ? event : undefined
  const before = match(event.old)
  if (now) return before ? event : { type: 'ADDED', object: event.object }
  return before ? { type: 'DELETED', object: event.object } : undefined
}

/** The same change goes to many watchers one after the other: its text is made once. */
let newest: { object: KubeObject; text: string } | undefined

function textOfObject(object: KubeObject): string {
  if (newest?.object !== object) newest = { object, text: JSON.stringify(object) }
  return newest.text
}

class WatchStream {
  private readonly request: ResourceRequest
  private readonly response: ServerResponse
  private readonly match: Match | undefined
  private readonly namespace: string | undefined
  private sentColumns = false

  constructor(request: ResourceRequest, response: ServerResponse) {
    this.request = request
    this.response = response
    this.match = matcherOf(request)
    this.namespace = namespaceOf(request)
  }

  send(type: string, object: KubeObject): void {
    this.write(this.lineOf(type, object))
  }

  /**
   * Sends the objects that exist when the watch begins: in few large writes, because one write per line makes many
   * packets.
   */
  sendAll(objects: readonly KubeObject[]): void {
    let lines = ''
    for (const object of objects) {
      lines += this.lineOf('ADDED', object)
      if (lines.length < LARGE_WRITE) continue
      this.write(lines)
      lines = ''
    }
    if (lines !== '') this.write(lines)
  }

  change({ event }: Change): void {
    if (this.namespace !== undefined && event.object.metadata.namespace !== this.namespace) return
    const visible = seen(event, this.match)
    if (visible) this.send(visible.type, visible.object)
  }

  bookmark(version: string, annotations?: Record<string, string>): void {
    const { type, shape } = this.request
    const metadata = { resourceVersion: version, creationTimestamp: null, ...(annotations ? { annotations } : {}) }
    const identity =
      shape === 'object'
        ? { kind: type.kind, apiVersion: apiVersionOf(type) }
        : shape === 'metadata'
          ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
          : { kind: 'Table', apiVersion: 'meta.k8s.io/v1' }
    const object =
      shape === 'table' ? { ...identity, metadata, columnDefinitions: null, rows: [] } : { ...identity, metadata }
    this.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
  }

  fail(error: KubeError): void {
    this.write(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`)
    this.response.end()
  }

  private lineOf(type: string, object: KubeObject): string {
    return `{"type":"${type}","object":${this.shown(object)}}\n`
  }

  private write(lines: string): void {
    // A reader who is slow has not got the end of the watch yet.
    if (this.response.writableEnded) return
    this.response.write(lines)
    if (this.response.writableLength > MAX_BACKLOG) this.response.destroy()
  }

  private shown(stored: KubeObject): string {
    const { type, shape } = this.request
    const object = inVersion(type, stored)
    if (shape === 'metadata') return JSON.stringify(metadataOnly(object))
    if (shape === 'object') return textOfObject(object)
    const table = tableOf(type, [stored], tableOptions(this.request))
    const rows = this.sentColumns ? { ...table, columnDefinitions: null } : table
    this.sentColumns = true
    return JSON.stringify(rows)
  }
}

function sendInitial(stream: WatchStream, request: ResourceRequest, markEnd: boolean): void {
  stream.sendAll(matchingObjects(request))
  if (markEnd) stream.bookmark(request.context.store.resourceVersion, { [INITIAL_EVENTS_END]: 'true' })
}

function run(request: ResourceRequest, options: WatchOptions, response: ServerResponse): void {
  const { context, type } = request
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  const stream = new WatchStream(request, response)
  if (options.initialEvents) {
    sendInitial(stream, request, options.bookmarks && request.query.get('sendInitialEvents') === 'true')
  } else {
    const missed = context.watches.since(type.storage, options.version ?? Number(context.store.resourceVersion))
    if (!missed) {
      stream.fail(expired(`too old resource version: ${options.version} (${context.store.resourceVersion})`))
      return
    }
    for (const change of missed) stream.change(change)
  }
  const unfollow = context.watches.follow(type.storage, (change) => stream.change(change))
  const beat = options.bookmarks
    ? setInterval(() => stream.bookmark(context.store.resourceVersion), BOOKMARK_EVERY)
    : undefined
  const last = options.bookmarks
    ? setTimeout(() => stream.bookmark(context.store.resourceVersion), Math.max(0, options.timeoutMs - BEFORE_END))
    : undefined
  const end = setTimeout(() => response.end(), options.timeoutMs)
  response.once('close', () => {
    unfollow()
    clearInterval(beat)
    clearTimeout(last)
    clearTimeout(end)
  })
}

/** Changes of the matching objects, line by line, until the client leaves or its time is over. */
export function watchObjects(request: ResourceRequest): Reply {
  const options = optionsOf(request)
  matcherOf(request)
  return { stream: (response) => run(request, options, response) }
}
