import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Answers, drawInPortal, liveLine, never, Refusal, serving } from '../../../testing/portal.tsx'
import { app } from '../testing/samples.ts'
import { useProgress } from './use-progress.ts'
import { type SentAction, useSendAction } from './use-send-action.ts'

beforeEach(() => void vi.useFakeTimers())

const post = 'POST /deployment/v1/helm/deployment/actions.'
const accepted = { actionId: 'action-1', state: 'accepted', releaseName: 'release' }
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const said = () => screen.getByRole('status').textContent
const press = (name: string) => act(() => screen.getByRole('button', { name }).click())

function Followed({ sent, socket }: { sent: SentAction; socket: ReturnType<typeof useSendAction>['socket'] }) {
  const { deployment, result } = useProgress({ action: 'Deploy', releaseName: 'release', socket, ...sent })
  return <output>{result?.summary ?? deployment}</output>
}

function Deploying() {
  const { socket, sent, send } = useSendAction('Deploy')
  return (
    <>
      <button type="button" onClick={() => send({ appId: app.id } as Parameters<typeof send>[0])}>
        Deploy
      </button>
      {sent && <Followed sent={sent} socket={socket} />}
    </>
  )
}

function Page() {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
      {isOpen && <Deploying />}
    </>
  )
}

async function open(answers: Answers = { [post]: accepted }, line = liveLine()) {
  const calls = serving(answers)
  drawInPortal(<Page />, { line })
  await after(0)
  return { line, calls, posted: () => calls.filter(({ method }) => method === 'POST') }
}

it('posts in the handler of the click, with the id of the socket, and once for two clicks', async () => {
  const { posted } = await open({ [post]: never })
  const button = screen.getByRole('button', { name: 'Deploy' })
  act(() => {
    button.click()
    expect(posted()).toHaveLength(1)
    button.click()
  })
  await after(5000)
  expect(posted().map(({ body }) => body)).toEqual([{ appId: app.id, socketId: 'socket-1' }])
})

it('counts a deployment as running half a second after it was accepted', async () => {
  let accept: (reply: object) => void = () => undefined
  await open({ [post]: () => new Promise((resolve) => (accept = resolve)) })
  await press('Deploy')
  await after(5000)
  expect(said()).toBe('waiting')
  accept(accepted)
  await after(0)
  await after(480)
  expect(said()).toBe('waiting')
  await after(20)
  expect(said()).toBe('running')
})

it('leaves a deployment alone that has ended before', async () => {
  const { line } = await open()
  await press('Deploy')
  await after(100)
  act(() => line.tell('Deploy', { state: 0, summary: 'Summed up', lines: [] }))
  await after(1000)
  expect(said()).toBe('Summed up')
})

it('does not wait for the socket, and is told afterwards what came before it', async () => {
  const line = liveLine()
  Object.assign(line.socket, { id: undefined, connected: false })
  const { posted } = await open({ [post]: accepted }, line)
  await press('Deploy')
  expect(posted()).toHaveLength(1)
  await after(1000)
  line.tell('message', { type: 'helm', message: 'creating', level: 'info' })
  line.tell('Deploy', { state: 0, summary: 'Summed up', lines: [] })
  await after(1000)
  expect(said()).toBe('running')
  act(() => line.connect())
  await after(0)
  expect(said()).toBe('Summed up')
})

it('goes on from the last line that came when the socket comes back', async () => {
  const { line } = await open()
  await press('Deploy')
  await after(0)
  act(() => line.tell('message', { type: 'helm', message: 'creating', level: 'info' }))
  act(() => line.connect())
  await after(0)
  const asked = line.socket.emit.mock.calls.filter(([name]) => name === 'register').map(([, what]) => what)
  expect(asked.map(({ lastSeq }) => lastSeq)).toEqual([0, 1])
})

it('shows why it was refused', async () => {
  await open({ [post]: new Refusal(409, 'The app is busy') })
  await press('Deploy')
  await after(0)
  expect(said()).toBe('Communication Error (The app is busy)')
})

it('is sent also when it is closed right after the click, and a refusal is told then', async () => {
  let answer: (reply: unknown) => void = () => undefined
  const { line, posted } = await open({ [post]: () => new Promise((resolve) => (answer = resolve)) })
  await press('Deploy')
  await press('Close')
  expect(line.socket.disconnect).toHaveBeenCalledOnce()
  expect(posted()).toHaveLength(1)
  answer(new Refusal(409, 'The app is busy'))
  await after(1000)
  expect(screen.getByRole('dialog').textContent).toContain('The app is busy')
})
