import { apps } from '@quayside/contract/apps/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { anApp, aSpace, pageOf } from '../../testing/things.ts'
import { AppLogs } from './app-logs.tsx'
import { SpaceLogs } from './space-logs.tsx'

interface Stream {
  path: string
  signal: AbortSignal
  say: (...entries: LogEntry[]) => void
  end: () => void
}
let streams: Stream[] = []
let refusal: Response | undefined
beforeEach(() => {
  streams = []
  refusal = undefined
})
afterEach(cleanup)

const line = (text: string, pod = 'shop-1-web-a'): LogEntry => ({
  ...{ at: '2026-11-26T10:00:00.123456789Z', pod, container: 'web', line: text },
})

/** Draws the logs of an app whose lines come when the test says them. */
async function open(at = '/apps/x?tab=logs', { ofSpace = false } = {}) {
  const [app, space] = [anApp(), aSpace()]
  serving({
    ...answer(clusters.pods, { data: [{ name: 'shop-1-web-a' } as never] }, { id: app.id }),
    ...answer(apps.listApps, pageOf(app)),
  })
  const json = fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    if (!path.startsWith('/log/')) return json(path, init)
    if (refusal) return Promise.resolve(refusal)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const say = (...entries: LogEntry[]) =>
      void writer.write(new TextEncoder().encode(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')))
    streams.push({ path, signal: init.signal as AbortSignal, say, end: () => void writer.close() })
    return Promise.resolve(new Response(readable))
  })
  drawInPortal(ofSpace ? <SpaceLogs space={space} /> : <AppLogs app={app} />, { route: 'apps/$appId', at })
  await waitFor(() => expect(streams.length + Number(refusal !== undefined)).toBeGreaterThan(0))
}
const last = () => streams.at(-1) as Stream
const log = () => screen.getByRole('log', { name: 'Logs' })

it('shows the lines of all pods as they come, with their level in words', async () => {
  await open()
  expect(log().textContent).toBe('Reading the logs …')
  last().say({ note: 'caught-up' })
  await waitFor(() => expect(log().textContent).toBe('No lines yet. New ones appear here.'))
  last().say(line('level=info started'), line('level=error no route', 'shop-1-db-b'))
  await waitFor(() => expect(log().textContent).toContain('error: level=error no route'))
  expect(log().textContent).toContain('level=info started')
  expect(screen.getByText('2 lines')).toBeTruthy()
  expect(last().path).toContain('follow=true')
})

it('says that a container was restarted, and why one is not read', async () => {
  await open()
  const of = { pod: 'shop-1-web-a', container: 'web' }
  last().say({ note: 'restarted', ...of }, { note: 'unreadable', ...of, message: 'is waiting to start' })
  await waitFor(() => expect(log().textContent).toContain('The container was restarted.'))
  expect(log().textContent).toContain('is waiting to start')
})

it('has the server look for a text in all that there is, and shows one level alone', async () => {
  await open('/apps/x?tab=logs&level=error')
  last().say({ note: 'caught-up' }, line('WARN slow'), line('ERROR broken'))
  await waitFor(() => expect(log().textContent).toContain('ERROR broken'))
  expect(log().textContent).not.toContain('WARN slow')
  expect(screen.getByText('1 line shown of 2 read')).toBeTruthy()
  const before = last()
  await userEvent.type(screen.getByRole('searchbox'), 'route')
  await waitFor(() => expect(last().path).toContain('search=route'))
  expect(last().path).toContain('tailLines=10000')
  expect(before.signal.aborted).toBe(true)
  last().say({ note: 'caught-up' })
  await waitFor(() => expect(log().textContent).toBe('No line matches. New ones appear here.'))
})

it('reads one pod and a time alone', async () => {
  await open('/apps/x?tab=logs&pod=shop-1-web-a&time=5m')
  expect(last().path).toContain('pods=shop-1-web-a')
  expect(last().path).toContain('sinceSeconds=300')
})

it('reads again after a lost connection, without doubling a line', async () => {
  await open()
  last().say(line('started'))
  await waitFor(() => expect(log().textContent).toContain('started'))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  last().end()
  expect(await screen.findByText('No log arrives')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(2000)
  await waitFor(() => expect(streams).toHaveLength(2))
  last().say(line('started'), line('listening'))
  await waitFor(() => expect(log().textContent).toContain('listening'))
  expect(within(log()).getAllByText('started')).toHaveLength(1)
  expect(screen.queryByText('No log arrives')).toBeNull()
  vi.useRealTimers()
})

it('says why the server refuses, and asks no more until it is told to', async () => {
  refusal = Response.json({ code: 'app.not-found', message: 'There is no such app.' }, { status: 404 })
  await open()
  await screen.findByText('There is no such app.')
  refusal = undefined
  await userEvent.click(screen.getByRole('button', { name: /again/i }))
  await waitFor(() => expect(streams).toHaveLength(1))
})

it('says how many containers are left out, and stops to read when it is left', async () => {
  await open()
  last().say({ note: 'left-out', count: 3 })
  expect(await screen.findByText(/3 more containers run than can be followed at once/)).toBeTruthy()
  const { signal } = last()
  cleanup()
  expect(signal.aborted).toBe(true)
})

it('reads the logs of all apps of a space, or of one of them', async () => {
  await open('/apps/x?tab=logs&app=7app001', { ofSpace: true })
  expect(last().path).toContain('/spaces/')
  expect(last().path).toContain('apps=7app001')
  last().say({ note: 'app-unreadable', app: 'Bank', message: 'The cluster gives no answer.' })
  await waitFor(() => expect(log().textContent).toContain('Bank: The cluster gives no answer.'))
})
