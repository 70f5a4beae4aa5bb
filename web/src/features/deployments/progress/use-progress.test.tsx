import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drawInPortal, liveLine, serving } from '../../../testing/portal.tsx'
import { useProgress } from './use-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

let accept: () => void = () => undefined

function Followed() {
  const { deployment } = useProgress({
    action: 'Deploy',
    releaseName: 'release',
    start: () =>
      new Promise((resolve) => {
        accept = () => resolve({ actionId: 'action-1' })
      }),
  })
  return <output>{deployment}</output>
}

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const said = () => screen.getByRole('status').textContent

async function open() {
  serving({})
  const line = liveLine()
  drawInPortal(<Followed />, { line })
  await after(0)
  return line
}

it('counts a deployment as running half a second after it was accepted', async () => {
  await open()
  await after(5000)
  expect(said()).toBe('waiting')
  accept()
  await after(490)
  expect(said()).toBe('waiting')
  await after(20)
  expect(said()).toBe('running')
})

it('leaves a deployment alone that has ended before', async () => {
  const line = await open()
  accept()
  await after(100)
  act(() => line.tell('Deploy', { state: 0, summary: 'Summed up', lines: [] }))
  await after(0)
  expect(said()).toBe('done')
  await after(1000)
  expect(said()).toBe('done')
})

it('sends what was asked for also when it is closed before there is a connection, and tells a refusal', async () => {
  const start = vi.fn(async () => Promise.reject(new Error('The portal is away')))
  const onUnseen = vi.fn()
  function Asked() {
    useProgress({ action: 'Deploy', releaseName: 'release', start, onUnseen })
    return null
  }
  serving({})
  const line = liveLine()
  line.socket.connected = false
  drawInPortal(<Asked />, { line })
  await after(0)
  expect(start).not.toHaveBeenCalled()
  cleanup()
  await after(0)
  expect(start).toHaveBeenCalledTimes(1)
  expect(onUnseen).toHaveBeenCalledWith(new Error('The portal is away'))
})
