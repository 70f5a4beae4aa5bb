import type { Endpoint } from '@quayside/contract/http/endpoint'
import { pathOf } from '@quayside/contract/http/path'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Socket } from 'socket.io-client'
import { vi } from 'vitest'
import type { ReplyOf } from '../api/client.ts'
import { WizardsProvider } from '../api/deployments/wizards.tsx'
import { PinsProvider } from '../api/pins.tsx'
import { createApi } from '../lib/api/api.ts'
import type { Portal } from '../lib/portal.tsx'
import { PortalProvider } from '../lib/portal.tsx'
import { createQueryClient } from '../lib/query-client.ts'
import { parseUrlSearch, writeUrlSearch } from '../lib/url-state.ts'
import { ConfirmProvider } from '../ui/actions/confirm.tsx'
import { draw } from './draw.tsx'

/** The answers by a prefix of `METHOD /path`; the longest prefix that matches is used. */
export type Answers = Record<string, unknown>

/** An answer that does not come. */
export const never = Symbol('never')

/** A refusal. */
export class Refusal {
  readonly status: number
  readonly message: string
  readonly code: string | undefined
  readonly details: unknown
  constructor(status: number, message: string, code?: string, details?: unknown) {
    this.status = status
    this.message = message
    this.code = code
    this.details = details
  }
}

type Told<E extends Endpoint> = ReplyOf<E> | Refusal | typeof never

/** An answer of an endpoint, typed by its schemas; with `params`, only for these. */
export function answer<E extends Endpoint>(
  endpoint: E,
  told: Told<E> | ((call: Call) => Told<E> | Promise<Told<E>>),
  params?: Record<string, string>,
): Answers {
  const path = params === undefined ? pathOf(endpoint).replace(/\/\/.*$/, '/') : pathOf(endpoint, params)
  return { [`${endpoint.method} ${path}`]: told }
}

interface Call {
  method: string
  path: string
  body: unknown
}

/** A server that is only what it answers: the network is where these tests end. */
export function serving(answers: Answers) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    calls.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const key = Object.keys(answers)
      .filter((each) => `${method} ${path}`.startsWith(each))
      .sort((a, b) => b.length - a.length)[0]
    const found = key === undefined ? new Refusal(404, `nothing answers ${method} ${path}`) : answers[key]
    const answer = typeof found === 'function' ? await found(calls.at(-1)) : found
    if (answer === never) return new Promise(() => undefined)
    const isRefused = answer instanceof Refusal
    if (answer === undefined) return new Response(null, { status: 204 })
    return new Response(JSON.stringify(answer), {
      status: isRefused ? answer.status : 200,
      headers: { 'content-type': 'application/json' },
    })
  })
  return calls
}

type Listener = (payload: unknown) => void
type Register = { releaseName: string; lastSeq: number; actionId?: string }

/**
 * The live connection as a wizard sees it; `tell` says something as the server would: whoever has registered is told at
 * once, and who registers later is sent what they lack.
 */
export function liveLine() {
  const listeners = new Map<string, Set<Listener>>()
  const log: { name: string; payload: { seq: number } }[] = []
  let seen: number | undefined
  const hear = (name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload)
  }
  const catchUp = () => {
    if (seen === undefined) return
    const from = seen
    seen = log.length
    for (const { name, payload } of log.slice(from)) hear(name, payload)
  }
  const socket = {
    id: 'socket-1' as string | undefined,
    connected: true,
    on: (name: string, listener: Listener) =>
      listeners.set(name, (listeners.get(name) ?? new Set<Listener>()).add(listener)),
    off: (name: string, listener: Listener) => listeners.get(name)?.delete(listener),
    emit: vi.fn((name: string, asked: Register, done?: (reply: object) => void) => {
      if (name === 'deregister') seen = undefined
      if (name !== 'register') return
      done?.({ ok: true, actionId: asked.actionId ?? null, lastSeq: log.length })
      seen = asked.lastSeq
      queueMicrotask(catchUp)
    }),
    disconnect: vi.fn(() => {
      socket.connected = false
    }),
  }
  return {
    socket,
    connect() {
      Object.assign(socket, { id: 'socket-1', connected: true })
      hear('connect', undefined)
    },
    tell(name: string, payload: object, actionId = 'action-1') {
      const seq = log.length + 1
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString()
      log.push({ name, payload: { ...payload, seq, at, actionId, releaseName: 'release' } as { seq: number } })
      catchUp()
    },
  }
}

/** Draws a part of the portal for somebody who may open these sections and holds these roles of the catalog's client. */
export function drawInPortal(
  children: ReactNode,
  {
    roles = ['catalog.deploy', 'catalog.deployments.manage'],
    sections = ['apps', 'spaces'],
    line = liveLine(),
    queries = undefined as QueryClient | undefined,
    /** The address that is open. */
    at = '/',
    /** The route of a page that reads its parameters: 'clusters/$clusterId'. */
    route = undefined as string | undefined,
    /** Roles on other clients. */
    more = {} as Record<string, string[]>,
  } = {},
) {
  const token = {
    userId: 'u1',
    username: 'mara',
    ...{ firstName: '', lastName: '', email: '' },
    realmAccess: [],
    resourceAccess: {
      ...Object.fromEntries(sections.map((name) => [`quayside-portal-ui-${name}`, [{ name: 'access' }]])),
      'quayside-portal-ui-catalog-apps': roles.map((name) => ({ name })),
      ...Object.fromEntries(Object.entries(more).map(([client, held]) => [client, held.map((name) => ({ name }))])),
    },
  }
  const tokens = {
    current: () => 'token',
    refresh: async () => false,
    exchangeTicket: async () => '',
    lost: () => undefined,
  }
  const session = { signInAgain: vi.fn(), signOut: vi.fn() }
  const portal = {
    session,
    config: {
      product: 'quayside',
      build: 'v5.7.0',
      tenant: { id: 't1', identifier: 'demo', realm: 'demo', displayName: 'Demo' },
      oidc: { authority: '', clientId: 'quayside-portal-ui', scope: '', clients: {} },
      flags: {},
      activity: { enabled: false, app: '', version: '', environment: '' },
    },
    api: createApi(tokens),
    live: { open: async () => line.socket as unknown as Socket, watch: () => () => undefined },
    me: () => token,
  } as unknown as Portal
  const router = createRouter({
    routeTree: routeTreeOf(children, route),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch: parseUrlSearch,
    stringifySearch: writeUrlSearch,
    defaultNotFoundComponent: () => null,
  })
  draw(
    <QueryClientProvider client={queries ?? createQueryClient()}>
      <PortalProvider value={portal}>
        <ConfirmProvider>
          <WizardsProvider>
            <PinsProvider>
              <RouterProvider router={router} />
            </PinsProvider>
          </WizardsProvider>
        </ConfirmProvider>
      </PortalProvider>
    </QueryClientProvider>,
  )
  return { line, session, router }
}

function routeTreeOf(children: ReactNode, route: string | undefined) {
  if (route === undefined) return createRootRoute({ component: () => children })
  const root = createRootRoute()
  return root.addChildren([createRoute({ getParentRoute: () => root, path: route, component: () => children })])
}
