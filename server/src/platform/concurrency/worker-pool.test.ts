import { expect, test, vi } from 'vitest'
import { createWorkerPool, WorkerEnded } from './worker-pool.ts'

const source = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', (question) => {
  while (question === 'endless');
  const eaten = []
  while (question === 'hungry') eaten.push(Array.from({ length: 10_000 }, () => ({})))
  if (question === 'broken') throw new Error('it broke')
  parentPort.postMessage('answer to ' + question)
})`
const module = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
const ask = createWorkerPool<string, string>(module, { limitMs: 1500, memoryMb: 32, most: 1 })

test.each([
  ['endless', 'longer than 1.5 s'],
  ['hungry', 'memory'],
  ['broken', 'it broke'],
])('a thread that is %s is ended, and the next one answers', { timeout: 20_000 }, async (question, why) => {
  const [ended, next] = await Promise.allSettled([ask(question), ask('next')])
  expect(ended).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(why) } })
  expect(ended.status === 'rejected' && ended.reason).toBeInstanceOf(WorkerEnded)
  expect(next).toEqual({ status: 'fulfilled', value: 'answer to next' })
})

test('a thread whose answer nobody waits for any more is ended, and a question that waits its turn is taken back', async () => {
  const stop = new AbortController()
  const [ended, waiting] = [ask('endless', stop.signal), ask('next', stop.signal)]
  stop.abort(new Error('nobody waits'))
  const outcomes = await Promise.allSettled([ended, waiting, ask('another')])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: new Error('nobody waits') },
    { status: 'rejected', reason: new Error('nobody waits') },
    { status: 'fulfilled', value: 'answer to another' },
  ])
})

test('a thread is told nothing of the environment but where compiled code is kept', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '/nowhere')
  vi.stubEnv('QUAYSIDE_SECRET_KEY', 'a secret')
  const told = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', () => parentPort.postMessage(JSON.stringify(process.env)))`
  const askForIt = createWorkerPool<string, string>(new URL(`data:text/javascript,${encodeURIComponent(told)}`), {
    ...{ limitMs: 10_000, memoryMb: 32, most: 1 },
  })
  try {
    expect(JSON.parse(await askForIt('environment'))).toEqual({ NODE_COMPILE_CACHE: '/nowhere' })
  } finally {
    vi.unstubAllEnvs()
  }
})
