import { expect, it } from 'vitest'
import { callers, createFairPlaces } from './fair-places.ts'

const turn = () => new Promise<void>((done) => setImmediate(done))

/** Calls that end when they are told to. */
function stage() {
  const running: { name: string; end: () => void }[] = []
  let refused = 0
  const places = createFairPlaces(() => (refused += 1), { readMs: 40, writeMs: 80 })
  const work = (name: string) => () => new Promise<void>((end) => running.push({ name, end }))
  const call = (tenant: string, person: string, onlyReads = true) =>
    callers.run({ tenant, person, onlyReads, hasBegun: false }, () =>
      places.run(work(`${tenant} ${person}`)).then(
        () => 'done',
        (error) => error.code as string,
      ),
    )
  const names = () => running.map(({ name }) => name)
  const endOne = async () => {
    running.shift()?.end()
    await turn()
  }
  return { places, work, call, names, endOne, running, refused: () => refused }
}

it('one person of one tenant takes neither the places of a colleague nor those of another tenant', async () => {
  const { call, names, endOne } = stage()
  for (let at = 0; at < 40; at += 1) void call('a', 'flooder')
  expect(names()).toEqual(Array.from({ length: 6 }, () => 'a flooder'))
  for (let at = 0; at < 40; at += 1) void call('a', 'second')
  expect(names()).toHaveLength(9)
  void call('a', 'colleague')
  void call('b', 'stranger')
  expect(names().slice(9)).toEqual(['b stranger'])
  await endOne()
  expect(names().at(-1)).toBe('a colleague')
})

it('who has waited long enough is told that the portal is busy, and leaves nothing behind', async () => {
  const { call, running, refused } = stage()
  const calls = Array.from({ length: 8 }, () => call('a', 'one'))
  expect(await Promise.all(calls.slice(6))).toEqual(['portal.busy', 'portal.busy'])
  expect(refused()).toBe(2)
  for (const { end } of running.splice(0)) end()
  expect(await Promise.all(calls.slice(0, 6))).toEqual(Array.from({ length: 6 }, () => 'done'))
  void call('a', 'one')
  expect(running).toHaveLength(1)
})

it('a person whose queue is full is refused at once, before anything is read of the call', async () => {
  const { places, call } = stage()
  const caller = { tenant: 'a', person: 'one', onlyReads: true, hasBegun: false }
  for (let at = 0; at < 6 + 64; at += 1) void call('a', 'one')
  expect(() => places.assertMayQueue(caller)).toThrow(/Too many of your requests/)
  expect(() => places.assertMayQueue({ ...caller, onlyReads: false })).not.toThrow()
  expect(() => places.assertMayQueue({ ...caller, person: 'two' })).not.toThrow()
  expect(await call('a', 'one')).toBe('request.too-many')
})

it("the portal's own work waits for nobody", () => {
  const { places, work, call, names } = stage()
  for (let at = 0; at < 20; at += 1) for (const tenant of ['a', 'b', 'c']) void call(tenant, `${at}`)
  expect(names()).toHaveLength(12)
  void places.run(work('own'))
  expect(names().at(-1)).toBe('own')
})
