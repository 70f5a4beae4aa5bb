import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../../testing/portal.tsx'
import { useValidation } from './use-validation.ts'

beforeEach(() => void vi.useFakeTimers())

const validate = 'PUT /deployment/v1/helm/deployment/validate/'
const good = { provider: 'YAML', resultType: 'ok', success: true, lines: [], outside: null, remedy: [] }
const metadata = { tenantIdentifier: 't', envIdentifier: 'e', instanceIdentifier: 'a', appIdentifier: 'a' }
let write: (yaml: string) => void = () => undefined

function Judged() {
  const [yaml, setYaml] = useState('a: 1\n')
  write = setYaml
  const { validating, isAway, result, yaml: judged } = useValidation('v1', metadata, yaml)
  return <output>{isAway ? 'away' : validating ? 'validating' : `${result?.resultType} ${judged?.trim()}`}</output>
}

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const said = () => screen.getByRole('status').textContent

async function open(answer: unknown) {
  const calls = serving({ [validate]: answer })
  drawInPortal(<Judged />)
  await after(0)
  return () =>
    calls.filter(({ path }) => path.includes('/validate/')).map(({ body }) => (body as { yaml: string }).yaml)
}

it('asks when the text has rested, and tells the result a second later', async () => {
  const asked = await open(good)
  await after(400)
  expect([asked(), said()]).toEqual([[], 'validating'])
  await after(150)
  expect([asked(), said()]).toEqual([['a: 1\n'], 'validating'])
  await after(900)
  expect(said()).toBe('validating')
  await after(100)
  expect(said()).toBe('ok a: 1')
})

it('a newer text makes an older verdict void, also one that is on its way', async () => {
  const asked = await open(good)
  await after(600)
  act(() => write('a: 2\n'))
  await after(1100)
  expect(said()).toBe('validating')
  await after(600)
  expect([asked(), said()]).toEqual([['a: 1\n', 'a: 2\n'], 'ok a: 2'])
  act(() => write('a: 3\n'))
  expect(said()).toBe('validating')
})

it('turns for a whole second however fast the answer is, also when it is the same one again', async () => {
  await open(good)
  for (const text of ['a: 2\n', 'a: 1\n', 'a: 2\n']) {
    act(() => write(text))
    await after(500)
    const answered = performance.now()
    while (said() === 'validating') await after(10)
    expect(performance.now() - answered).toBeGreaterThanOrEqual(1000)
    expect(said()).toBe(`ok ${text.trim()}`)
  }
})

it('stays without a verdict as long as none has come', async () => {
  await open(never)
  await after(60_000)
  expect(said()).toBe('validating')
})

it('is no verdict while the portal is away, and asks again by itself', async () => {
  const answers: Answers = { [validate]: new Refusal(503, '') }
  serving(answers)
  drawInPortal(<Judged />)
  await after(0)
  await after(600)
  expect(said()).toBe('away')
  await after(20_000)
  expect(said()).toBe('away')
  answers[validate] = good
  await after(5000)
  await after(1000)
  expect(said()).toBe('ok a: 1')
})

it('asks at once when the network comes back', async () => {
  const answers: Answers = { [validate]: new Refusal(502, '') }
  serving(answers)
  drawInPortal(<Judged />)
  await after(0)
  await after(10_000)
  expect(said()).toBe('away')
  answers[validate] = good
  act(() => void window.dispatchEvent(new Event('online')))
  await after(1000)
  expect(said()).toBe('ok a: 1')
})
