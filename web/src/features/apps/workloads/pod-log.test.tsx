import { clusters } from '@quayside/contract/clusters/endpoints'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { answer, drawInPortal, serving } from '../../../testing/portal.tsx'
import { PodLog } from './pod-log.tsx'

interface Stream {
  path: string
  signal: AbortSignal
  say: (text: string) => void
}
let streams: Stream[] = []
beforeEach(() => {
  streams = []
})

const container = (name: string, init: boolean) => ({ name, init }) as never
const pod = {
  name: 'web-0',
  containers: [container('setup', true), container('web', false), container('proxy', false)],
}

/** Draws the log of a pod whose lines come when the test says them. */
async function open() {
  serving(answer(clusters.pods, { data: [pod as never] }, { id: '7app001' }))
  const json = fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    if (!path.startsWith('/log/')) return json(path, init)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const say = (text: string) => void writer.write(new TextEncoder().encode(text))
    streams.push({ path, signal: init.signal as AbortSignal, say })
    return Promise.resolve(new Response(readable))
  })
  const onClose = vi.fn()
  drawInPortal(<PodLog appId="7app001" podName="web-0" onClose={onClose} />)
  await waitFor(() => expect(streams.at(-1)?.path).toContain('container=web'))
  return { onClose }
}
const last = () => streams.at(-1) as Stream
const log = () => screen.getByRole('log', { name: 'Log of web-0' }).textContent

it('shows the lines of the first container as they come', async () => {
  await open()
  expect(log()).toBe('No lines yet.')
  last().say('started\n')
  await waitFor(() => expect(log()).toBe('started\n'))
  last().say('listening\n')
  await waitFor(() => expect(log()).toBe('started\nlistening\n'))
  expect(last().path).toContain('follow=true')
})

it('shows the lines alone that have the text', async () => {
  await open()
  last().say('started\nGET /\n')
  await waitFor(() => expect(log()).toContain('GET /'))
  await userEvent.type(screen.getByRole('searchbox'), 'get')
  await waitFor(() => expect(log()).toBe('GET /'))
})

it('stops to read when it is left', async () => {
  await open()
  const { signal } = last()
  expect(signal.aborted).toBe(false)
  cleanup()
  expect(signal.aborted).toBe(true)
})

it.each([
  ['another container', () => userEvent.selectOptions(screen.getByLabelText('Container'), 'proxy'), 'container=proxy'],
  [
    'the container before',
    () => userEvent.click(screen.getByRole('checkbox', { name: 'Previous container' })),
    'previous=true',
  ],
  [
    'no more than there is now',
    () => userEvent.click(screen.getByRole('checkbox', { name: 'Follow' })),
    'follow=false',
  ],
])('stops one stream and reads the next for %s', async (_, choose, asked) => {
  await open()
  const before = last()
  await choose()
  await waitFor(() => expect(last().path).toContain(asked))
  expect(before.signal.aborted).toBe(true)
  expect(last().signal.aborted).toBe(false)
})

it('closes', async () => {
  const { onClose } = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Close the log' }))
  expect(onClose).toHaveBeenCalledOnce()
})
